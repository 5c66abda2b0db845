/** Writes a conversation as a Chat Completions request. */

import { withDistinctCallIds } from '../../conversation/call-ids.ts'
import { type Conversation, type ConversationMessage, textOf } from '../../conversation/conversation.ts'
import { LossList } from '../../conversation/loss.ts'
import { isLeftOut, noteLeftOut, withHiddenApart } from '../../conversation/message-visibility.ts'
import { noteEnding } from '../../conversation/note-ending.ts'
import { noteHeader } from '../../conversation/note-header.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { factsOfMessage } from '../../semantics/message.ts'
import { kindOf, unusualChannelOf } from '../../semantics/message-kind.ts'
import { inBackticks } from '../../text/in-backticks.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { keptMessagesKey, requestKey } from '../../vocabulary/kept-keys.ts'
import { otherTextKey, sideFieldsOf } from '../samples/sample-reader.ts'
import { type MarkupReading, noteMarkup, noteUnsaid, noteUnsaidOfReply } from './chat-message.ts'
import {
  customConstraint,
  exportRequest,
  functionNameOf,
  modelField,
  noPlaceInRequest,
  noteCallConstraint,
  reasoningFieldKey,
  reasoningFields,
  usualReasoningField,
} from './chat-tools.ts'
import { type KeptMessage, keptMessage, keptMessagesIn, messageKeys } from './kept-messages.ts'

/** A request, and what its messages were written from. */
export interface WrittenRequest {
  readonly request: JsonObject
  /** The message of a conversation, by what says where it is from (its `range` or `origin`): the index of the one in the request. */
  readonly places: ReadonlyMap<object, number>
}

/** As {@link toMessages}, with the messages that each message of the conversation became. */
export function writtenRequest(conversation: Conversation, losses: LossList): WrittenRequest {
  const places = new Map<object, number>()
  return { request: toMessages(conversation, losses, { places }), places }
}

/** Where the messages of a request go. */
interface RequestUse {
  /** To be filled, for a {@link WrittenRequest}. */
  readonly places?: Map<object, number>
  /** Where readers of the form look for markup; by default as readers of requests do. */
  readonly reading?: MarkupReading
  /** What is written of messages that the header keeps: all of them, or only their side fields (F1). */
  readonly keeps?: 'all' | 'side'
}

/** How requests are read. */
const requestReading: MarkupReading = { answers: true, replies: true }

/** `conversation` as a request: its messages, its tools, and what else the request had. */
export function toMessages(
  conversation: Conversation,
  losses: LossList,
  { places, reading = requestReading, keeps = 'all' }: RequestUse = {},
): JsonObject {
  const { request, messages: own } = exportRequest(conversation, 'messages', losses)
  const named = conversation.header?.[reasoningFieldKey]
  const reasoningField = reasoningFields.find((it) => it === named) ?? usualReasoningField
  const writer = new MessageWriter({ reasoningField, request, reading, keeps }, losses)
  const messages = withDistinctCallIds(own, losses)
  const kept = keptMessagesIn(conversation.header)
  const keys = kept.size === 0 ? [] : messageKeys(messages)
  let nFound = 0
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    const it = kept.get(keys[index] ?? '')
    const first = index
    if (it) nFound++
    if (it && writer.addKept(messages.slice(index, index + it.count), it)) index += it.count - 1
    else if (message) writer.add(message)
    if (places) notePlaces(places, messages.slice(first, index + 1), writer.messages.length - 1)
  }
  writer.end()
  for (let nth = nFound; nth < kept.size; nth++) noteChanged(losses, undefined)
  const model = modelField(conversation.header, request)
  const told = [...Object.keys(model), requestKey, reasoningFieldKey, keptMessagesKey]
  noteHeader(conversation.header, told, noPlaceInRequest, losses)
  return { ...model, ...request, messages: writer.messages }
}

function notePlaces(
  places: Map<object, number>,
  messages: readonly ConversationMessage[],
  index: number,
): void {
  for (const { origin, range } of messages) {
    const place = origin ?? range
    if (place) places.set(place, index)
  }
}

function noteChanged(losses: LossList, range: Range | undefined): void {
  losses.add(
    'field',
    localize`Data about a message in the YAML header is left out, because the message has changed`,
    range,
  )
}

