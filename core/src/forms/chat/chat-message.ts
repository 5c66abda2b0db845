/** What both kinds of requests have in common: the messages of calls and replies, and what neither can say of a message. */

import {
  type ConversationMessage,
  isCallMessage,
  textContent,
  textOf,
} from '../../conversation/conversation.ts'
import type { LossList } from '../../conversation/loss.ts'
import { noteTranscriptAttributes } from '../../conversation/note-attributes.ts'
import type { JsonObject } from '../../embedded/yaml-header.ts'
import { factsOfMessage } from '../../semantics/message.ts'
import { kindOf, unusualChannelOf, unusualRecipientOf } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { shortened } from '../../text/shortened.ts'
import { toolChannel } from '../../vocabulary/channels.ts'
import { markupIn, mayHaveMarkup, replyBlocks } from '../samples/markup.ts'
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
  const { role, contentType, content, callId, range } = message
  if (content.some(({ kind }) => kind === 'literal'))
    losses.add('literal-block', localize`A literal block becomes ordinary text`, range)
  if (contentType !== undefined)
    losses.add(
      'content-type',
      localize`The hint \`content_type=${contentType}\` cannot be represented`,
      range,
    )
  noteTranscriptAttributes(message, losses)
  if (callId !== undefined && role !== 'tool' && !isCallMessage(message))
    losses.add('call-id', localize`\`call_id=${callId}\` cannot be represented`, range)
}

/** Where readers of a form look for markup (F20), besides the texts of users. */
export interface MarkupReading {
  /** True if they look in the answers of the assistant. */
  readonly answers: boolean
  /** True if they look in replies. */
  readonly replies: boolean
}

/** Notes that readers of the form take a part of `message`, which is written as text, for something else. */
export function noteMarkup(message: ConversationMessage, reading: MarkupReading, losses: LossList): void {
  const text = textOf(message)
  if (!mayHaveMarkup(text)) return
  switch (kindOf(factsOfMessage(message))) {
    case 'answer':
    case 'preamble': {
      const markup = reading.answers ? markupIn(text) : undefined
      if (!markup) return
      const sign = shortened(text.slice(markup.sign.from, markup.sign.to), 80)
      losses.add(
        'markup',
        localize`\`${sign}\` in an answer is read back as reasoning or a call, not as text`,
        message.range,
      )
      return
    }
    case 'user':
      if (replyBlocks(text)) noteReplyBlocks(message, losses)
      return
    case 'reply':
      if (reading.replies && replyBlocks(text)?.every(({ kind }) => kind === 'reply'))
        noteReplyBlocks(message, losses)
      return
    default:
  }
}

function noteReplyBlocks({ range }: ConversationMessage, losses: LossList): void {
  losses.add(
    'markup',
    localize`\`<tool_response>\` in a message is read back as a tool reply, not as text`,
    range,
  )
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
