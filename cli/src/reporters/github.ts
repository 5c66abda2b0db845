/** The reporter for GitHub Actions: workflow commands that put each problem beside the line that it is about. */
import type { Problem, Severity, Transcript } from '../../../core/src/index.ts'
import { displayableLine } from '../terminal/displayable.ts'
import type { Reporter } from './reporter.ts'

/** `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message` */
export const githubReporter: Reporter = {
  separator: '',
  begin: () => '',
  *file({ path, analysis, problems }) {
    for (const problem of problems) yield `${commandOf(problem, path, analysis.transcript)}\n`
  },
  end: () => '',
}

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
}

function commandOf({ severity, code, rule, message, range }: Problem, path: string, transcript: Transcript) {
  const start = transcript.positionAt(range.start)
  const end = transcript.positionAt(range.end)
  // Columns are for places on one line; GitHub rejects them with more.
  const isOneLine = start.line === end.line
  const properties: readonly (readonly [name: string, value: string | number])[] = [
    ['file', path],
    ['line', start.line + 1],
    ...(isOneLine ? ([['col', start.character + 1]] as const) : []),
    ['endLine', end.line + 1],
    ...(isOneLine ? ([['endColumn', Math.max(end.character, start.character + 1)]] as const) : []),
    ['title', `${code} ${rule}`],
  ]
  const list = properties.map(([name, value]) => `${name}=${escapedProperty(String(value))}`).join(',')
  return `::${commands[severity]} ${list}::${escaped(message)}`
}

/** Whatever would end a command, or begin another one. */
function escaped(text: string): string {
  return displayableLine(text).replaceAll('%', '%25')
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
