/** Two calls with one id. */

import { freshCallId } from '../../semantics/fresh-call-id.ts'
import { viewMessage } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { example } from '../example.ts'
import { onDemand } from '../finding-on-demand.ts'
import { attributeNamed, attributeOrRole } from '../message-header-places.ts'
import { hasSoundHeader, isTurn } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { ExchangeContext, ExchangeRule, Finding, Fix } from '../rule.ts'

/** An id is unique in the whole transcript (2.2 §8.1, D12). */
export const duplicateCallId: ExchangeRule = {
  name: 'duplicate-call-id',
  code: 'E-CALL-ID-DUPLICATE',
  severity: 'error',
  scope: 'exchange',
  section: '2.2 §8.1, D12',
  summary: 'A call reuses the ID of an earlier call',
  why: 'A reply names its call only by its ID, so two calls with the same ID cannot be distinguished, even long after the first was answered.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>assistant to=functions.g call_id=c1<|channel|>commentary<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>assistant to=functions.g call_id=c2<|channel|>commentary<|message|>{}<|call|>
  `,
  check(context) {
    const { exchange, facts } = context
    if (exchange.problem?.kind !== 'duplicate-id' || facts.callId === undefined) return undefined
    if (!hasSoundHeader(facts) || isTurn(context)) return undefined
    const { first } = exchange.problem
    const id = facts.callId
    return onDemand(() => findingOf(context, id, first))
  },
}

function findingOf(context: ExchangeContext, id: string, first: Segment): Finding {
  const { view } = context
  const span = attributeNamed(view, 'call_id')?.value?.span ?? attributeOrRole(view, 'call_id')
  return {
    span,
    message: localize`Duplicate \`call_id\` ${quoted(id)}; another call already uses it`,
    // Which ids are free depends on messages anywhere, so the fix is made when it is asked for.
    get fixes() {
      return replacements(context, span)
    },
    related: [
      {
        segment: first,
        span: attributeOrRole(viewMessage(first), 'call_id'),
        message: localize`The first call with this ID`,
      },
    ],
  }
}

/** A free id; a reply that the call has already is given the same one in the next step. */
function replacements({ analysis, segment }: ExchangeContext, span: Span): readonly Fix[] {
  const place = analysis.transcript.locate(segment)
  if (!place) return []
  const id = freshCallId(analysis, place.start + 1)
  return [{ title: localize`Replace with ${quoted(id)}`, edits: [{ span, text: id }], isSafe: false }]
}
