/** The manual page `man ocm`, made from the tables of commands and options. */
import { generalOptions } from './arguments.ts'
import type { AnyCommand } from './command.ts'
import { optionSynopsis, optionText } from './help.ts'

/** The page in the man macros of troff. @param commands each with its line in the list of commands */
export function manualPage(
  commands: readonly { readonly command: AnyCommand; readonly summary: string }[],
  version: string,
): string {
  return [
    `.TH OCM 1 "" "openchatml ${escaped(version)}" "User Commands"`,
    '.SH NAME',
    'ocm \\- check, explain, and convert OpenChatML transcripts and datasets',
    '.SH SYNOPSIS',
    '.B ocm',
    '.I COMMAND',
    '[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]',
    '.SH COMMANDS',
    ...commands.flatMap(({ command, summary }) => ['.TP', `.B ${command.name}`, escaped(summary)]),
    ...commands.flatMap(({ command }) => section(command)),
    '.SH EXIT STATUS',
    ...definition('0', 'Success.'),
    ...definition('1', 'The command found what it was asked to fail for.'),
    ...definition('2', 'Invalid usage, or a file could not be read or written.'),
    '.SH FILES',
    ...definition(
      '.openchatml.yaml, .openchatml.yml, .openchatml.json',
      'The configuration of a folder and the folders in it. ocm init creates one.',
    ),
    '.SH ENVIRONMENT',
    ...definition('NO_COLOR, FORCE_COLOR', 'Turn colors off, or on everywhere.'),
    '',
  ].join('\n')
}

function section(command: AnyCommand): readonly string[] {
  const { name, operands, description, options, statuses = [], examples } = command
  return [
    `.SH ${escaped(`ocm ${name}`.toUpperCase())}`,
    `.B ocm ${name}`,
    escaped(`[OPTIONS] ${operands}`.trim()),
    ...description.flatMap((paragraph) => ['.PP', escaped(paragraph)]),
    ...Object.entries({ ...options, ...generalOptions }).flatMap(([option, it]) =>
      definition(optionSynopsis(option, it), optionText(option, it)),
    ),
    ...statuses.flatMap((it) => ['.PP', escaped(`Exit status ${it}.`)]),
    ...examples.flatMap(([line, does]) => ['.PP', escaped(`${does}:`), '.PP', '.EX', escaped(line), '.EE']),
  ]
}

function definition(term: string, text: string): readonly string[] {
  return ['.TP', `\\fB${escaped(term)}\\fR`, escaped(text)]
}

/** Text for a line of its own, of which troff takes nothing for a request. */
function escaped(text: string): string {
  const line = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('`', '\\`')
  return /^[.']/.test(line) ? `\\&${line}` : line
}
