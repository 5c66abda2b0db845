/**
 * Reads the arguments of a command by its table of options. The same table makes the help, so an option cannot exist
 * without its documentation.
 */
import { alternatives, suggestionFor } from './suggestion.ts'
import { colourOption } from './terminal/colour.ts'

interface OptionDocumentation {
  /** One sentence without final stop, in the imperative or as a noun. */
  readonly summary: string
}

/** `--name` */
export interface FlagOption extends OptionDocumentation {
  readonly kind: 'flag'
}

/** `--name VALUE` with a value of a list. */
export interface ChoiceOption extends OptionDocumentation {
  readonly kind: 'choice'
  readonly values: readonly string[]
  readonly default: string
}

/** `--name VALUE` with any text. */
export interface TextOption extends OptionDocumentation {
  readonly kind: 'text'
  /** What stands for the value in the help: `NAME`. */
  readonly placeholder: string
  /** Names separated by commas: those of a repeated option add up. */
  readonly isList?: true
}

/** `--name N` with a whole number. */
export interface CountOption extends OptionDocumentation {
  readonly kind: 'count'
  readonly least: 0 | 1
}

/** An option of a command. */
export type Option = FlagOption | ChoiceOption | TextOption | CountOption

/** The options of a command by their names without dashes, in the order of the help. */
export type OptionTable = Readonly<Record<string, Option>>

/** The values that the arguments give the options of `Table`. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: OptionValue<Table[Name]>
}

type OptionValue<It extends Option> = It extends { kind: 'flag' }
  ? boolean
  : It extends { kind: 'choice'; values: readonly (infer Value)[] }
    ? Value
    : It extends { kind: 'count' }
      ? number | undefined
      : string | undefined

/** The arguments of a command, read. */
export interface Arguments<Table extends OptionTable> {
  readonly values: OptionValues<Table>
  /** Everything that is not an option, in order, including `-`. */
  readonly operands: readonly string[]
  /** True if the help was asked for; then nothing else counts. */
  readonly wantsHelp: boolean
}

/** A mistake in the arguments; the message is for the person who typed them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What every command takes besides its own options. */
export const generalOptions: OptionTable = { color: colourOption }

/** Reads `args` by `table` and {@link generalOptions}. Options and operands mix; `--` ends the options; of a repeated option the last one counts, unless it is a list. @throws UsageError */
export function parseArguments<Table extends OptionTable>(
  args: readonly string[],
  table: Table,
): Arguments<Table> {
  const values: Record<string, string | number | boolean | undefined> = {}
  const options = { ...table, ...generalOptions }
  for (const [name, option] of Object.entries(options)) values[name] = defaultOf(option)
  const operands: string[] = []
  const rest = [...args]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--') {
      operands.push(...rest)
      break
    }
    if (argument === '--help' || argument === '-h') return { ...done(values, operands), wantsHelp: true }
    if (argument === '-' || !argument.startsWith('-')) operands.push(argument)
    else {
      const { name, value } = readOption(argument, options, rest)
      const before = isList(options[name]) ? values[name] : undefined
      values[name] = before === undefined ? value : `${before},${value}`
    }
  }
  return done<Table>(values, operands)
}

function done<Table extends OptionTable>(values: object, operands: readonly string[]): Arguments<Table> {
  return { values: values as OptionValues<Table>, operands, wantsHelp: false } // the loop over the table made them so
}

function isList(option: Option | undefined): boolean {
  return option?.kind === 'text' && option.isList === true
}

/** The value of an option that is not given. */
export function defaultOf(option: Option): string | boolean | undefined {
  if (option.kind === 'flag') return false
  return option.kind === 'choice' ? option.default : undefined
}

function readOption(
  argument: string,
  table: OptionTable,
  rest: string[],
): { readonly name: string; readonly value: string | number | true } {
  const equals = argument.indexOf('=')
  const written = equals === -1 ? argument : argument.slice(0, equals)
  const attached = equals === -1 ? undefined : argument.slice(equals + 1)
  const name = written.startsWith('--') ? written.slice(2) : ''
  const option = Object.hasOwn(table, name) ? table[name] : undefined
  if (!option) {
    const known = [...Object.keys(table), 'help'].map((it) => `--${it}`)
    throw new UsageError(`Unknown option \`${written}\`${suggestionFor(written, known)}`)
  }
  if (option.kind === 'flag') {
    if (attached !== undefined) throw new UsageError(`\`${written}\` does not take a value`)
    return { name, value: true }
  }
  const value = attached ?? rest.shift()
  if (value === undefined) throw new UsageError(`\`${written}\` needs a value${expected(option)}`)
  if (option.kind === 'choice' && !option.values.includes(value)) {
    const list = alternatives(option.values)
    throw new UsageError(
      `\`${written}\` takes ${list}, not \`${value}\`${suggestionFor(value, option.values)}`,
    )
  }
  if (option.kind === 'count') {
    const number = Number(value)
    if (!/^\d{1,9}$/.test(value) || number < option.least)
      throw new UsageError(`\`${written}\` must be a whole number from ${option.least} on, not \`${value}\``)
    return { name, value: number }
  }
  return { name, value }
}

function expected(option: ChoiceOption | TextOption | CountOption): string {
  return option.kind === 'choice' ? `: ${alternatives(option.values)}` : ''
}
