/** Runtime codes that a reply reports (D20): they are data, shown on the reply and on its call. */

import { factsOf } from '../semantics/message-facts.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize, localized } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import { attributeOrRole } from './message-header-places.ts'
import { isTruncated } from './message-states.ts'
import type { ExchangeContext, Finding } from './rule.ts'

/** What is said of a call, and of its reply; localizable. */
export interface EventMessages {
  readonly ofCall: string
  readonly ofReply: string
}

/** Where the body of the reply or of the call's reply has `code`; `messages` are what is then said of either. */
export function toolEvent(
  context: ExchangeContext,
  code: string,
  messages: EventMessages,
): Finding | undefined {
  const { exchange, segment } = context
  const reply = exchange.kind === 'reply' ? segment : exchange.partner
  const place = reply && placeInBody(reply, code)
  if (!reply || !place) return undefined
  if (exchange.kind === 'call') {
    const span = attributeOrRole(context.view, 'to')
    return {
      span,
      message: localized(messages.ofCall),
      related: [{ segment: reply, span: place, message: localize`The reply` }],
    }
  }
  const call = exchange.partner
  return {
    span: place,
    message: localized(messages.ofReply),
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
