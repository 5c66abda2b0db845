/** An id for a new call. */
import type { Analysis } from './analysis.ts'
import { factsOf, isCall } from './message-facts.ts'

const messagesLookedAt = 200 // the last call is near; without one, numbering begins anew

/** An id that no call has: the one of the call before `offset`, counted on. */
export function freshCallId(analysis: Analysis, offset: number): string {
  const { transcript, exchanges } = analysis
  let { index } = transcript.segmentAt(offset)
  const last = Math.max(0, index - messagesLookedAt)
  let stem = 'call_'
  let number = 1
  for (; index > last; index--) {
    const { segment, start } = transcript.segment(index)
    const facts = start < offset ? factsOf(segment) : undefined
    const [, word, digits] = (facts && isCall(facts) && /^(.*?)(\d{1,9})$/.exec(facts.callId ?? '')) || []
    if (word === undefined || digits === undefined) continue
    stem = word
    number = Number(digits) + 1
    break
  }
  while (exchanges.withId(`${stem}${number}`).length > 0) number++
  return `${stem}${number}`
}
