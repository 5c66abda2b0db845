/** Where call ids are: the features that follow a call to its reply share this. */

import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range } from '../text/range.ts'
import type { Analysis } from './analysis.ts'
import { factsOf } from './message-facts.ts'
import { nearest } from './nearest.ts'
import { tokensTouching } from './place.ts'

/** A call id in the text. */
export interface CallIdPlace {
  readonly id: string
  readonly segment: Segment
  /** The value, without `call_id=`. */
  readonly range: Range
  /** With `call_id=`. */
  readonly whole: Range
}

/** The name of the attribute that holds a call id. */
const callIdAttribute = 'call_id'

/** The call id that counts in `segment`, or undefined. */
export function callIdIn(analysis: Analysis, segment: Segment): CallIdPlace | undefined {
  const id = factsOf(segment)?.callId
  const located = id === undefined ? undefined : analysis.transcript.locate(segment)
  if (id === undefined || !located) return undefined
  const attribute = viewMessage(segment).attributes.find(({ name }) => name.text === callIdAttribute)
  if (!attribute?.value) return undefined
  const { from, to } = attribute.value.span
  const end = located.start + to
  const whole = { start: located.start + attribute.name.span.from, end }
  return { id, segment, range: { start: located.start + from, end }, whole }
}

/** The call id that touches `offset`, on its name or its value. */
export function callIdAt(analysis: Analysis, offset: number): CallIdPlace | undefined {
  for (const { segment, start, token } of tokensTouching(analysis, offset)) {
    const place = callIdIn(analysis, segment)
    if (!place) continue
    const tokenStart = start + token.from
    if (place.whole.start <= tokenStart && tokenStart <= place.range.start) return place
  }
  return undefined
}

/** The places of the same id as `place`, in document order; at most `atMost`, the nearest ones. */
export function callIdPlaces(
  analysis: Analysis,
  { id, segment }: CallIdPlace,
  atMost: number,
): readonly CallIdPlace[] {
  const segments = nearest(analysis.exchanges.withId(id), segment, atMost)
  return segments.flatMap((it) => callIdIn(analysis, it) ?? [])
}
