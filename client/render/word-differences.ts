/** Which words of two texts differ. */
import { aligned } from '../../core/src/internal.ts'

/** A stretch of a text in UTF-16 code units: half-open. */
export interface TextStretch {
  readonly start: number
  readonly end: number
}

/** What each of two texts has that the other lacks. */
export interface WordDifferences {
  readonly one: readonly TextStretch[]
  readonly other: readonly TextStretch[]
}

const longest = 200_000 // UTF-16 code units: longer texts are not compared word by word
const word = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu

/** The words of `one` and `other` that differ, joined where they are next to each other; undefined if a text is too long. */
export function wordDifferences(one: string, other: string): WordDifferences | undefined {
  if (one.length > longest || other.length > longest) return undefined
  const words = one.match(word) ?? []
  const otherWords = other.match(word) ?? []
  const pairs = aligned(words, otherWords)
  return {
    one: stretchesWithout(words, new Set(pairs.map(([at]) => at))),
    other: stretchesWithout(otherWords, new Set(pairs.map(([, at]) => at))),
  }
}

/** The words that are not among `kept`; white space alone is not marked. */
function stretchesWithout(words: readonly string[], kept: ReadonlySet<number>): readonly TextStretch[] {
  const stretches: TextStretch[] = []
  let offset = 0
  let start: number | undefined
  for (const [index, text] of words.entries()) {
    if (kept.has(index)) {
      if (start !== undefined) stretches.push({ start, end: offset })
      start = undefined
    } else if (start !== undefined || text.trim() !== '') start ??= offset
    offset += text.length
  }
  if (start !== undefined) stretches.push({ start, end: offset })
  return stretches
}
