/** What the rest of the program needs to know of a message, in one small object that every message keeps. */

import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import { perSegment, type Segment } from '../syntax/segment.ts'
import { isToolRecipient } from '../vocabulary/attributes.ts'
import { isReplyRole } from '../vocabulary/roles.ts'
import type { MessageFacts } from './facts-record.ts'
import type { DecidingFacts } from './message.ts'
import { regularFacts } from './regular-facts.ts'
import { factsOfView } from './view-facts.ts'

export type { MessageFacts } from './facts-record.ts'

/** The facts of `segment`, remembered with it; undefined for segments that are not messages. */
export function factsOf(segment: Segment): MessageFacts | undefined {
  return segment.kind === 'message' ? messageFacts(segment) : undefined
}

/** The only place that decides what a call is: a message of the assistant to a tool. */
export function isCall({ isMessage, role, to }: Addressed): boolean {
  return isMessage !== false && role === 'assistant' && to !== undefined && isToolRecipient(to)
}

/** Who speaks to whom, in a transcript or in a message of any other form. */
export interface Addressed {
  /** False for a header without a body. */
  readonly isMessage?: boolean
  readonly role: string | undefined
  readonly to?: string | undefined
}

/** True for the header of a call, as far as it is written. */
export function isCallHeader(view: MessageView): boolean {
  return isCall(addressOf(view))
}

/** Who speaks to whom in a header, as far as it is written. */
export function addressOf({ role, attributes }: MessageView): Addressed {
  return { role, to: attributes.find(({ name }) => name.text === 'to')?.value?.text }
}

/** True for a tool's reply. */
export function isReply(facts: Pick<MessageFacts, 'isMessage' | 'role'>): boolean {
  return facts.isMessage && facts.role === 'tool'
}

/**
 * True for a message that a tool may have written under its own name, where the name is not a role that every
 * transcript knows. It is hidden like all messages of unknown roles, but it answers its call (D5, D16).
 */
export function isNamedReply({ isMessage, role, roleWord, to, callId }: DecidingFacts): boolean {
  if (!isMessage || role !== undefined || roleWord === undefined) return false
  return roleWord.includes('.') || to === 'assistant' || callId !== undefined
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
export function toolNameOf(facts: DecidingFacts): string | undefined {
  if (facts.role === 'tool') return facts.name
  return isNamedReply(facts) ? facts.roleWord : facts.to
}

const messageFacts = perSegment((segment: Segment): MessageFacts => {
  return regularFacts(segment) ?? factsOfView(segment, viewMessage(segment))
})
