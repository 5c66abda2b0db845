/** What the rest of the program needs to know of a message, in one small object that every message keeps. */

import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import { perSegment, type Segment } from '../syntax/segment.ts'
import { isToolRecipient } from '../vocabulary/attributes.ts'
import { isReplyRole } from '../vocabulary/roles.ts'
import type { MessageFacts } from './facts-record.ts'
import { regularFacts } from './regular-facts.ts'
import { factsOfView } from './view-facts.ts'

export type { MessageFacts } from './facts-record.ts'

/** The facts of `segment`, remembered with it; undefined for segments that are no message. */
export function factsOf(segment: Segment): MessageFacts | undefined {
  return segment.kind === 'message' ? messageFacts(segment) : undefined
}

/** True if the assistant addresses a tool: the message is a call. */
export function isCall(facts: Pick<MessageFacts, 'isMessage' | 'role' | 'to'>): boolean {
  return facts.isMessage && isToolCall(facts.role, facts.to)
}

/** The only place that decides what a call is: a message of `role` to the recipient `to`. */
export function isToolCall(role: string | undefined, to: string | undefined): boolean {
  return role === 'assistant' && to !== undefined && isToolRecipient(to)
}

/** True for the header of a call, as far as it is written. */
export function isCallHeader({ role, attributes }: MessageView): boolean {
  return isToolCall(role, attributes.find(({ name }) => name.text === 'to')?.value?.text)
}

/** True for a tool's reply. */
export function isReply(facts: MessageFacts): boolean {
  return facts.isMessage && facts.role === 'tool'
}

/**
 * True for a message that a tool may have written under its own name, where the name is no role that every
 * transcript knows. It is hidden like all messages of unknown roles, but it answers its call (D5, D16).
 */
export function isNamedReply(facts: MessageFacts): boolean {
  return facts.isMessage && facts.role === undefined && isNamedReplyHeader(facts)
}

/** The same for the header of a message whose role is unknown. */
export function isNamedReplyHeader({
  roleWord,
  to,
  callId,
}: {
  readonly roleWord: string | undefined
  readonly to: string | undefined
  readonly callId: string | undefined
}): boolean {
  return roleWord !== undefined && (roleWord.includes('.') || to === 'assistant' || callId !== undefined)
}

/** True if the role that the format does not know is a tool that the header declares: it replies under its own name (D5). */
export function isDeclaredReply(
  { framing }: Segment,
  { role, roleWord }: MessageFacts,
  builtinTools: ReadonlySet<string> | undefined,
): boolean {
  if (role !== undefined || roleWord === undefined || framing.headerEnd === 'line-break') return false
  return isReplyRole(roleWord, builtinTools)
}

/** The tool that a call or reply is about, as written. */
export function toolNameOf(facts: MessageFacts): string | undefined {
  if (facts.role === 'tool') return facts.name
  return isNamedReply(facts) ? facts.roleWord : facts.to
}

const messageFacts = perSegment((segment: Segment): MessageFacts => {
  return regularFacts(segment) ?? factsOfView(segment, viewMessage(segment))
})
