/** `--from` and `--to`, of commands that read and write conversations in any form. */
import { formsWith, sourceForms, targetForms, type WriteOption } from '../../core/src/internal.ts'
import { UsageError } from './arguments.ts'

/** The form of the input. */
export const fromOption = {
  kind: 'choice',
  values: ['auto', ...sourceForms],
  default: 'auto',
  summary: 'The form of the input; auto recognizes it',
} as const

/** The form of the output. */
export const toOption = {
  kind: 'choice',
  values: targetForms,
  default: 'ocm',
  summary: 'The form of the output',
} as const

/** Refuses `flag`, which is for `option`, unless the form of the output has a use for it. @throws UsageError */
export function refuseIdle(flag: string, option: WriteOption, to: (typeof targetForms)[number]): void {
  const fitting = formsWith(option).toSorted()
  if (fitting.includes(to)) return
  throw new UsageError(`\`${flag}\` requires ${fitting.map((it) => `\`--to ${it}\``).join(' or ')}`)
}