/** The one message that `messages` are written as; undefined if they are several. */
export function writtenMessage(
  messages: readonly ConversationMessage[],
  reasoningField: string,
): JsonObject | undefined {
  const options = { reasoningField, request: {}, reading: requestReading, keeps: 'all' } as const
  const writer = new MessageWriter(options, new LossList())
  for (const it of messages) writer.add(it)
  const [only] = messages
  if (writer.messages.length === 0 && messages.length === 1 && only) return { role: only.role }
  return writer.messages.length === 1 ? writer.messages[0] : undefined
}

/** True if `message` says what was kept of a message under `key`, or spells it differently. */
function isSaid(key: string, fields: JsonObject, message: JsonObject): boolean {
  const value = fields[key]
  if (key === 'role' || value === message[key]) return true
  if (key === 'tool_calls') return Array.isArray(value) && value.every((it) => typeof it === 'number')
  return key !== 'refusal' && typeof value === 'number'
}

/** The code units of text that `messages` have. */
export function lengthOf(messages: readonly ConversationMessage[]): number {
  return messages.reduce((sum, it) => sum + textOf(it).length, 0)
}

/** A message under way. */
type ChatMessage = Record<string, JsonValue>

const requestForm = { hasRecipients: false } as const

interface WriterOptions {
  readonly reasoningField: string
  readonly request: JsonObject
  readonly reading: MarkupReading
  readonly keeps: 'all' | 'side'
}

class MessageWriter {
  readonly messages: ChatMessage[] = []
  readonly #losses: LossList
  /** The message of the assistant that may still grow. */
  #open: ChatMessage | undefined

  /** The preamble of the open message, as long as no call makes it one. */
  #preamble: ConversationMessage | undefined
  /** The tools that were called, by the ids of the calls. */
  readonly #toolById = new Map<string, string>()
  readonly #reasoningField: string
  readonly #request: JsonObject
  readonly #reading: MarkupReading
  readonly #keeps: 'all' | 'side'

  constructor({ reasoningField, request, reading, keeps }: WriterOptions, losses: LossList) {
    this.#keeps = keeps
    this.#request = request
    this.#reasoningField = reasoningField
    this.#reading = reading
    this.#losses = losses
  }

  /** Nothing is added any more. */
  end(): void {
    this.#close()
  }

  /** Adds what `messages` were before they became messages of a transcript; false if they have changed since. */
  addKept(messages: readonly ConversationMessage[], { count, length, fields }: KeptMessage): boolean {
    const reasoningField = this.#reasoningField
    const isSame = messages.length === count && lengthOf(messages) === length
    const message = isSame ? writtenMessage(messages, reasoningField) : undefined
    if (!message) {
      noteChanged(this.#losses, messages[0]?.range)
      return false
    }
    this.#close()
    if (this.#keeps === 'all') this.messages.push({ ...keptMessage(fields, { message, reasoningField }) })
    else this.#addWithSide(messages, message, fields)
    for (const { callId, to } of messages)
      if (callId !== undefined && to !== undefined) this.#toolById.set(callId, to)
    return true
  }

  /** Adds `messages`, which are written as `message`, with those of their kept `fields` that no transcript says. */
  #addWithSide(messages: readonly ConversationMessage[], message: JsonObject, fields: JsonObject): void {
    const first = this.messages.length
    for (const it of messages) this.add(it)
    this.#close()
    const side = sideFieldsOf(fields, [otherTextKey(fields)])
    for (const it of this.messages.slice(first)) Object.assign(it, side)
    const lost = Object.keys(fields).filter(
      (key) => side?.[key] === undefined && !isSaid(key, fields, message),
    )
    if (lost.length === 0) return
    const named = lost.map((it) => inBackticks(it)).join(', ')
    this.#losses.add(
      'field',
      localize`The original form of ${named} cannot be represented`,
      messages[0]?.range,
    )
  }

