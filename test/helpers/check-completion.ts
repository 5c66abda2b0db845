/** Completion as data: a text with `$0`, and the labels that are proposed there. */
import assert from 'node:assert/strict'
import {
  analyze,
  applyEdits,
  type Completion,
  type CompletionOptions,
  completions,
  type ParseOptions,
  Transcript,
} from '../../core/src/internal.ts'
import { withCursor } from './marked-text.ts'

/** The proposals at `$0`. Every range must contain the cursor and stay in its line. */
export function completionsAt(
  marked: string,
  { trigger, ...options }: CompletionOptions & ParseOptions = {},
): readonly Completion[] {
  const { text, offset } = withCursor(marked)
  const analysis = analyze(Transcript.parse(text, options))
  const found = completions(analysis, offset, trigger === undefined ? {} : { trigger })
  for (const { range, label } of found) {
    assert.ok(range.start <= offset && offset <= range.end, `${label}: the range leaves the cursor out`)
    assert.ok(!/[\r\n]/.test(text.slice(range.start, range.end)), `${label}: the range leaves the line`)
  }
  return found
}

/** The labels at `$0`, in order. */
export function labelsAt(marked: string, trigger?: string): string {
  return completionsAt(marked, trigger === undefined ? {} : { trigger })
    .map(({ label }) => label)
    .join(', ')
}

/** The text after accepting the proposal `label`, with tab stops as written; proposals must match what is typed. */
export function accept(marked: string, label: string): string {
  const { text, offset } = withCursor(marked)
  const found = completionsAt(marked).find((it) => it.label === label)
  assert.ok(found, `${label} is not proposed: ${labelsAt(marked)}`)
  const typed = text.slice(found.range.start, offset)
  assert.ok(isSubsequence(typed, found.filterText), `${typed} does not match ${found.filterText}`)
  return applyEdits(text, [{ ...found.range, text: found.snippet ?? found.text }])
}

function isSubsequence(typed: string, filterText: string): boolean {
  let at = 0
  for (const character of typed.toLowerCase()) {
    at = filterText.toLowerCase().indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}
