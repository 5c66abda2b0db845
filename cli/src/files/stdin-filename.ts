/** `--stdin-filename`: the file that standard input stands for, as in hooks and editors that check what is not on the disk. */
import { UsageError } from '../arguments.ts'
import { standardInput } from './read-source.ts'

/** The option. */
export const stdinFilenameOption = {
  kind: 'text',
  placeholder: 'PATH',
  summary: 'The file that standard input stands for: its name in the report, its form, and its configuration',
} as const

/** @throws UsageError if there is a name, but standard input is not read */
export function assertStdinFilename(
  values: { readonly 'stdin-filename': string | undefined },
  operands: readonly string[],
): void {
  if (values['stdin-filename'] === undefined || operands.includes(standardInput)) return
  throw new UsageError('`--stdin-filename` goes with `-`, which reads standard input')
}
