/** The option `--watch`, which does not load what watches. */
import { UsageError } from '../arguments.ts'
import { standardInput } from '../files/read-source.ts'

/** The option. */
export const watchOption = {
  kind: 'flag',
  summary: 'Check again whenever a file changes, until Ctrl+C',
} as const

/** The values of options that a watched check does not take, by name. */
export type UnwatchedValues = Readonly<Record<string, string | number | boolean | undefined>>

/** @throws UsageError for what makes no sense while files are watched */
export function assertWatchable(format: string, others: UnwatchedValues, operands: readonly string[]): void {
  for (const [name, value] of Object.entries(others))
    if (value !== undefined && value !== false)
      throw new UsageError(`\`--watch\` cannot be used with \`--${name}\``)
  if (format !== 'pretty') throw new UsageError(`\`--watch\` cannot be used with \`--format ${format}\``)
  if (operands.includes(standardInput))
    throw new UsageError('`--watch` cannot be used with `-`, which reads standard input')
}
