/** Input that cannot be read, as a problem that every report has: a run that did not see everything is never without problems. */
import type { Position } from '../../../core/src/internal.ts'
import type { FileProblem } from './file-problem.ts'

/** The code of these problems, and the name that they have instead of a rule. They cannot be turned off. */
export const inputCode = { code: 'E-INPUT', rule: 'unreadable-input' } as const

const summary = 'Input cannot be read, so it is not checked'

const why = `A check that did not see all of its input must not look like a check without problems.
Files that are missing, unreadable, compressed, or not UTF-8, samples that are not JSON or not a conversation,
and configuration files with mistakes are reported with this code, at the place that cannot be read.
It is not a rule: no configuration changes its severity, and the exit status is 2.`

/** What is written about it, with the keys of a rule. */
export const inputDocumentation = {
  name: inputCode.rule,
  code: inputCode.code,
  severity: 'error',
  group: null,
  section: null,
  summary,
  why,
  bad: null,
  good: null,
} as const

/** What `ocm rules E-INPUT` prints. */
export const inputPage = `E-INPUT  unreadable-input  error

${summary}.

Why
${why.replace(/^/gm, '    ')}

How to fix
    Repair the input, or name only files that should be checked.
    \`--bad-lines skip\` reports samples that cannot be read as information, and leaves the exit status to the others.
    \`--allow-empty\` accepts that there is nothing to check.
`

/** Something that could not be read. */
export interface InputProblem {
  /** A file as people see it. */
  readonly path: string
  /** The sample, if it is one, as people see it; else the file. */
  readonly where: string
  /** Undefined if it concerns the whole file. */
  readonly position: Position | undefined
  /** Why, without its place. */
  readonly message: string
  /** `information` for what the user allowed to be skipped. */
  readonly severity: 'error' | 'information'
}

/** The problem that `error` is. */
export function inputProblem({ path, reason, position }: FileProblem): InputProblem {
  return { path, where: path, position, message: reason, severity: 'error' }
}
