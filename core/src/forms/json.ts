/**
 * The JSON of 2.2 §10: one object per message. What that section does not name has the name of its attribute, so that
 * reading what was written gives the same transcript (D23).
 */

import { identified } from '../conversation/call-ids.ts'
import {
  type ContentPart,
  type Conversation,
  type ConversationMessage,
  type Ending,
  isCallMessage,
  textContent,
  textOf,
} from '../conversation/conversation.ts'
import {
  field,
  isObject,
  isTooDeep,
  listField,
  noteUnknownFields,
  objectAt,
  objectIn,
  ShapeError,
  textField,
} from '../conversation/json-input.ts'
import { placed } from '../conversation/json-places.ts'
import type { LossList } from '../conversation/loss.ts'
import { endsAsUsual } from '../conversation/note-ending.ts'
import { spelled } from '../conversation/spelling.ts'
import { headerYaml } from '../conversation/write-transcript.ts'
import { Transcript } from '../document/transcript.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { analyze } from '../semantics/analysis.ts'
import { headerOf } from '../semantics/document-settings.ts'
import { isFinal, isPrivate } from '../semantics/message-kind.ts'
import { localizable, localize } from '../text/localize.ts'
import { answerChannel, reasoningChannel, toolChannel } from '../vocabulary/channels.ts'
import { defineForm } from './form.ts'
import { isStructuredItem } from './harmony/harmony-content.ts'

/** The form. */
export const json = defineForm({
  name: 'json',
  title: 'OpenChatML JSON',
  summary: localizable`One object for each message`,
  documentation: 'the JSON of 2.2 §10, one object per message',
  language: 'json',
  holds: 'json',
  hasEndings: true,
  isExact: true,
  lists: ['messages'],
  ownKeys: ['header', 'yaml'],
  recognizedBy: {
    header: (sample) => sample.has('header', 'yaml'),
    message: (sample) => sample.hasItemKey('tool_call', 'terminator', 'intent', 'call_id', 'constrain', 'to'),
    /** What it has in common with the JSON of Harmony. */
    channel: (sample) => sample.hasItemKey('recipient', 'channel') || sample.items.some(isStructuredItem),
  },
  joined: joinedJson,
  read: (value, { losses }) => fromJsonForm(value, losses),
  // A transcript is written as it is (D23); what comes from elsewhere has the ids that 2.2 asks for.
  write: (conversation, { from, losses }) =>
    toJsonForm(from.isExact ? conversation : identified(conversation, losses)),
})

/** `conversation` as JSON data. */
function toJsonForm({ header, headerText, messages, promptRole }: Conversation): JsonObject {
  // Comments, fences and the way of writing are not in the data.
  const needsText = headerText !== undefined && !(header && headerYaml(header) === `${headerText}\n`)
  return {
    ...(header && { header }),
    ...(needsText && { yaml: headerText }),
    messages: messages.map(jsonMessage),
    ...(promptRole !== undefined && { prompt: promptRole }),
  }
}

function jsonMessage(message: ConversationMessage): JsonObject {
  const { role, name, channel, to, callId, intent, contentType, allow, constraint, ending } = message
  const isCall = isCallMessage(message)
  return {
    role,
    ...(name !== undefined && { name }),
    ...(channel !== undefined && { channel }),
    ...(!isCall && to !== undefined && { to }),
    ...(!isCall && callId !== undefined && { call_id: callId }),
    ...(intent !== undefined && { intent }),
    ...(contentType !== undefined && { content_type: contentType }),
    ...(allow !== undefined && { allow }),
    ...(!isCall && constraint !== undefined && { constrain: constraint }),
    ...(!isCall && { content: jsonContent(message) }),
    ...(isCall && {
      tool_call: {
        ...(callId !== undefined && { id: callId }),
        recipient: to ?? '',
        ...(constraint !== undefined && { content_type: constraint }),
        arguments: jsonContent(message),
      },
    }),
    ...(!endsAsUsual(message) && { terminator: ending ? spelled[ending] : null }),
  }
}