  /** No further message joins the one that was written last. */
  #close(): void {
    this.#open = undefined
    const preamble = this.#preamble
    this.#preamble = undefined
    if (preamble) this.#losses.add('intent', localize`A preamble becomes an ordinary message`, preamble.range)
  }

  add(message: ConversationMessage): void {
    noteEnding(message, this.#losses)
    for (const it of withHiddenApart(message, requestForm, this.#losses)) this.#addOne(it)
  }

  #addOne(message: ConversationMessage): void {
    noteUnsaid(message, this.#losses)
    if (message.role === 'assistant') this.#addAssistant(message)
    else this.#addOther(message)
  }

  #addOther(message: ConversationMessage): void {
    this.#close()
    const { role, name, to, callId, intent, constraint, range } = message
    const losses = this.#losses
    if (intent !== undefined)
      losses.add('intent', localize`\`intent=${intent}\` cannot be represented`, range)
    if (constraint !== undefined)
      losses.add('content-type', localize`The constraint cannot be represented`, range)
    if (role === 'tool') {
      const text = textOf(message)
      noteUnsaidOfReply(message, this.#toolById.get(callId ?? ''), losses)
      noteMarkup(message, this.#reading, losses)
      if (callId !== undefined) this.messages.push({ role, tool_call_id: callId, content: text })
      else
        this.messages.push({ role, ...(name !== undefined && { name: functionNameOf(name) }), content: text })
      return
    }
    if (isLeftOut(message, losses)) return
    noteMarkup(message, this.#reading, losses)
    if (to !== undefined) losses.add('recipient', localize`\`to=${to}\` cannot be represented`, range)
    const channel = unusualChannelOf(message)
    if (channel !== undefined)
      losses.add('channel', localize`The channel \`${channel}\` of this message cannot be represented`, range)
    const content = textOf(message)
    this.messages.push(name === undefined ? { role, content } : { role, name, content })
  }

  #addAssistant(message: ConversationMessage): void {
    const { name, to, callId, intent, range } = message
    const losses = this.#losses
    const text = textOf(message)
    const kind = kindOf(factsOfMessage(message))
    const isPreamble = kind === 'preamble'
    if (intent !== undefined && !isPreamble)
      losses.add('intent', localize`\`intent=${intent}\` cannot be represented`, range)
    if (kind === 'call') {
      const channel = unusualChannelOf(message)
      const isCustom = message.constraint === customConstraint
      noteCallConstraint(message, this.#request, losses)
      if (channel !== undefined)
        losses.add('channel', localize`The channel \`${channel}\` of a call cannot be represented`, range)
      const open = this.#messageFor('tool_calls', name)
      this.#preamble = undefined
      if (callId !== undefined) this.#toolById.set(callId, to ?? '')
      const calls = open.tool_calls
      const id = callId ?? ''
      const called = functionNameOf(to ?? '')
      const call = isCustom
        ? { id, type: 'custom', custom: { name: called, input: text } }
        : { id, type: 'function', function: { name: called, arguments: text } }
      if (Array.isArray(calls)) (calls as JsonValue[]).push(call)
      else open.tool_calls = [call]
      return
    }
    if (to !== undefined) losses.add('recipient', localize`\`to=${to}\` cannot be represented`, range)
    if (message.constraint !== undefined)
      losses.add('content-type', localize`The constraint cannot be represented`, range)
    if (kind === 'reasoning' && text === '') {
      losses.add('reasoning', localize`Empty reasoning is left out`, range)
      return
    }
    if (kind === 'reasoning') {
      const open = this.#messageFor('reasoning', name)
      const before = open[this.#reasoningField]
      if (typeof before === 'string')
        losses.add('message-boundary', localize`Consecutive reasoning becomes one text`, range)
      open[this.#reasoningField] = typeof before === 'string' ? `${before}\n${text}` : text
      return
    }
    if (kind !== 'answer' && !isPreamble) {
      noteLeftOut(message, losses)
      return
    }
    noteMarkup(message, this.#reading, losses)
    this.#messageFor('content', name).content = text
    if (isPreamble) this.#preamble = message
    else this.#close()
  }

  /** The message that takes `part`: the open one, if that part may follow what it has. */
  #messageFor(part: 'reasoning' | 'content' | 'tool_calls', name: string | undefined): ChatMessage {
    const open = this.#open
    const hasContent = open?.content !== undefined && open.content !== null
    const mayJoin =
      open !== undefined &&
      open.name === name &&
      (part === 'tool_calls' || (open.tool_calls === undefined && !hasContent))
    if (mayJoin) return open
    this.#close()
    this.#open =
      name === undefined ? { role: 'assistant', content: null } : { role: 'assistant', name, content: null }
    this.messages.push(this.#open)
    return this.#open
  }
}
