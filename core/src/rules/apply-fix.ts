/** Applies fixes to a text. */
import type { TextEdit } from '../text/range.ts'
import type { ProblemFix } from './problem.ts'

/**
 * `text` with the edits of `fixes` applied at once. Of fixes that overlap, the first in the text is applied and the
 * others are left for another round.
 */
export function applyFixes(text: string, fixes: readonly ProblemFix[]): string {
  return applyEdits(text, editsOf(fixes))
}

/** The edits of `fixes` in order of the text, without those of fixes that {@link fixesApart} leaves out. */
function editsOf(fixes: readonly ProblemFix[]): readonly TextEdit[] {
  return fixesApart(fixes).flatMap(({ edits }) => edits)
}

/**
 * The fixes in order of the text, without those that begin before the end of an earlier one: they wait for another round.
 * A file may have as many fixes as messages, so each is compared with the one before only.
 */
export function fixesApart(fixes: readonly ProblemFix[]): readonly ProblemFix[] {
  const apart: ProblemFix[] = []
  let end = -1
  for (const fix of [...fixes].sort((one, other) => startOf(one) - startOf(other))) {
    if (startOf(fix) <= end) continue
    apart.push(fix)
    end = fix.edits.at(-1)?.end ?? end
  }
  return apart
}

function startOf(fix: ProblemFix): number {
  return fix.edits[0]?.start ?? 0
}

/** `edits`, whose lines end with `\n`, for `text` that another program may have given other line breaks. */
export function withLineBreaksOf(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  return edits.map((it) => ({ ...it, text: it.text.replaceAll('\n', lineBreak) }))
}

/**
 * `text` with `edits`, which are in order, do not overlap, and all refer to `text` as it is.
 *
 * @throws RangeError if they are not in order, or overlap
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = []
  let at = 0
  for (const edit of edits) {
    if (edit.start < at || edit.end < edit.start)
      throw new RangeError(`the edit from ${edit.start} to ${edit.end} is not after the one before it`)
    parts.push(text.slice(at, edit.start), edit.text)
    at = edit.end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
