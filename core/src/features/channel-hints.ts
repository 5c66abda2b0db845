/** The channel of assistant messages that name none, which is final (2.2 §5): shown where it would be. */
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Range } from '../text/range.ts'

/** The effective channel of a message that names none. */
export interface ChannelHint {
  /** Offset in the document: where the channel would be. */
  readonly offset: number
  /** The channel. */
  readonly label: string
}

/** The hints for the messages that touch `range`, in document order, made one by one. */
export function* channelHints(analysis: Analysis, range: Range): IterableIterator<ChannelHint> {
  const { transcript, dialect } = analysis
  if (dialect === '1.x') return // there are no channels
  const first = transcript.segmentAt(Math.max(0, Math.min(range.start, transcript.length)))
  for (const { segment, start } of transcript.segments(first.index)) {
    if (start > range.end) return
    const facts = factsOf(segment)
    // Everybody else speaks on one channel only; a malformed header has its problem instead.
    if (!facts?.isMessage || facts.role !== 'assistant' || facts.hasChannel || facts.isMalformed) continue
    const { message } = viewMessage(segment)
    if (message && facts.channel) yield { offset: start + message.from, label: facts.channel }
  }
}
