/** What a command of `ocm` is. */
import type { Arguments, OptionTable } from './arguments.ts'
import type { Console } from './terminal/console.ts'

/** How a command ends: 0 it is well, 1 `check` found what it fails on, 2 wrong usage or a file that cannot be read or written. */
export type ExitStatus = 0 | 1 | 2

/** A command: its documentation, from which the help is made, and what it does. */
export interface Command<Table extends OptionTable = OptionTable> {
  readonly name: string
  /** What follows the options: `PATH`, `PATHS...`; empty if nothing can. */
  readonly operands: string
  /** What the first operand can be, if it is one of some words; paths can follow where {@link operands} names more. */
  readonly words?: readonly string[]
  /** Paragraphs of the help; one string each, without line breaks. */
  readonly description: readonly string[]
  readonly options: Table
  /** Lines of the help on exit statuses other than the usual two. */
  readonly statuses?: readonly string[]
  /** Command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
  /** @throws UsageError if the arguments make no sense together */
  run(args: Arguments<Table>, console: Console): Promise<ExitStatus>
}

/** `command`, with the types of its option values taken from its table. */
export function defineCommand<const Table extends OptionTable>(command: Command<Table>): Command<Table> {
  return command
}

/** A command whatever its options. */
export interface AnyCommand extends Omit<Command, 'run'> {
  // A method, so that commands with tables of their own are commands: the arguments are read by that very table.
  run(args: Arguments<never>, console: Console): Promise<ExitStatus>
}
