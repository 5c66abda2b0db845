/** `--stdin-filename`: the file that standard input stands for, as in hooks and editors that check what is not on the disk. */
import { UsageError } from '../arguments.ts'
import { standardInput } from './read-source.ts'

/** The option. */
export const stdinFilenameOption = {
  kind: 'text',
  placeholder: 'PATH',
  summary: 'The file name to use for standard input: for the report, the form, and the configuration',
} as const

/** @throws UsageError if there is a name, but standard input is not read */
export function assertStdinFilename(
  values: { readonly 'stdin-filename': string | undefined },
  operands: readonly string[],
): void {
  if (values['stdin-filename'] === undefined || operands.includes(standardInput)) return
  throw new UsageError('`--stdin-filename` requires `-`, which reads standard input')
}
