/** Fixes for a wrong word: with what is meant, or with each of several that may be. */
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import { quoted } from './quoted.ts'
import type { Fix } from './rule.ts'

const offeredAtMost = 20 // words; as many as a message lists

/** One fix for each of `words` in the place of `span`; none of several is applied without being chosen. */
export function choiceFixes(span: Span, words: readonly string[]): readonly Fix[] {
  return words.slice(0, offeredAtMost).map((text) => ({
    title: localize`Replace with ${quoted(text)}`,
    edits: [{ span, text }],
    isSafe: false,
    ...(words.length > 1 && { isChoice: true }),
  }))
}

/** The fix that writes `text` in the place of `span`, which may change what the transcript means; none without `text`. */
export function writingFixes(span: Span, text: string | undefined): readonly Fix[] {
  if (text === undefined) return []
  return [{ title: localize`Write ${quoted(text)}`, edits: [{ span, text }], isSafe: false }]
}
