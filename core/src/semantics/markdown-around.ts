/** The blocks of a Markdown body around a place: what a growing selection goes through. */
import { markdownBlocks } from '../embedded/markdown-blocks.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { afterLineBreak, lineStartAt, nextLineBreak } from '../text/line-breaks.ts'
import type { Range, Span } from '../text/range.ts'
import { isMarkdown, withoutLiterals } from './body-parts.ts'
import { factsOf } from './message-facts.ts'
import { visibleEnd } from './message-folds.ts'

const longestText = 200_000 // code units; beyond that, selections do not grow block by block
const sectionsAtMost = 1000

/** The lines without an empty one between, the code between fences, and the sections that contain `offset`; in no order. */
export function markdownBlocksAround(segment: Segment, offset: number): readonly Span[] {
  const facts = factsOf(segment)
  const { body } = viewMessage(segment)
  if (!facts || !body || !isMarkdown(facts) || segment.length > longestText) return []
  if (offset < body.from || body.to < offset) return []
  const text = withoutLiterals(segment, body)
  const { sections, fences } = markdownBlocks(text, { sections: sectionsAtMost })
  const code = fences.map((fence) => withoutFences(text, fence))
  const at = offset - body.from
  const isAround = ({ start, end }: Range) => start <= at && at <= end
  const paragraph = paragraphAt(text, at, code.find(isAround) ?? { start: 0, end: text.length })
  return [paragraph, ...code, ...fences, ...sections].filter(isAround).map(({ start, end }) => ({
    from: body.from + start,
    to: body.from + visibleEnd(text, end),
  }))
}

/** The lines around `offset` up to an empty one on each side, or to an end of `around`. */
function paragraphAt(text: string, offset: number, around: Range): Range {
  let { start } = around
  for (let line = start; ; ) {
    const end = nextLineBreak(text, line, around.end)
    const isEmpty = text.slice(line, end).trim() === ''
    if (isEmpty && offset <= end) return { start, end: line }
    if (end === around.end) return { start, end }
    line = afterLineBreak(text, end)
    if (isEmpty) start = line
  }
}

/** What is between the fences in the first and the last line. */
function withoutFences(text: string, { start, end }: Range): Range {
  const first = nextLineBreak(text, start, end)
  return { start: first < end ? afterLineBreak(text, first) : end, end: lineStartAt(text, end, start) }
}
