/** Runs `ocm`: finds the command, runs it, and turns what goes wrong into words and an exit status. */
import { failureText } from '../../core/src/internal.ts'
import { parseArguments, UsageError } from './arguments.ts'
import type { ExitStatus } from './command.ts'
import { commandTable, namesElsewhere } from './command-table.ts'
import { FileProblem, fileProblem } from './files/file-problem.ts'
import { commandHelp, generalHelp } from './help.ts'
import { suggestionFor } from './suggestion.ts'
import type { Console } from './terminal/console.ts'
import { OutputClosedError, untilReaderLeaves } from './terminal/output.ts'
import { programVersion } from './version.ts'

/** Runs the command that `args` name, which prints on `console`. @returns the exit status; whatever goes wrong is one, too */
export async function runProgram(args: readonly string[], console: Console): Promise<ExitStatus> {
  try {
    const status = await run(args, console)
    await untilReaderLeaves(() => console.output.flush())
    return status
  } catch (error) {
    return statusOf(error, args[0], console)
  }
}

async function run(args: readonly string[], console: Console): Promise<ExitStatus> {
  const [name, ...rest] = args
  if (name === undefined) {
    console.advise(generalHelp())
    return 2
  }
  if (name === '--version' || name === '-V') {
    await console.output.write(`${programVersion()}\n`)
    return 0
  }
  if (name === '--help' || name === '-h') return help(undefined, console)
  if (name === 'help') {
    const { operands } = parseArguments(rest, {})
    if (operands.length > 1) throw new UsageError('Name one command only')
    return help(operands[0], console)
  }
  const command = await loadCommand(name)
  const parsed = parseArguments(rest, command.options)
  if (parsed.wantsHelp) {
    await console.output.write(commandHelp(command))
    return 0
  }
  if (command.operands === '' && parsed.operands.length > 0) {
    throw new UsageError(`Unexpected argument \`${parsed.operands[0]}\`: \`ocm ${name}\` takes options only`)
  }
  return command.run(parsed as Parameters<typeof command.run>[0], console) // read by its own table
}

async function help(name: string | undefined, console: Console): Promise<ExitStatus> {
  const isAbout = name !== undefined && name !== 'help'
  await console.output.write(isAbout ? commandHelp(await loadCommand(name)) : generalHelp())
  return 0
}

function loadCommand(name: string) {
  const entry = commandTable.get(name)
  if (entry) return entry.load()
  if (name.startsWith('-')) {
    const known = ['--help', '--version']
    throw new UsageError(`Unknown option \`${name}\`${suggestionFor(name, known)}`)
  }
  throw new UsageError(`Unknown command \`${name}\`${suggestedCommand(name)}`)
}

const longestPath = 1000 // it may be a whole transcript by mistake

/** As {@link suggestionFor}, for what stands where a command is expected: it may be a path. */
function suggestedCommand(name: string): string {
  const isPath = name.length < longestPath && /[./\\]/.test(name)
  const other = isPath ? `check ${name}` : namesElsewhere.get(name)
  if (other !== undefined) return `; did you mean \`ocm ${other}\`?`
  return suggestionFor(name, [...commandTable.keys(), 'help'])
}

/** What may go wrong with any output; reading turns it into a {@link FileProblem} itself. */
const failuresOfOutput: ReadonlySet<string> = new Set(['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG'])

/** Says what went wrong with the command on `console`, without a value of a document. @returns the exit status */
export function statusOf(error: unknown, command: string | undefined, console: Console): ExitStatus {
  if (error instanceof OutputClosedError) return 0 // the reader has what it wanted
  if (error instanceof UsageError) {
    const about = command !== undefined && commandTable.has(command) ? `ocm ${command}` : 'ocm'
    console.complain(error.message)
    console.complain(`\`${about} --help\` shows the usage`)
    return 2
  }
  if (error instanceof FileProblem) {
    console.complain(error.message)
    return 2
  }
  const { code, syscall }: Partial<NodeJS.ErrnoException> = error ?? {}
  if (syscall === 'uv_cwd') console.complain('The current directory was deleted')
  else if (code !== undefined && failuresOfOutput.has(code))
    console.complain(fileProblem('standard output', error).message)
  else console.complain(`internal problem: ${failureText(error)}`)
  return 2
}