/** The text; where it has literal blocks, the list of its pieces. */
function jsonContent(message: ConversationMessage): JsonValue {
  if (message.content.every(({ kind }) => kind === 'text')) return textOf(message)
  return message.content.map(({ kind, text }) => ({ type: kind, text }))
}

/** Reads what {@link toJsonForm} writes, and lists of messages that others wrote by 2.2 §10. @throws ConversionError */
function fromJsonForm(value: JsonValue, losses: LossList): Conversation {
  const root: JsonObject = Array.isArray(value)
    ? { messages: value }
    : objectIn(value, localize`The document`)
  const list = field(root, 'messages') === undefined && field(root, 'role') !== undefined ? [root] : undefined
  const messages: ConversationMessage[] = []
  const items = list ?? listField(root, 'messages', localize`The document`)
  for (let index = 0; index < items.length; index++) {
    const where = localize`Message ${index + 1}`
    const range = list ? undefined : losses.places?.message(index)
    losses.place = range
    messages.push(...placed(readMessage(objectAt(items, index, where), where, losses), range))
  }
  losses.place = undefined
  const written = list ? undefined : field(root, 'header')
  const header = isTooDeep(written, 100) ? undefined : written
  if (header !== written)
    losses.addAt('header-key', localize`A header that is nested too deeply is left out`, root, 'header')
  const headerText = list ? undefined : textField(root, 'yaml', localize`The document`)
  const promptRole = list ? undefined : textField(root, 'prompt', localize`The document`)
  if (!list) noteUnknownFields(root, rootFields, localize`The document`, losses)
  return {
    ...(isObject(header) && { header }),
    ...(headerText !== undefined && isTextOf(headerText, header, root, losses) && { headerText }),
    messages,
    ...(promptRole !== undefined && { promptRole }),
  }
}

/** True if `text` says what `header` says. Where they differ, someone has changed the data, which counts. */
function isTextOf(text: string, header: JsonValue | undefined, root: JsonObject, losses: LossList): boolean {
  if (!isObject(header)) return true
  const { preamble } = analyze(
    Transcript.parse(`${text}\n${spelled.start}user${spelled.message}${spelled.end}`),
  )
  if (JSON.stringify(headerOf(preamble).yaml.value) === JSON.stringify(header)) return true
  const message = localize`The text of the header differs from its data; the data is used`
  losses.addAt('header-key', message, root, 'yaml')
  return false
}

const rootFields: ReadonlySet<string> = new Set(['header', 'yaml', 'messages', 'prompt'])

const messageFields: ReadonlySet<string> = new Set([
  'role',
  'name',
  'channel',
  'to',
  'call_id',
  'intent',
  'content_type',
  'allow',
  'constrain',
  'content',
  'tool_call',
  'terminator',
  'thinking',
])

const callFields: ReadonlySet<string> = new Set(['id', 'recipient', 'content_type', 'arguments'])
const partFields: ReadonlySet<string> = new Set(['type', 'text'])

