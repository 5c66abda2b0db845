/** A call or reply without id. */

import { factsOf } from '../../semantics/message-facts.ts'
import { localize } from '../../text/localize.ts'
import { missingIdSeverity } from '../call-id-requirement.ts'
import { example } from '../example.ts'
import { onDemand } from '../finding-on-demand.ts'
import { attributeInsertion, attributeNamed, insertion, roleSpan } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { ExchangeContext, ExchangeRule, Fix, SpanEdit } from '../rule.ts'

/** A call carries an id, and its reply echoes it (2.2 §8.1, D12). */
export const missingCallId: ExchangeRule = {
  name: 'missing-call-id',
  code: 'E-CALL-ID-MISSING',
  severity: 'error',
  scope: 'exchange',
  section: '2.2 §6, §8.1, D12',
  summary: 'A call or a reply is missing its `call_id`',
  why: 'The ID links a call and its reply, in whatever order replies arrive.\nWithout it, they are paired by tool and order, which can go wrong if a tool is called twice.\nA missing ID is an error if the header declares version 2.1 or later, a warning under the Harmony profile or if other messages have IDs, and not a problem in 2.0, which has no IDs.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=call_1<|channel|>commentary<|message|>{}<|call|>
  `,
  check(context) {
    const severity = missingIdSeverity(context)
    if (severity === undefined) return undefined
    return onDemand(() => ({
      span: roleSpan(context.view),
      severity,
      message:
        context.exchange.kind === 'call'
          ? localize`Tool call is missing \`call_id\``
          : localize`Tool reply is missing \`call_id\``,
      // Which ids are free depends on messages anywhere, so the fix is made when it is asked for.
      get fixes() {
        return insertions(context)
      },
    }))
  },
}

function insertions(context: ExchangeContext): readonly Fix[] {
  const { kind, partner } = context.exchange
  const partnerId = partner && factsOf(partner)?.callId
  const id = partnerId ?? (kind === 'call' ? freshId(context) : undefined)
  if (id === undefined) return []
  const attribute = quoted(`call_id=${id}`)
  const title = titleFor(attribute, partnerId === undefined ? undefined : kind)
  return [{ title, edits: [idInsertion(context, id)], isSafe: false }]
}

function titleFor(attribute: string, kindWithPartner: 'call' | 'reply' | undefined): string {
  switch (kindWithPartner) {
    case 'call':
      return localize`Insert ${attribute}, the ID of the reply`
    case 'reply':
      return localize`Insert ${attribute}, the ID of the call`
    default:
      return localize`Insert ${attribute}`
  }
}

/** An id that no other message has. */
function freshId({ analysis }: ExchangeContext): string {
  let number = analysis.messagesWithId + 1
  while (analysis.exchanges.withId(`call_${number}`).length > 0) number++
  return `call_${number}`
}

/** In a reply the id is after the tool's name. */
function idInsertion({ view }: ExchangeContext, id: string): SpanEdit {
  const name = attributeNamed(view, 'name')
  if (!name?.value || name.isBehindChannel) return attributeInsertion(view, 'call_id', id)
  return insertion(name.value.span.to, ` call_id=${id}`)
}
