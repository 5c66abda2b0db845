/** The help, made from the tables of commands and options. */
import { generalOptions, type Option } from './arguments.ts'
import type { AnyCommand } from './command.ts'
import { commandTable } from './command-table.ts'

const widest = 80

/** What `ocm help` does, in one line. */
export const helpSummary = 'Print this, or the help of a command'

/** The help of `ocm`. */
export function generalHelp(): string {
  const commands = [...commandTable].map(([name, { summary }]) => [name, summary] as const)
  return [
    'Checks, explains, and renders OpenChatML transcripts (.ocm).',
    '',
    'Usage: ocm COMMAND [OPTIONS] [ARGUMENTS]',
    '',
    'Commands:',
    ...definitions([...commands, ['help', helpSummary]]),
    '',
    'Options:',
    ...definitions([
      ['-h, --help', 'Print the help, also of a command'],
      ['-V, --version', 'Print the version'],
    ]),
    '',
    ...wrap('`ocm help COMMAND` prints the options and examples of a command.', 0),
    '',
  ].join('\n')
}

/** The help of `command`. */
export function commandHelp(command: AnyCommand): string {
  const { name, operands, description, options, statuses = [], examples } = command
  return [
    ['Usage:', `ocm ${name}`, '[OPTIONS]', operands].filter((it) => it !== '').join(' '),
    '',
    ...description.flatMap((paragraph) => [...wrap(paragraph, 0), '']),
    'Options:',
    ...definitions([
      ...Object.entries({ ...options, ...generalOptions }).map(
        ([it, option]) => [optionSynopsis(it, option), optionText(it, option)] as const,
      ),
      ['-h, --help', 'Print this help'],
    ]),
    '',
    'Exit status:',
    '  0  success',
    ...statuses.map((it) => `  ${it}`),
    '  2  invalid usage, or a file cannot be read or written',
    '',
    'Examples:',
    ...examples.flatMap(([line, does]) => [`  # ${does}`, `  ${line}`]),
    '',
  ].join('\n')
}

/** How an option is written: `--name VALUE`. */
export function optionSynopsis(name: string, option: Option): string {
  if (option.kind === 'flag') return `--${name}`
  if (option.kind === 'count') return `--${name} N`
  if (option.kind === 'text') return `--${name} ${option.placeholder}`
  const values = `--${name} ${option.values.join('|')}`
  return isLong(values) ? `--${name} ${name.toUpperCase()}` : values
}

function isLong(synopsis: string): boolean {
  return synopsis.length > widest - 2
}

/** What an option does, with its values where the synopsis has no room for them. */
export function optionText(name: string, option: Option): string {
  if (option.kind !== 'choice') return option.summary
  const { summary, values, default: usual } = option
  const listed = isLong(`--${name} ${values.join('|')}`) ? `: ${values.join(', ')}` : ''
  return `${summary}${listed} (default: ${usual})`
}

const narrowTerm = 16 // longer terms have a line of their own

function definitions(list: readonly (readonly [term: string, text: string])[]): readonly string[] {
  return list.flatMap(([term, text]) => {
    const lines = wrap(text, narrowTerm + 4)
    if (term.length > narrowTerm) return [`  ${term}`, ...lines]
    const [first = '', ...others] = lines
    return [`  ${term.padEnd(narrowTerm)}  ${first.trimStart()}`, ...others]
  })
}

/** `text` in lines of at most {@link widest} columns, each set in by `margin`. */
function wrap(text: string, margin: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && margin + line.length + 1 + word.length > widest) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((it) => ' '.repeat(margin) + it)
}
