/** Fixes for a wrong word where any of several may be meant. */
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
