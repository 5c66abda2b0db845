/** The reporter for programs: one object, one file a line. Its shape is stable. */
import type { Position, Problem, Range, Transcript } from '../../../core/src/internal.ts'
import type { FileReport } from '../check/check-source.ts'
import { inputCode } from '../files/input-problem.ts'
import { safeJson } from '../terminal/displayable.ts'
import type { Reporter } from './reporter.ts'

/** `{"schemaVersion":1,"files":[{"path":…,"dialect":…,"diagnostics":[…]}],"errors":n,"warnings":n}` */
export const jsonReporter: Reporter = {
  separator: ',',
  begin: () => '{"schemaVersion":1,"files":[',
  *file({ path, analysis, problems, dataset }) {
    yield `\n{"path":${json(path)},"dialect":${json(analysis.dialect)},"diagnostics":[`
    for (const [nth, problem] of problems.entries()) {
      yield (nth === 0 ? '' : ',') + json(diagnosticOf(problem, analysis.transcript, dataset))
    }
    yield ']}'
  },
  *input({ where, path, position = wholeFile, message, severity }) {
    const range = { start: position, end: position }
    const source = where === path ? {} : { source: position }
    const diagnostic = { ...inputCode, severity, message, range, ...source }
    yield `\n${json({ path: where, diagnostics: [diagnostic] })}`
  },
  end({ counts, nFiles, nFixed, nOmitted, baseline, inputs }) {
    const fixed = nFixed === undefined ? '' : `,"fixed":${nFixed}`
    const omitted = nOmitted === 0 ? '' : `,"omitted":${nOmitted}`
    const known = baseline ? `,"baseline":${json(baseline)}` : ''
    return `${nFiles === 0 && inputs.length === 0 ? '' : '\n'}],"errors":${counts.error},"warnings":${counts.warning}${fixed}${omitted}${known}}\n`
  },
}

const wholeFile: Position = { line: 0, character: 0 }

function json(value: unknown): string {
  return safeJson(JSON.stringify(value))
}

function diagnosticOf(problem: Problem, transcript: Transcript, dataset: FileReport['dataset']): object {
  const { code, rule, severity, message, range, fixes } = problem
  const rangeOf = ({ start, end }: Range) => ({
    start: transcript.positionAt(start),
    end: transcript.positionAt(end),
  })
  return {
    code,
    rule,
    severity,
    message,
    range: rangeOf(range),
    ...(dataset && { source: dataset.positionAt(range.start) }),
    ...(fixes.length > 0 && {
      fixes: fixes.map((fix) => ({
        title: fix.title,
        isSafe: fix.isSafe,
        edits: fix.edits.map((edit) => ({ range: rangeOf(edit), newText: edit.text })),
      })),
    }),
  }
}
