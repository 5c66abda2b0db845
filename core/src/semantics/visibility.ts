/**
 * The only place that decides what an end user may see (D15). It is a whitelist: whatever is not listed is hidden,
 * and whatever is in doubt is hidden too.
 */

import { piecesBetween, renderedPieces } from '../syntax/body.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { everyone, preambleIntent } from '../vocabulary/attributes.ts'
import type { ContentPart, DecidingFacts } from './message.ts'
import { factsOf, isCall, type MessageFacts } from './message-facts.ts'
import { partedBody, textOf } from './parted-body.ts'

/** Why a message is hidden. */
export type HiddenReason =
  | 'no-message'
  | 'role'
  | 'unknown-role'
  | 'unknown-channel'
  | 'doubtful-header'
  | 'analysis'
  | 'commentary'
  | 'call'
  | 'recipient'
  | 'private-blocks'

/** What decides by its body who sees a message. */
export type JudgedBody = Pick<MessageFacts, 'isArguments' | 'isPrivateOnly'>

/** True if an end user may see the message with these facts (D15). */
export function isVisible(facts: MessageFacts): boolean {
  return hiddenReason(facts) === undefined
}

/** Why the message with these facts is hidden, or undefined if an end user may see it. */
export function hiddenReason(facts: MessageFacts): HiddenReason | undefined
/** The same for a message whose body is judged apart from its header. */
export function hiddenReason(facts: DecidingFacts, body: JudgedBody): HiddenReason | undefined
/** Both. */
export function hiddenReason(
  facts: DecidingFacts,
  body: JudgedBody = facts as MessageFacts, // so says the first signature
): HiddenReason | undefined {
  if (!facts.isMessage) return 'no-message'
  if (facts.role === undefined) return 'unknown-role'
  if (facts.role !== 'user' && facts.role !== 'assistant') return 'role'
  if (facts.channel === undefined) return 'unknown-channel'
  if (facts.isDoubtful) return 'doubtful-header'
  if (facts.channel === 'analysis') return 'analysis'
  if (facts.role === 'user') {
    if (facts.channel !== 'final') return 'commentary'
  } else {
    // A call that lost its recipient looks like one. Prose that merely ends in `<|call|>` is an answer with the wrong
    // terminator: were it hidden, no answer could be shown before its last token has arrived (2.2 §9).
    if (isCall(facts) || body.isArguments) return 'call'
    if (facts.hasRecipient && !isPersonSeeing(facts.to)) return 'recipient'
    if (facts.channel === 'commentary' && facts.intent !== preambleIntent) return 'commentary'
  }
  return body.isPrivateOnly ? 'private-blocks' : undefined
}

/** An assistant message may name the user as recipient, or Harmony's `all`; to itself or to someone unknown, it is in doubt. */
function isPersonSeeing(recipient: string | undefined): boolean {
  return recipient === 'user' || recipient === everyone
}

/** What an end user sees of `segment`: private blocks are cut out (D3). Empty if the message is hidden. */
export function visiblePieces(segment: Segment): readonly ContentPart[] {
  const facts = factsOf(segment)
  if (!facts || !isVisible(facts)) return []
  if (facts.isPlainBody) {
    const { text, plainBodyStart, plainBodyEnd } = segment
    if (plainBodyEnd > 0) return [{ kind: 'text', text: text.slice(plainBodyStart, plainBodyEnd) }]
    const { body } = viewMessage(segment)
    return body ? [{ kind: 'text', text: text.slice(body.from, body.to) }] : []
  }
  return partedBody(renderedPieces(segment), facts.role).shown
}

/** {@link visiblePieces} between each two of `cuts`, which are in the body and in order. All of it is {@link visiblePieces}. */
export function visiblePiecesBetween(
  segment: Segment,
  cuts: readonly number[],
): readonly (readonly ContentPart[])[] {
  const facts = factsOf(segment)
  if (!facts || !isVisible(facts)) return []
  return piecesBetween(segment, cuts).map((pieces) => partedBody(pieces, facts.role).shown)
}

/** What an end user sees of `segment` as one text; undefined if the message is hidden. */
export function visibleText(segment: Segment): string | undefined {
  const facts = factsOf(segment)
  if (!facts || !isVisible(facts)) return undefined
  return textOf({ content: visiblePieces(segment) })
}
