/** Where messages and their bodies are, for commands that move the cursor, select, copy and fold. */
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { placeAt } from '../semantics/place.ts'
import { isVisible } from '../semantics/visibility.ts'
import { renderedBody } from '../syntax/body.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Range } from '../text/range.ts'

/** Where the next message after `offset` starts; undefined after the last one. */
export function nextMessage(analysis: Analysis, offset: number): number | undefined {
  const { index } = placeAt(analysis, offset)
  for (const { segment, start } of analysis.transcript.segments(index)) {
    if (segment.kind === 'message' && start > offset) return start
  }
  return undefined
}

/** Where the message starts in which `offset` is, or from its start the one before; undefined before the first one. */
export function previousMessage(analysis: Analysis, offset: number): number | undefined {
  for (let { index } = placeAt(analysis, offset); index >= 0; index--) {
    const { segment, start } = analysis.transcript.segment(index)
    if (segment.kind === 'message' && start < offset) return start
  }
  return undefined
}

/** The message at `offset`, without the white space after it. */
export function messageRange(analysis: Analysis, offset: number): Range | undefined {
  const { segment, start } = placeAt(analysis, offset)
  return segment.kind === 'message' ? { start, end: start + viewMessage(segment).end } : undefined
}

/** The body of the message at `offset`, as it is written. */
export function bodyRange(analysis: Analysis, offset: number): Range | undefined {
  const { segment, start } = placeAt(analysis, offset)
  const body = segment.kind === 'message' ? viewMessage(segment).body : undefined
  return body && { start: start + body.from, end: start + body.to }
}

/** The body of the message at `offset` as meant: escapes resolved, marks of literal blocks removed. */
export function bodyAt(analysis: Analysis, offset: number): string | undefined {
  const { segment } = placeAt(analysis, offset)
  return segment.kind === 'message' && viewMessage(segment).body ? renderedBody(segment) : undefined
}

/** The messages that no end user sees, in document order, made one by one. */
export function* hiddenMessages(analysis: Analysis): IterableIterator<Range> {
  for (const { segment, start } of analysis.transcript.segments()) {
    const facts = factsOf(segment)
    if (facts && !isVisible(facts)) yield { start, end: start + viewMessage(segment).end }
  }
}