function readMessage(it: JsonObject, where: string, losses: LossList): readonly ConversationMessage[] {
  noteUnknownFields(it, messageFields, where, losses)
  const text = (key: string) => textField(it, key, where)
  const role = text('role')
  if (role === undefined) throw new ShapeError(localize`${where} has no \`role\``, it)
  const call = field(it, 'tool_call')
  const callObject =
    call === undefined || call === null ? undefined : objectAt(it, 'tool_call', `${where}: \`tool_call\``)
  const common = {
    role,
    ...present('name', text('name')),
    ...present('intent', text('intent')),
    ...present('contentType', text('content_type')),
    ...present('allow', text('allow')),
  }
  const channel = text('channel')
  const thinking = text('thinking')
  const thought: ConversationMessage[] =
    thinking === undefined
      ? []
      : [{ role: 'assistant', channel: reasoningChannel, content: textContent(thinking), ending: 'end' }]
  const content = contentIn(field(it, 'content'), where, losses)
  if (!callObject) {
    return [
      ...thought,
      {
        ...common,
        ...present('channel', channel),
        ...present('to', text('to')),
        ...present('callId', text('call_id')),
        ...present('constraint', text('constrain')),
        content,
        ...present('ending', endingIn(it, 'end', where)),
      },
    ]
  }
  const said: ConversationMessage[] =
    content.length === 0 ? [] : [{ ...common, channel: answerChannel, content, ending: 'end' }]
  noteUnknownFields(callObject, callFields, `${where}: \`tool_call\``, losses)
  for (const key of ['to', 'call_id', 'constrain']) {
    const value = field(it, key)
    if (value !== undefined && value !== null)
      losses.addAt(
        'field',
        localize`${where}: \`${key}\` is left out, because \`tool_call\` already contains it`,
        it,
        key,
      )
  }
  const inCall = (key: string) => textField(callObject, key, where)
  return [
    ...thought,
    ...said,
    {
      ...common,
      ...present('channel', said.length > 0 && isFinal({ channel }) ? toolChannel : channel),
      ...present('to', inCall('recipient')),
      ...present('callId', inCall('id')),
      ...present('constraint', inCall('content_type')),
      content: contentIn(field(callObject, 'arguments'), where, losses),
      ...present('ending', endingIn(it, 'call', where)),
    },
  ]
}

function present<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [It in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [It in Key]?: Value }
}

function contentIn(value: JsonValue | undefined, where: string, losses: LossList): readonly ContentPart[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return textContent(value)
  if (!Array.isArray(value)) return textContent(JSON.stringify(value)) // arguments as an object instead of its text
  return value.map((_, index) => {
    const what = localize`${where}: a piece of the content`
    const part = objectAt(value, index, what)
    noteUnknownFields(part, partFields, what, losses)
    const kind = field(part, 'type') === 'literal' ? 'literal' : 'text'
    return { kind, text: textField(part, 'text', where) ?? '' }
  })
}

function endingIn(it: JsonObject, usual: Ending, where: string): Ending | undefined {
  const value = field(it, 'terminator')
  if (value === undefined) return usual
  if (value === null) return undefined
  for (const ending of ['end', 'call', 'return'] as const) if (value === spelled[ending]) return ending
  const message = localize`${where}: \`terminator\` is not a token that ends a message`
  throw new ShapeError(message, it, 'terminator')
}

/** True if one object can say it: a thought, an answer and a call, in this order and each once at most. */
function isOneJson(items: readonly JsonObject[]): boolean {
  const order = items.map((it) => {
    if (it.role !== 'assistant' || (it.terminator !== undefined && it !== items.at(-1))) return Number.NaN
    return isObject(it.tool_call) ? 2 : isReasoning(it) ? 0 : 1
  })
  return (
    items.length > 1 && order.every((it, nth) => (nth === 0 ? !Number.isNaN(it) : it > (order[nth - 1] ?? 0)))
  )
}

function isReasoning({ channel }: JsonObject): boolean {
  return isPrivate({ channel: typeof channel === 'string' ? channel : undefined })
}

/** One object of 2.2 §10 that says what several say: the thought, the answer, the call. */
function joinedJson(items: readonly JsonObject[]): JsonObject | undefined {
  if (!isOneJson(items)) return undefined
  const call = items.find((it) => isObject(it.tool_call))
  const thought = items.find(isReasoning)
  const said = items.find((it) => it !== call && it !== thought)
  return {
    ...(said ?? thought),
    ...call,
    ...(said && { content: said.content ?? '' }),
    ...(thought && said !== undefined && { thinking: thought.content ?? '' }),
    ...(thought && call && { thinking: thought.content ?? '' }),
  }
}
