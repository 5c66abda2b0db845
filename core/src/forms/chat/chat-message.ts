/** What both kinds of requests have in common: the messages of calls and replies, and what neither can say of a message. */

import { type ConversationMessage, isCallMessage, textContent } from '../../conversation/conversation.ts'
import type { LossList } from '../../conversation/loss.ts'
import type { JsonObject } from '../../embedded/yaml-header.ts'
import { unusualChannelOf, unusualRecipientOf } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { toolChannel } from '../../vocabulary/channels.ts'
import { callConstraint, customConstraint, noteReplyTool, unknownTool } from './chat-tools.ts'

/** A call as requests say it. */
export interface ChatCall {
  /** The recipient. */
  readonly to: string
  readonly id: string | undefined
  readonly input: string
  /** True for a tool that takes text. */
  readonly isCustom: boolean
}

/** The message of a call. Written out, so that nearly all messages of a dataset are objects of few shapes. */
export function messageOfCall(
  { to, id, input, isCustom }: ChatCall,
  request: JsonObject,
): ConversationMessage {
  const constraint = isCustom ? customConstraint : callConstraint(to, input, request)
  const content = textContent(input)
  const called: ConversationMessage =
    constraint === undefined
      ? { role: 'assistant', channel: toolChannel, to, content }
      : { role: 'assistant', channel: toolChannel, to, constraint, content }
  return id ? { ...called, ending: 'call', callId: id } : { ...called, ending: 'call' }
}

/** The message of a reply from `tool`, if that is known. */
export function messageOfReply(
  tool: string | undefined,
  id: string | undefined,
  text: string,
): ConversationMessage {
  return {
    role: 'tool',
    to: 'assistant',
    ...(id && { callId: id }),
    name: tool ?? unknownTool,
    channel: toolChannel,
    content: textContent(text),
    ending: 'end',
  }
}

/** Puts the message that shows the tools after the system and developer messages at the beginning. */
export function addToolMessage(
  messages: ConversationMessage[],
  toolMessage: ConversationMessage | undefined,
): void {
  if (!toolMessage) return
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  messages.splice(first === -1 ? messages.length : first, 0, toolMessage)
}

/** Notes what a request can't say of any message. */
export function noteUnsaid(message: ConversationMessage, losses: LossList): void {
  const { role, allow, contentType, content, callId, range } = message
  if (content.some(({ kind }) => kind === 'literal'))
    losses.add('literal-block', localize`A literal block becomes ordinary text`, range)
  if (contentType !== undefined)
    losses.add(
      'content-type',
      localize`The hint \`content_type=${contentType}\` cannot be represented`,
      range,
    )
  if (allow !== undefined)
    losses.add('attribute', localize`The attribute \`allow\` is only for transcripts`, range)
  if (callId !== undefined && role !== 'tool' && !isCallMessage(message))
    losses.add('call-id', localize`\`call_id=${callId}\` cannot be represented`, range)
}

/** Notes what a request can't say of a reply to the call of the tool `called`. */
export function noteUnsaidOfReply(
  reply: ConversationMessage,
  called: string | undefined,
  losses: LossList,
): void {
  const { callId, range } = reply
  const to = unusualRecipientOf(reply)
  const channel = unusualChannelOf(reply)
  if (to !== undefined) losses.add('recipient', localize`\`to=${to}\` cannot be represented`, range)
  if (channel !== undefined)
    losses.add('channel', localize`The channel \`${channel}\` of a reply cannot be represented`, range)
  if (callId === undefined) losses.add('pairing', localize`A reply without a call has no ID`, range)
  noteReplyTool(reply, called, losses)
}
