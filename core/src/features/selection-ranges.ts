/** What to select next when a selection grows: word, token, attribute, header or parts of the body, message, turn, document. */

import type { HeaderEntry } from '../embedded/yaml-header.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { jsonValuesAround } from '../semantics/json-values.ts'
import { markdownBlocksAround } from '../semantics/markdown-around.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { type Place, placeAt } from '../semantics/place.ts'
import { messageView } from '../syntax/message-view.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { eachToken, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import type { Range, Span } from '../text/range.ts'

/** The ranges around `offset`, each within the next one, the smallest first; the last one is the document. */
export function selectionRanges(analysis: Analysis, offset: number): readonly Range[] {
  const { length } = analysis.transcript
  const place = placeAt(analysis, offset)
  const inSegment = spansAround(analysis, place).map(({ from, to }) => ({
    start: place.start + from,
    end: place.start + to,
  }))
  const document = { start: 0, end: length }
  return nested([...inSegment, ...turnAround(analysis, place), document], Math.min(offset, length))
}

function spansAround({ header }: Analysis, place: Place): readonly Span[] {
  const { segment, token } = place
  const spans: Span[] = [wordAround(segment, place.offset)]
  if (token) spans.push(token)
  if (segment.kind === 'preamble') {
    const { yaml } = preambleView(segment)
    if (yaml) spans.push(...entriesAround(header, place.offset), yaml)
  }
  if (segment.kind === 'message') {
    const { attributes, channel, constraint, message, body, terminator, end } = messageView(segment)
    for (const { name, value } of attributes)
      spans.push({ from: name.span.from, to: value?.span.to ?? name.span.to + 1 })
    for (const part of [channel, constraint]) {
      if (part) spans.push({ from: part.marker.from, to: part.value?.span.to ?? part.marker.to })
    }
    if (message) spans.push({ from: 0, to: message.from })
    if (body) spans.push(...partsOfBody(place))
    if (body) spans.push(body, { from: message?.from ?? body.from, to: terminator?.span.to ?? body.to })
    spans.push({ from: 0, to: end })
  }
  return [...spans, { from: 0, to: segment.length }]
}

/** Keys and items of the YAML header with what is in them, and their values. */
function entriesAround({ yaml, offset: base }: Analysis['header'], offset: number): readonly Span[] {
  const spans: Span[] = []
  for (let { entries }: { entries: readonly HeaderEntry[] } = yaml; ; ) {
    const entry = entries.find(({ range }) => range.start <= offset - base && offset - base <= range.end)
    if (!entry) return spans
    for (const { start, end } of [entry.range, entry.keyRange ?? entry.range, entry.valueRange]) {
      spans.push({ from: base + start, to: base + end })
    }
    entries = entry.children
  }
}

/** Values of JSON, or blocks of Markdown and the literal block. */
function partsOfBody({ segment, offset }: Place): readonly Span[] {
  const values = jsonValuesAround(segment, offset)
  return values.length > 0
    ? values
    : [...markdownBlocksAround(segment, offset), ...literalAround(segment, offset)]
}

/** The literal block with its marks. */
function literalAround(segment: Segment, offset: number): readonly Span[] {
  let from = segment.length
  for (const { kind, ...token } of eachToken(tokensOf(segment))) {
    if (kind === TokenKind.literal) from = token.from
    if (from > offset) continue
    if (kind === TokenKind.endLiteral && offset <= token.to) return [{ from, to: token.to }]
  }
  return []
}

const wordLimit = 200 // code units to each side

function wordAround({ text }: Segment, offset: number): Span {
  // Linear: the text is at most `wordLimit` code units long.
  const before = /[\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(0, offset - wordLimit), offset))
  const behind = /^[\p{L}\p{N}_]*/u.exec(text.slice(offset, offset + wordLimit))
  return { from: offset - (before?.[0].length ?? 0), to: offset + (behind?.[0].length ?? 0) }
}

const turnAtMost = 1000 // messages to each side; a point request does not walk the document

/** From the user message before to the one after. */
function turnAround({ transcript }: Analysis, { index, segment }: Place): readonly Range[] {
  if (segment.kind !== 'message') return []
  let first = index
  while (first > 1 && index - first < turnAtMost && !isUser(transcript.segment(first).segment)) first--
  let end = transcript.length
  for (const located of transcript.segments(index + 1)) {
    if (located.index - index > turnAtMost) return []
    if (!isUser(located.segment)) continue
    end = located.start
    break
  }
  return isUser(transcript.segment(first).segment) ? [{ start: transcript.segment(first).start, end }] : []
}

function isUser(segment: Segment): boolean {
  return factsOf(segment)?.role === 'user'
}

/** Those that contain the place and grow. */
function nested(ranges: readonly Range[], offset: number): readonly Range[] {
  const around = ranges.filter(({ start, end }) => start <= offset && offset <= end && start < end)
  around.sort((one, other) => one.end - one.start - (other.end - other.start))
  const chain: Range[] = []
  for (const range of around) {
    const inner = chain.at(-1)
    if (!inner) chain.push(range)
    else if (range.start <= inner.start && inner.end <= range.end && size(range) > size(inner))
      chain.push(range)
  }
  return chain.length > 0 ? chain : [{ start: offset, end: offset }]
}

function size({ start, end }: Range): number {
  return end - start
}
