/**
 * Messages of OpenChatML 0.1 as messages with channels (D3): blocks of thought become analysis, a function call becomes
 * a call on commentary, a function's output a reply. Every word is kept.
 */

import { jsonBody } from '../embedded/json-body.ts'
import { jsonTree } from '../embedded/json-tree.ts'
import { type BodyPiece, renderedPieces } from '../syntax/body.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import { defaultChannel, reasoningChannel, toolChannel } from '../vocabulary/channels.ts'
import { functionPrefix, isBuiltin } from '../vocabulary/roles.ts'
import { type ConversationMessage, changed, textContent, textOf } from './conversation.ts'
import type { LossList } from './loss.ts'

/** The messages that `message`, which `segment` holds, becomes. */
export function chatmlMessages(
  segment: Segment,
  message: ConversationMessage,
  losses: LossList,
): readonly ConversationMessage[] {
  if (message.role === 'tool') return [replyOf(message, losses)]
  if (message.role !== 'assistant') return [message]
  const pieces = renderedPieces(segment)
  if (pieces.every(({ kind }) => kind === 'text' || kind === 'literal')) return [message]
  const messages: ConversationMessage[] = []
  let blank = ''
  for (const piece of pieces) {
    if (piece.text.trim() === '') {
      blank += piece.text // white space alone is not an answer: it goes with what follows
      continue
    }
    const text = blank + piece.text
    blank = ''
    if (piece.kind === 'thought') messages.push(part(message, reasoningChannel, text))
    else if (piece.kind === 'function') messages.push(callOf(message, piece, text, losses))
    else messages.push(part(message, message.channel ?? defaultChannel, text))
  }
  const last = messages.pop()
  if (!last) return [message]
  const ending = last.ending === 'call' || message.ending === undefined ? last.ending : message.ending
  const isWhole = last.ending === 'call' || blank === ''
  const content = isWhole ? last.content : textContent(textOf(last) + blank)
  return [...messages, changed(last, { ending, content })]
}

function part(message: ConversationMessage, channel: string, text: string): ConversationMessage {
  return changed(message, { channel, content: textContent(text), ending: 'end' })
}

function callOf(
  message: ConversationMessage,
  piece: BodyPiece,
  text: string,
  losses: LossList,
): ConversationMessage {
  const payload = payloadOf(text)
  const { name, fields } = fieldsOf(payload)
  const source = fields.get('arguments')
  if (
    name === undefined ||
    source === undefined ||
    fields.size !== 2 ||
    !piece.text.includes('function_call')
  ) {
    losses.add(
      'not-a-message',
      localize`A function call that cannot be read stays as text on \`analysis\``,
      message.range,
    )
    return part(message, reasoningChannel, text)
  }
  return changed(message, {
    channel: toolChannel,
    to: toolName(name),
    constraint: 'json',
    content: textContent(source),
    ending: 'call',
  })
}

function replyOf(message: ConversationMessage, losses: LossList): ConversationMessage {
  const text = textOf(message)
  const { name, fields } = fieldsOf(payloadOf(text))
  const content = fields.get('content')
  const isEnvelope = name !== undefined && content !== undefined && fields.size === 2
  const tool = name ?? message.name
  if (tool === undefined)
    losses.add('name', localize`A reply does not say which tool it is from`, message.range)
  return changed(message, {
    name: toolName(tool ?? 'unknown'),
    to: 'assistant',
    channel: toolChannel,
    content: textContent(isEnvelope ? content : text),
  })
}

function toolName(name: string): string {
  return isBuiltin(name) || name.startsWith(functionPrefix) ? name : functionPrefix + name
}

/** What is after the tag that opens a payload. */
function payloadOf(text: string): string {
  return text.replace(/^\s*<\|function_\w+\|>/, '').trim()
}

/** The name in a payload and the source of each of its fields, so that numbers and spaces stay as they are. */
function fieldsOf(payload: string): {
  readonly name: string | undefined
  readonly fields: ReadonlyMap<string, string>
} {
  const fields = new Map<string, string>()
  if (!jsonBody(payload).ok) return { name: undefined, fields }
  const { root } = jsonTree(payload)
  let name: string | undefined
  for (const { children } of root?.type === 'object' ? (root.children ?? []) : []) {
    const [key, value] = children ?? []
    if (typeof key?.value !== 'string' || !value) continue
    fields.set(key.value, payload.slice(value.offset, value.offset + value.length))
    if (key.value === 'name' && typeof value.value === 'string') name = value.value
  }
  return { name, fields }
}
