/** A reply that answers no open call. */

import type { ExchangeProblem } from '../../semantics/exchange.ts'
import { factsOf, isCall, toolNameOf } from '../../semantics/message-facts.ts'
import { viewMessage } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { withoutFunctionPrefix } from '../../vocabulary/roles.ts'
import { missingIdSeverity } from '../call-id-requirement.ts'
import { closestWord } from '../closest-word.ts'
import { example } from '../example.ts'
import { onDemand } from '../finding-on-demand.ts'
import { attributeNamed, attributeOrRole } from '../message-header-places.ts'
import { hasCompleteHeader, isTurn } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { ExchangeContext, ExchangeRule, Finding, Fix, RelatedSpan } from '../rule.ts'

/** A reply belongs to a call that is before it and waits for it (2.2 §8.1, D12). */
export const unmatchedCallId: ExchangeRule = {
  name: 'unmatched-call-id',
  code: 'E-CALL-ID-UNMATCHED',
  severity: 'error',
  scope: 'exchange',
  section: '2.2 §8.1, D12',
  summary: 'A reply does not answer an open call',
  why: 'No call has this ID, or the call was already answered or comes later.\nA model that reads the transcript sees a result that was not requested, and many runtimes reject it.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c2 to=assistant<|channel|>commentary<|message|>1<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>1<|end|>
  `,
  check(context) {
    const { exchange, facts } = context
    if (exchange.kind !== 'reply' || !hasCompleteHeader(facts) || isTurn(context)) return undefined
    if (exchange.problem) return findingById(context, exchange.problem)
    if (exchange.partner || facts.callId !== undefined || !isSurplus(context)) return undefined
    const tool = quoted(toolNameOf(facts) ?? '')
    return onDemand(() => ({
      span: attributeOrRole(context.view, 'name'),
      message: localize`There is no open call to ${tool} before this reply`,
      ...severityIn(context),
    }))
  },
}

/**
 * True for a reply without id that finds no call. An excerpt without header may begin with a reply, as the
 * examples of Harmony's guide do; where the tool is called at all, or a header begins the transcript, it is not one.
 */
function isSurplus(context: ExchangeContext): boolean {
  const { analysis, facts } = context
  const tool = toolNameOf(facts)
  if (tool === undefined || missingIdSeverity(context) !== undefined) return false
  return analysis.settings.hasHeader || analysis.exchanges.isCalled(tool)
}

function findingById(context: ExchangeContext, problem: ExchangeProblem): Finding | undefined {
  const { callId } = context.facts
  if (problem.kind === 'duplicate-id' || callId === undefined) return undefined
  return onDemand(() => findingOf(context, { problem, callId }))
}

/** Samples of other forms pair replies by their order too, so that nothing there is an error. */
function severityIn({ sample }: ExchangeContext): Pick<Finding, 'severity'> {
  return sample?.hasHeaders === false ? { severity: 'warning' } : {}
}

interface UnmatchedId {
  readonly problem: Exclude<ExchangeProblem, { kind: 'duplicate-id' }>
  readonly callId: string
}

function findingOf(context: ExchangeContext, { problem, callId }: UnmatchedId): Finding {
  const { view, exchange } = context
  const span = attributeNamed(view, 'call_id')?.value?.span ?? attributeOrRole(view, 'call_id')
  const shown = quoted(callId)
  const severity = severityIn(context)
  switch (problem.kind) {
    case 'before-call':
      return {
        span,
        ...severity,
        message: localize`The reply comes before its call ${shown}`,
        related: [placeOf(problem.call, localize`The call`)],
      }
    case 'already-answered':
      return {
        span,
        ...severity,
        message: localize`The call ${shown} already has a reply`,
        get fixes() {
          return replacements(context, span)
        },
        related: [
          placeOf(problem.call, localize`The call`),
          placeOf(problem.reply, localize`The first reply to it`),
        ],
      }
    case 'no-such-call':
      return {
        span,
        ...severity,
        message: localize`Unknown \`call_id\` ${shown}`,
        // Which calls are open depends on messages anywhere, so the fix is made when it is asked for.
        get fixes() {
          return replacements(context, span)
        },
        // The call that the tool's name points to.
        related: exchange.partner ? [placeOf(exchange.partner, localize`An open call of the tool`)] : [],
      }
    default:
      return problem satisfies never
  }
}

/** A replacement by the id of the open call before the reply that was probably meant. */
function replacements(context: ExchangeContext, span: Span): readonly Fix[] {
  const open = openCallIds(context)
  const id = closestWord(context.facts.callId ?? '', open) ?? (open.length === 1 ? open[0] : undefined)
  if (id === undefined) return []
  return [{ title: localize`Replace with ${quoted(id)}`, edits: [{ span, text: id }], isSafe: false }]
}

/** The ids of calls of the same tool that are shortly before the reply and wait for one, the nearest first. */
function openCallIds({ analysis, facts, segment }: ExchangeContext): readonly string[] {
  const { transcript, exchanges } = analysis
  const name = toolNameOf(facts)
  const place = transcript.locate(segment)
  const ids: string[] = []
  if (name === undefined || !place) return ids
  const tool = withoutFunctionPrefix(name)
  for (let index = place.index - 1; index >= 0 && index >= place.index - lookedBack; index--) {
    const other = transcript.segment(index).segment
    const call = factsOf(other)
    if (!call || !isCall(call) || withoutFunctionPrefix(call.to ?? '') !== tool) continue
    const partner = exchanges.exchange(other)?.partner
    // A call that is paired with this very reply by tool still waits for its id.
    if (call.callId !== undefined && (!partner || partner === segment)) ids.push(call.callId)
  }
  return ids
}

const lookedBack = 32 // messages; a reply follows its call closely

function placeOf(segment: Segment, message: string): RelatedSpan {
  return { segment, span: attributeOrRole(viewMessage(segment), 'call_id'), message }
}
