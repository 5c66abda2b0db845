/** The JSON of the `openai-harmony` library: messages whose content is text, or the parts of a system or developer body. */

import type { Conversation } from '../conversation/conversation.ts'
import { isCallMessage } from '../conversation/conversation.ts'
import {
  field,
  isObject,
  listField,
  noteUnknownFields,
  objectAt,
  objectIn,
  ShapeError,
  textField,
} from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import { noteEnding } from '../conversation/note-ending.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { defineForm } from './form.ts'
import { definesFunctions, developerText, isStructuredItem, systemText } from './harmony/harmony-content.ts'
import { type HarmonyMessage, usualEnding } from './harmony/harmony-message.ts'
import { conversationMessage, harmonyHeader } from './harmony/read-harmony.ts'
import { harmonyMessages } from './harmony.ts'
import { json } from './json.ts'

/** The form. */
export const harmonyJson = defineForm({
  name: 'harmony-json',
  title: 'Harmony JSON',
  summary: localizable`What the openai-harmony library reads and writes`,
  documentation: 'the JSON of the `openai-harmony` library, with bodies as text or as parts',
  language: 'json',
  holds: 'json',
  lists: ['messages'],
  recognizedBy: {
    parts: (sample) =>
      sample.hasItem(isHarmonyItem) && !sample.hasItem(isThoughtful) && json.recognizedBy.channel(sample),
  },
  read: (value, { losses }) => fromHarmonyJson(value, losses),
  write: (conversation, { losses }) => toHarmonyJson(conversation, losses),
})

/** The JSON of 2.2 §10 has thoughts in their message. */
function isThoughtful(item: JsonObject): boolean {
  return Object.hasOwn(item, 'thinking')
}

/** In the JSON of 2.2 §10 content with types has literal blocks; text alone is in both forms. */
function isHarmonyItem(it: JsonObject): boolean {
  const { content } = it
  if (typeof content === 'object' && isStructuredItem(it)) return true
  if (Object.hasOwn(it, 'recipient')) return true
  return Array.isArray(content) && content.every((part) => isObject(part) && field(part, 'type') === 'text')
}

/** `conversation` in that shape, bodies as text. */
function toHarmonyJson(conversation: Conversation, losses: LossList): JsonObject {
  if (conversation.promptRole !== undefined)
    losses.add('truncation', localize`The prompt for the next message is left out`)
  for (const message of conversation.messages) {
    // Where Harmony has another ending, that is reported below.
    const isStop = message.ending === 'return' && !isCallMessage(message)
    if (isStop || message.ending === undefined) noteEnding(message, losses)
  }
  const messages = harmonyMessages(conversation, losses)
  return {
    messages: messages.map(
      ({ role, name, recipient, channel, contentType, content, pieces = [content] }) => ({
        role,
        ...(name !== undefined && { name }),
        content: pieces.map((text) => ({ type: 'text', text })),
        ...(channel !== undefined && { channel }),
        ...(recipient !== undefined && { recipient }),
        ...(contentType !== undefined && { content_type: contentType }),
      }),
    ),
  }
}

/** Reads that shape. @throws ConversionError */
function fromHarmonyJson(value: JsonValue, losses: LossList): Conversation {
  const messages = readHarmonyJson(value, losses).map(conversationMessage)
  return {
    header: harmonyHeader,
    messages: messages.map((it) => ({ ending: usualEnding({ role: it.role, recipient: it.to }), ...it })),
  }
}

const rootFields: ReadonlySet<string> = new Set(['messages'])
const textFields: ReadonlySet<string> = new Set(['type', 'text'])

/** The fields of structured bodies that Harmony has words for. */
const contentFields: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  [
    'system_content',
    new Set([
      'type',
      'model_identity',
      'knowledge_cutoff',
      'conversation_start_date',
      'reasoning_effort',
      'tools',
      'channel_config',
    ]),
  ],
  ['developer_content', new Set(['type', 'instructions', 'tools'])],
])

const messageFields: ReadonlySet<string> = new Set([
  'role',
  'name',
  'content',
  'channel',
  'recipient',
  'content_type',
])

/** The messages, their structured bodies rendered. @throws ConversionError */
export function readHarmonyJson(
  value: JsonValue,
  losses: LossList,
): readonly (HarmonyMessage & { readonly range?: Range })[] {
  const root: JsonObject = Array.isArray(value)
    ? { messages: value }
    : objectIn(value, localize`The document`)
  const list = listField(root, 'messages', localize`The document`)
  const objects = list.map((_, index) => objectAt(list, index, localize`Message ${index + 1}`))
  const hasFunctions = objects.some((it) => structuredIn(it, 'developer_content').some(definesFunctions))
  const messages = objects.map((it, index) => {
    const where = localize`Message ${index + 1}`
    const range = losses.places?.message(index)
    losses.place = range
    noteUnknownFields(it, messageFields, where, losses)
    const role = textField(it, 'role', where)
    if (role === undefined) throw new ShapeError(localize`${where} has no \`role\``, it)
    const name = textField(it, 'name', where)
    const recipient = textField(it, 'recipient', where)
    const channel = textField(it, 'channel', where)
    const contentType = textField(it, 'content_type', where)
    return {
      role,
      ...(name !== undefined && { name }),
      ...(recipient !== undefined && { recipient }),
      ...(channel !== undefined && { channel }),
      ...(contentType !== undefined && { contentType }),
      ...contentOf(it, { role, where, hasFunctions }, losses),
      ...(range && { range }),
    }
  })
  losses.place = undefined
  noteUnknownFields(root, rootFields, localize`The document`, losses)
  return messages
}

/** What the body of a message is read by. */
interface BodyContext {
  readonly role: string
  readonly where: string
  /** True if the conversation defines functions. */
  readonly hasFunctions: boolean
}

function contentOf(
  it: JsonObject,
  { role, where, hasFunctions }: BodyContext,
  losses: LossList,
): Pick<HarmonyMessage, 'content' | 'pieces'> {
  const content = field(it, 'content')
  if (content === undefined || content === null) return { content: '' }
  if (typeof content === 'string') return { content }
  const parts: readonly JsonValue[] = Array.isArray(content) ? content : [content]
  const pieces = parts.map((_, index) => {
    const what = localize`${where}: a piece of the content`
    const object = objectAt(parts, index, what)
    const type = field(object, 'type')
    noteUnknownFields(object, contentFields.get(type) ?? textFields, what, losses)
    if (type === 'text' || (type === undefined && typeof object.text === 'string')) {
      return textField(object, 'text', where) ?? ''
    }
    if (type === 'system_content' && role === 'system') return systemText(object, hasFunctions)
    if (type === 'developer_content' && role === 'developer') return developerText(object)
    const message = localize`${where}: content of this type does not belong in a ${role} message`
    throw new ShapeError(message, object, 'type')
  })
  return { content: pieces.join(''), ...(pieces.length > 1 && { pieces }) }
}

function structuredIn(it: JsonObject, type: string): readonly JsonObject[] {
  const content = field(it, 'content')
  const parts = Array.isArray(content) ? content : [content]
  return parts.filter((part): part is JsonObject => isObject(part) && field(part, 'type') === type)
}
