/** The reporter for GitHub Actions: workflow commands that put each problem next to the line that it is about. */
import type { Problem, Severity } from '../../../core/src/internal.ts'
import type { FileReport, SampleOrigin } from '../check/check-source.ts'
import { inputCode } from '../files/input-problem.ts'
import { displayableLine } from '../terminal/displayable.ts'
import type { Reporter } from './reporter.ts'

/** `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message` */
export const githubReporter: Reporter = {
  separator: '',
  begin: () => '',
  *file(report) {
    for (const problem of report.problems) {
      yield `${commandOf(problem, report.dataset ? pointIn(report.dataset, problem) : stretchIn(report, problem))}\n`
    }
  },
  *input({ path, position, message, severity }) {
    const place = position && { line: position.line + 1, col: position.character + 1 }
    yield `${commandOf({ ...inputCode, severity, message }, { file: path, ...place })}\n`
  },
  end: () => '',
}

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
}

type Properties = Readonly<Record<string, string | number>>

function commandOf(
  { severity, code, rule, message }: Pick<Problem, 'severity' | 'code' | 'rule' | 'message'>,
  place: Properties,
): string {
  const properties = Object.entries({ ...place, title: `${code} ${rule}` })
  const list = properties.map(([name, value]) => `${name}=${escapedProperty(String(value))}`).join(',')
  return `::${commands[severity]} ${list}::${escaped(message)}`
}

function stretchIn({ path, analysis: { transcript } }: FileReport, { range }: Problem): Properties {
  const start = transcript.positionAt(range.start)
  const end = transcript.positionAt(range.end)
  const [line, endLine] = [start.line + 1, end.line + 1]
  // Columns are for places on one line; GitHub rejects them with more.
  if (line !== endLine) return { file: path, line, endLine }
  const col = start.character + 1
  return { file: path, line, col, endLine, endColumn: Math.max(end.character, col) }
}

/** Annotations belong to files of the repository: for a sample, to its dataset. */
function pointIn({ path, positionAt }: SampleOrigin, { range }: Problem): Properties {
  const { line, character } = positionAt(range.start)
  return { file: path, line: line + 1, col: character + 1 }
}

/** Whatever would end a command, or begin another one. */
function escaped(text: string): string {
  return displayableLine(text).replaceAll('%', '%25')
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
