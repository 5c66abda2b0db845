/** Applies fixes to a text. */
import type { TextEdit } from '../text/range.ts'
import type { ProblemFix } from './problem.ts'

/**
 * `text` with the edits of `fixes` applied at once. Of fixes that overlap, the earlier one in the list is applied and the
 * later one is left for another round.
 */
export function applyFixes(text: string, fixes: readonly ProblemFix[]): string {
  return applyEdits(text, editsOf(fixes))
}

/** The edits of `fixes` in order of the text, without those of fixes that overlap an earlier one. */
export function editsOf(fixes: readonly ProblemFix[]): readonly TextEdit[] {
  const taken: TextEdit[] = []
  for (const { edits } of fixes) {
    const isFree = edits.every((edit) =>
      taken.every((other) => edit.end < other.start || other.end < edit.start),
    )
    if (isFree) taken.push(...edits)
  }
  return taken.sort((one, other) => one.start - other.start)
}

/** `text` with `edits`, which are in order, do not overlap, and all refer to `text` as it is. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = []
  let at = 0
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
