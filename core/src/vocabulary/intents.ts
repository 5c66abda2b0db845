/** What a transcript is for. The specification does not say; by default nothing is assumed. */

/** An intent, as written under `profiles.intent`. */
export type Intent = 'training' | 'history' | 'fixture'

/** The intents with their meaning in one line. */
export const intents: readonly { readonly name: Intent; readonly summary: string }[] = [
  { name: 'training', summary: 'A sample that a model is trained on: it ends as the model is to end' },
  {
    name: 'history',
    summary: 'A conversation that is kept and given back to a model: final answers end in `<|end|>`',
  },
  {
    name: 'fixture',
    summary: 'Test data that may be broken on purpose: nothing is worse than an information',
  },
]

/** The intent called `name`, or undefined. */
export function intentNamed(name: unknown): Intent | undefined {
  return intents.find((it) => it.name === name)?.name
}
