/** What a list shows of the places that a query found in a sample: a stretch of visible text, and the names of what is hidden. */
import type { Span } from '../text/range.ts'
import type { QueryHit } from './match-query.ts'
import type { TextKind } from './sample-view.ts'

/** Visible text around the first hit, on one line. */
export interface HitExcerpt {
  readonly text: string
  /** The hits in it, in order and without overlaps. UTF-16 code units. */
  readonly marks: readonly Span[]
}

const before = 40 // UTF-16 code units before the first hit: enough to see what it is about

/** About `length` UTF-16 code units around the first hit that users may see; undefined if there is none. */
export function hitExcerpt(hits: readonly QueryHit[], length: number): HitExcerpt | undefined {
  const first = hits.find(({ text }) => !text.isHidden)
  if (!first) return undefined
  const { text } = first.text
  const from = first.span.from <= before ? 0 : wordStart(text, first.span.from - before)
  const spans = joinedSpans(hits.filter((it) => it.text === first.text).map(({ span }) => span))
  const isCut = from > 0
  let line = isCut ? '…' : ''
  const marks: Span[] = []
  let at = from
  let isSpace = true // spaces at the start are left out
  const take = (to: number) => {
    for (; at < to && line.length < length; at++) {
      const it = text[at] ?? ''
      if (/\s/.test(it)) {
        if (!isSpace) line += ' '
        isSpace = true
      } else {
        line += it
        isSpace = false
      }
    }
  }
  for (const span of spans) {
    if (span.to <= from) continue
    take(span.from)
    if (line.length >= length) break
    const start = line.length
    take(span.to)
    if (line.length > start) marks.push({ from: start, to: line.length })
  }
  take(text.length)
  return { text: line, marks }
}

/** The kinds of hidden text that have a hit, in order. */
export function hiddenHits(hits: readonly QueryHit[]): readonly TextKind[] {
  return [...new Set(hits.flatMap(({ text }) => (text.isHidden ? [text.kind] : [])))]
}

/** The start of the word at `offset`, if it is near; a surrogate pair is never cut. */
function wordStart(text: string, offset: number): number {
  for (let at = offset; at > Math.max(0, offset - before); at--) if (/\s/.test(text[at - 1] ?? '')) return at
  return /[\udc00-\udfff]/.test(text[offset] ?? '') ? offset - 1 : offset
}

/** Spans in the order in which they begin, as spans without overlaps. */
function joinedSpans(spans: readonly Span[]): readonly Span[] {
  const joined: { from: number; to: number }[] = []
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return joined
}
