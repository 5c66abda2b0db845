/** An id for a new call. */
import type { Analysis } from './analysis.ts'
import { factsOf, isCall } from './message-facts.ts'

const messagesLookedAt = 50 // the last call is near; without one, numbering starts over

/** An id that no call has: the one of the call before `offset`, counted on. */
export function freshCallId(analysis: Analysis, offset: number): string {
  const { transcript } = analysis
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
  return `${stem}${freeNumber(analysis, stem, number)}`
}

/** Numbers in use after a stem, both ends included. */
interface Run {
  readonly first: number
  readonly last: number
}

const runs = new WeakMap<Analysis, { readonly version: number; readonly byStem: Map<string, Run> }>()

/** The first number from `wanted` on that no id has. The run found last is remembered: many fixes ask for the same one. */
function freeNumber(analysis: Analysis, stem: string, wanted: number): number {
  const { exchanges, transcript } = analysis
  let known = runs.get(analysis)
  if (known?.version !== transcript.version) {
    known = { version: transcript.version, byStem: new Map() }
    runs.set(analysis, known)
  }
  const run = known.byStem.get(stem)
  const isInside = run !== undefined && run.first <= wanted && wanted <= run.last
  let number = isInside ? run.last + 1 : wanted
  while (exchanges.withId(`${stem}${number}`).length > 0) number++
  if (!isInside && number > wanted) known.byStem.set(stem, { first: wanted, last: number - 1 })
  return number
}
