/** Ways to fix problems: each fix of the problems in a range, and all safe fixes of the document at once. */

import { fixesApart } from '../rules/apply-fix.ts'
import type { Checker } from '../rules/checker.ts'
import type { Problem } from '../rules/problem.ts'
import { type FixSelection, fixOf, safeFixOf } from '../rules/safe-fixes.ts'
import type { Analysis } from '../semantics/analysis.ts'
import type { Range, TextEdit } from '../text/range.ts'

/** A way to fix a problem. */
export interface CodeAction {
  /** An imperative without final stop. */
  readonly title: string
  readonly problem: Problem
  readonly edits: readonly TextEdit[]
  /** True for the first fix of a problem if it cannot change what the transcript means. */
  readonly isPreferred: boolean
}

/** The fixes in a range, or those of its first problems. */
export interface CodeActionList {
  /** In order of the text. */
  readonly actions: readonly CodeAction[]
  /** False if more problems touch the range than fixes are listed for. */
  readonly isComplete: boolean
}

const problemsAtMost = 1000 // of one answer: no list of fixes that is longer can be read

/** The fixes of problems that touch `range`: those of the first thousand problems. */
export function codeActions(analysis: Analysis, checker: Checker, range: Range): CodeActionList {
  const { transcript } = analysis
  const actions: CodeAction[] = []
  let left = problemsAtMost
  const end = Math.min(range.end, transcript.length)
  const first = transcript.segmentAt(Math.max(0, Math.min(range.start, end)))
  // A problem at the very end of a segment touches the place where the next one begins.
  for (const located of transcript.segments(Math.max(0, first.index - 1))) {
    if (located.start > end) break
    for (const problem of checker.problemsTouching(located, { start: range.start, end }, left + 1)) {
      if (left-- === 0) return { actions, isComplete: false }
      problem.fixes.forEach(({ title, edits, isSafe }, index) => {
        actions.push({ title, problem, edits, isPreferred: index === 0 && isSafe })
      })
    }
  }
  return { actions, isComplete: true }
}

/** The problems that {@link fixAll} looks at; where there are more, it fixes a part. */
export const fixedAtOnce = 10_000

/** Which problems are fixed, and how. */
export interface FixChoice extends FixSelection {
  /** The name of the only rule whose problems are fixed. */
  readonly rule?: string
}

/** What fixing would do. */
export interface FixPlan {
  /** In order of the text. */
  readonly edits: readonly TextEdit[]
  /** Problems whose fix is among the edits. */
  readonly fixed: number
  /** Problems whose only fix that can be applied without a choice may change what the transcript means. */
  readonly unsafe: number
  /** All problems; if one rule is chosen, those of it among the first {@link fixedAtOnce}. */
  readonly total: number
}

/** The fixes that `choice` asks for; of fixes that overlap, the earlier one. Of the first {@link fixedAtOnce} problems. */
export function fixPlan(checker: Checker, { rule, ...selection }: FixChoice = {}): FixPlan {
  const { problems, total } = checker.problems(fixedAtOnce)
  const ofRule = rule === undefined ? problems : problems.filter((it) => it.rule === rule)
  const fixes = fixesApart(ofRule.flatMap((it) => fixOf(it, selection) ?? []))
  return {
    edits: fixes.flatMap(({ edits }) => edits),
    fixed: fixes.length,
    unsafe: ofRule.filter((it) => !safeFixOf(it) && fixOf(it, { isUnsafe: true })).length,
    total: rule === undefined ? total : ofRule.length,
  }
}

/**
 * The edits of the first safe fix of every problem, in order of the text; of fixes that overlap, the earlier one. Of more than
 * {@link fixedAtOnce} problems, those of the first ones.
 */
export function fixAll(checker: Checker): readonly TextEdit[] {
  return fixPlan(checker).edits
}
