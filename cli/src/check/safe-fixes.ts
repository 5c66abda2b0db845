/** Applies the safe fixes of a text, again and again until there are none: one fix may make room for another. */
import {
  applyEdits,
  type Checker,
  fixesApart,
  type Problem,
  type ProblemFix,
} from '../../../core/src/index.ts'
import { FileProblem } from '../files/file-problem.ts'
import { type CheckOptions, checkText, type FileReport } from './check-source.ts'

/** A text after its safe fixes. */
export interface FixedSource {
  /** The report on the text as fixed. */
  readonly report: FileReport
  /** The text as fixed; the same string if nothing was to be fixed. */
  readonly text: string
}

/** @throws FileProblem if fixes are asked for where the file at `shown` is no transcript */
export function refuseFixes(
  shown: string,
  { fix, diff }: { readonly fix: boolean; readonly diff: boolean },
): void {
  if (fix || diff) throw new FileProblem(shown, '`--fix` and `--diff` work on transcripts only')
}

const mostRounds = 10 // fixes need two or three rounds; two that undo each other would never end

/** `text` with the safe fixes of its problems, and the report on what is left. */
export function fixSource(path: string, text: string, options: CheckOptions): FixedSource {
  let fixed = text
  let nFixed = 0
  let { analysis, checker } = checkText(text, options)
  for (let round = 0; round < mostRounds; round++) {
    const fixes = fixesApart(safeFixesOf(checker))
    if (fixes.length === 0) break
    const next = applyEdits(
      fixed,
      fixes.flatMap(({ edits }) => edits),
    )
    if (next === fixed) break
    nFixed += fixes.length
    fixed = next
    ;({ analysis, checker } = checkText(fixed, options))
  }
  return { text: fixed, report: { path, analysis, problems: checker.problems().problems, nFixed } }
}

/** The best safe fix of a problem. */
export function safeFixOf(problem: Problem): ProblemFix | undefined {
  return problem.fixes.find(({ isSafe }) => isSafe)
}

function safeFixesOf(checker: Checker): readonly ProblemFix[] {
  return checker.problems().problems.flatMap((problem) => safeFixOf(problem) ?? [])
}
