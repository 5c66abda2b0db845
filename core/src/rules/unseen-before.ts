/**
 * What the assistant wrote for itself before a message that the user sees: the hidden messages since the last visible
 * one. Each hidden message is behind at most one visible one in this sense, so looking at all of them is linear.
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

/** The hidden messages of the assistant before `segment` since the last message that the user wrote or saw, nearest first. */
export function unseenBefore({ transcript }: Analysis, segment: Segment): readonly Segment[] {
  const place = transcript.locate(segment)
  const unseen: Segment[] = []
  let length = 0
  if (!place) return unseen
  for (let index = place.index - 1; index >= 0 && place.index - index <= farthest; index--) {
    const before = transcript.segment(index).segment
    const facts = factsOf(before)
    if (!facts) continue
    if (ends(facts)) break
    if (facts.role !== 'assistant' || !facts.isMessage || isCall(facts)) continue
    length += before.length
    if (length > mostText) break
    unseen.push(before)
  }
  return unseen
}

/** The message that is judged by `segment` or by what stood directly before it; undefined if there is none. */
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
