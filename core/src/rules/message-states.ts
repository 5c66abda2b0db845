/** States of a message that silence rules, so that one root cause gives one problem (D16). */

import type { MessageFacts } from '../semantics/message-facts.ts'
import { isCommentary } from '../semantics/message-kind.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import type { MessageContext } from './rule.ts'

/** True if no terminator ends the body: nothing is said about a body that is not finished (D16, D18). */
export function isTruncated({ isMessage, terminator }: MessageFacts): boolean {
  return isMessage && terminator === ControlKind.none
}

/** True if the message has a body and no mistake in its header that would explain what follows from it (D16). */
export function hasSoundHeader({ isMessage, isMalformed }: MessageFacts): boolean {
  return isMessage && !isMalformed
}

/** True for a `tool` message that names no tool, which is a malformed header as well (D25). */
export function lacksToolName({ role, name }: MessageFacts): boolean {
  return role === 'tool' && name === undefined
}

/** True if the assistant ends a message as a call and names no recipient (D11). */
export function lacksRecipient({ role, terminator, hasRecipient }: MessageFacts): boolean {
  return role === 'assistant' && terminator === ControlKind.call && !hasRecipient
}

/** True if the header is sound and misses nothing that must be in it: only then are channel and call id judged (D16). */
export function hasCompleteHeader(facts: MessageFacts): boolean {
  return hasSoundHeader(facts) && !lacksToolName(facts) && !lacksRecipient(facts)
}

/** True in OpenChatML 0.1, which has neither channels nor recipients nor call ids (D3). */
export function isTurn({ segment }: Pick<MessageContext, 'segment'>): boolean {
  return segment.framing.headerEnd === 'line-break'
}

/** True where readers of Harmony matter: under the profile, in Harmony text, and in text that declares nothing. */
export function isForHarmony({ analysis, segment }: Pick<MessageContext, 'analysis' | 'segment'>): boolean {
  if (segment.framing.name === 'harmony') return true
  const { settings } = analysis
  return segment.framing.name === 'openchatml' && (settings.isHarmony || !settings.hasHeader)
}

/** True for commentary of the assistant that has no recipient and nothing that says what it is for. */
export function isSilentCommentary(facts: MessageFacts): boolean {
  if (!isCommentary(facts) || !hasSoundHeader(facts)) return false
  return !facts.hasRecipient && facts.intent === undefined && facts.terminator === ControlKind.end
}
