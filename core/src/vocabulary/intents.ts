/** What a transcript is for. The specification does not say; by default nothing is assumed. */

/** An intent, as written under `profiles.intent`. */
export type Intent = 'training' | 'history' | 'fixture'

/** The intents with their meaning in one line. */
export const intents: readonly { readonly name: Intent; readonly summary: string }[] = [
  { name: 'training', summary: 'A training sample: it ends the way the model must end' },
  {
    name: 'history',
    summary: 'A stored conversation that is sent to a model again: final answers end with `<|end|>`',
  },
  {
    name: 'fixture',
    summary: 'Test data that may be broken on purpose: problems are reported as information at most',
  },
]

/** The intent called `name`, or undefined. */
export function intentNamed(name: unknown): Intent | undefined {
  return intents.find((it) => it.name === name)?.name
}
