/** Where messages end: the place of what is told of a whole message. */
import type { Analysis } from '../semantics/analysis.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range } from '../text/range.ts'

/** A message, and where it ends. */
export interface MessageEndPlace {
  readonly segment: Segment
  /** Offset in the document, after the terminator. */
  readonly offset: number
}

/** The messages that touch `range`, in document order, made one by one. Headers without message, too. */
export function* messageEnds({ transcript }: Analysis, range: Range): IterableIterator<MessageEndPlace> {
  const first = transcript.segmentAt(Math.max(0, Math.min(range.start, transcript.length)))
  for (const { segment, start } of transcript.segments(first.index)) {
    if (start > range.end) return
    if (segment.kind === 'message') yield { segment, offset: start + viewMessage(segment).end }
  }
}
