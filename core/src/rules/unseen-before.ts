/**
 * What the assistant wrote for itself before a message that the user sees: the hidden messages since the last visible
 * one. Each hidden message is after at most one visible one in this sense, so looking at all of them is linear.
 */
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf, isCall, type MessageFacts } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import type { Segment } from '../syntax/segment.ts'

const farthest = 256 // segments: a keystroke in a long run of hidden messages looks at so many at most
const mostText = 1 << 18 // UTF-16 code units: about what can be searched within a few milliseconds

/** True for what the user sees of the assistant: such a message is judged by {@link unseenBefore}. */
export function isSeen(facts: MessageFacts): boolean {
  return facts.role === 'assistant' && isVisible(facts)
}

/**
 * The hidden messages of the assistant before the segment at `index`, since the last message that the user wrote or
 * saw; nearest first.
 */
export function unseenBefore({ transcript }: Analysis, index: number): readonly Segment[] {
  const unseen: Segment[] = []
  let left = farthest
  let length = 0
  transcript.findLastSegment((segment) => {
    const facts = factsOf(segment)
    if (facts && ends(facts)) return true
    if (facts?.role === 'assistant' && facts.isMessage && !isCall(facts)) {
      length += segment.length
      if (length > mostText) return true
      unseen.push(segment)
    }
    return --left === 0
  }, index)
  return unseen
}

/** The message that is judged by `segment` or by what was directly before it; undefined if there is none. */
export function seenBehind({ transcript }: Analysis, segment: Segment): Segment | undefined {
  const place = transcript.locate(segment)
  if (!place) return undefined
  const last = Math.min(transcript.segmentCount, place.index + farthest) - 1
  for (let index = place.index; index <= last; index++) {
    const { segment: behind } = transcript.segment(index)
    const facts = factsOf(behind)
    if (facts && ends(facts)) return isSeen(facts) ? behind : undefined
  }
  return undefined
}

function ends(facts: MessageFacts): boolean {
  return facts.role === 'user' || isSeen(facts)
}
