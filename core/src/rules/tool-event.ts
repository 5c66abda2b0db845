/** Runtime codes that a reply reports (D20): they are data, shown on the reply and on its call. */

import { factsOf } from '../semantics/message-facts.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import { attributeOrRole } from './message-header-places.ts'
import { isTruncated } from './message-states.ts'
import type { ExchangeContext, Finding } from './rule.ts'

/** Where the body of the reply or of the call's reply has `code`; `says` tells what that means for the call, in a sentence. */
export function toolEvent(context: ExchangeContext, code: string, says: () => string): Finding | undefined {
  const { exchange, segment } = context
  const reply = exchange.kind === 'reply' ? segment : exchange.partner
  const place = reply && placeInBody(reply, code)
  if (!reply || !place) return undefined
  const happened = says()
  if (exchange.kind === 'call') {
    const span = attributeOrRole(context.view, 'to')
    return {
      span,
      message: localize`${happened}, as its reply reports`,
      related: [{ segment: reply, span: place, message: localize`The reply` }],
    }
  }
  const call = exchange.partner
  return {
    span: place,
    message: localize`The reply reports that ${happened.charAt(0).toLowerCase()}${happened.slice(1)}`,
    related: call
      ? [{ segment: call, span: attributeOrRole(viewMessage(call), 'to'), message: localize`The call` }]
      : [],
  }
}

function placeInBody(segment: Segment, code: string): Span | undefined {
  if (!segment.text.includes(code)) return undefined
  const facts = factsOf(segment)
  if (!facts?.isMessage || isTruncated(facts)) return undefined
  const { body, isCut } = viewMessage(segment)
  if (!body || isCut) return undefined
  const { text } = segment
  for (let from = text.indexOf(code, body.from); from !== -1; from = text.indexOf(code, from + 1)) {
    const to = from + code.length
    if (to > body.to) return undefined
    if (!partOfName.test(text.charAt(from - 1)) && !partOfName.test(text.charAt(to))) return { from, to }
  }
  return undefined
}

/** The code may be the beginning of another one. */
const partOfName = /[\w-]/
