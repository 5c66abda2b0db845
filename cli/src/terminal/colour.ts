/** Colours: as `--color` says; without it on terminals only, never with `NO_COLOR`, also elsewhere with `FORCE_COLOR`. */
import type { Severity } from '../../../core/src/internal.ts'

/** Functions that colour a text, or leave it alone. */
export interface Style {
  strong(text: string): string
  faint(text: string): string
  added(text: string): string
  removed(text: string): string
  severity(severity: Severity, text: string): string
}

/** The option of every command. */
export const colourOption = {
  kind: 'choice',
  values: ['auto', 'always', 'never'],
  default: 'auto',
  summary: 'When to color: auto colors on terminals, and follows NO_COLOR and FORCE_COLOR',
} as const

/** What `--color` says. */
export type ColourChoice = (typeof colourOption.values)[number]

/** What `--color` says among `args`, which may be wrong otherwise; what is printed about that has colours or not as well. */
export function colourChoiceIn(args: readonly string[]): ColourChoice {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  const said = before.findLast((it, index) => it.startsWith('--color=') || before[index - 1] === '--color')
  return colourOption.values.find((it) => said === it || said === `--color=${it}`) ?? colourOption.default
}

/** True if text for a stream should be coloured. Empty variables count as unset. */
export function isColourful(
  isTerminal: boolean | undefined,
  env: NodeJS.ProcessEnv,
  choice: ColourChoice = 'auto',
): boolean {
  if (choice !== 'auto') return choice === 'always'
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: terminal } = env
  if (no) return false
  if (force) return force !== '0' && force !== 'false'
  return isTerminal === true && terminal !== 'dumb'
}

/** The style for a stream. */
export function styleOf(isColoured: boolean): Style {
  const paint = (code: string) => (text: string) =>
    isColoured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
  const severities: Record<Severity, (text: string) => string> = {
    error: paint('1;31'),
    warning: paint('1;33'),
    information: paint('1;34'),
    hint: paint('1;36'),
  }
  return {
    strong: paint('1'),
    faint: paint('2'),
    added: paint('32'),
    removed: paint('31'),
    severity: (severity, text) => severities[severity](text),
  }
}
