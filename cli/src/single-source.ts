/** Reads the one transcript that a command is about. */
import { UsageError } from './arguments.ts'
import { readSource, type Source } from './files/read-source.ts'
import type { Console } from './terminal/console.ts'

/** The source that `operands` name. @throws UsageError unless that is one, FileProblem if it cannot be read */
export function readSingleSource(operands: readonly string[], console: Console): Promise<Source> {
  const [path, ...others] = operands
  if (path === undefined) throw new UsageError('Name a file, or `-` for standard input')
  if (others.length > 0) throw new UsageError(`Name one file only, not ${operands.length}`)
  return readSource(path, console.input())
}
