/**
 * Messages of a chat request of which a transcript says only a part: pieces of content, images, names on replies and whatever
 * else. The header keeps what the transcript does not say, so that the same messages come back. Numbers stand for what it
 * says: so many code units of the text, or a call by its place.
 */

import { type ConversationMessage, textOf } from '../../conversation/conversation.ts'
import { field, isObject, isTooDeep } from '../../conversation/json-input.ts'
import { hasPrivateBlocks } from '../../conversation/message-visibility.ts'
import { yamlText } from '../../conversation/yaml-text.ts'
import {
  fitsHeader,
  headerSizeLimit,
  type JsonObject,
  type JsonValue,
  keptShare,
} from '../../embedded/yaml-header.ts'
import { keptMessagesKey } from '../../vocabulary/kept-keys.ts'
import { spokenRole } from '../../vocabulary/role-words.ts'
import { roleOf } from '../../vocabulary/roles.ts'
import { mayHaveMarkup } from '../samples/markup.ts'
import { type Rest, reasoningFields } from './chat-tools.ts'

/** A message that the header keeps. */
export interface KeptMessage {
  /** How many messages of the transcript it became. */
  readonly count: number
  /** How many code units of text they have: if that has changed, the message is not what it was. */
  readonly length: number
  /** Its fields, with numbers for what the transcript says. */
  readonly fields: JsonObject
}

/** What the transcript gives back of a message without anything kept. */
export interface WrittenMessage {
  readonly message: JsonObject
  /** The name under which reasoning is written. */
  readonly reasoningField: string
}

/** True if there is nothing to keep of `it`: it has fields that a transcript says, in their usual shape. */
export function isPlainMessage(it: JsonObject, role: string, reasoningField: string): boolean {
  const isAssistant = role === 'assistant'
  for (const key of Object.keys(it)) {
    const value = it[key]
    if (value === null || value === undefined) {
      if (key === 'content' && !(isAssistant && (hasCalls(it) || it[reasoningField]))) return false
    } else if (key === 'content') {
      if (typeof value !== 'string' || hasPrivateBlocks(value, role) || mayHaveMarkup(value)) return false
    } else if (key === 'name' || key === 'tool_call_id') {
      if (value === '' || (role === 'tool') !== (key === 'tool_call_id')) return false
    } else if (key === 'tool_calls') {
      if (!isAssistant || !Array.isArray(value) || !value.every(isPlainCall)) return false
    } else if (key !== 'role' && !(isAssistant && key === reasoningField)) return false
  }
  return spokenRole(role) === role || (spokenRole(role) === undefined && roleOf(role) !== undefined)
}

function hasCalls({ tool_calls: calls }: JsonObject): boolean {
  return Array.isArray(calls) && calls.length > 0
}

function isPlainCall(call: JsonValue): boolean {
  if (!isObject(call) || !call.id) return false
  const type = call.type ?? 'function'
  if (type !== 'function' && type !== 'custom') return false
  const called = call[type]
  const input = type === 'function' ? 'arguments' : 'input'
  if (!isObject(called) || !called.name || typeof called[input] !== 'string') return false
  const keys = ['id', 'type', type]
  return Object.keys(call).every((key) => keys.includes(key)) && Object.keys(called).length === 2
}

/** The fields to keep of `it`, which the transcript gives back as `written`; undefined if they would not bring it back. */
export function keptFields(it: JsonObject, written: WrittenMessage): JsonObject | undefined {
  return [fieldsBeside(it, written), it].find((fields) => isSame(keptMessage(fields, written), it))
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  const sorted = (it: JsonObject) => JSON.stringify(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
  return sorted(one) === sorted(other)
}

function fieldsBeside(it: JsonObject, { message, reasoningField }: WrittenMessage): JsonObject {
  const kept: Record<string, JsonValue> = Object.create(null)
  for (const [key, value] of Object.entries(it)) {
    if (value === undefined || (key === 'role' && value === message.role)) continue
    if (key === 'content') kept[key] = keptContent(value)
    else if (key === 'refusal' && typeof value === 'string') kept[key] = value.length
    else if (isReasoning(key) && value === message[reasoningField]) kept[key] = String(value).length
    else if (key === 'tool_calls' && Array.isArray(value)) kept[key] = keptCalls(value, message)
    else kept[key] = value
  }
  return kept
}

function keptContent(content: JsonValue): JsonValue {
  if (typeof content === 'string') return content.length
  if (!Array.isArray(content)) return content
  return content.map((part) => {
    if (typeof part === 'string') return part.length
    if (!isObject(part)) return part
    const key = textKey(part)
    const text = key && part[key]
    return key && typeof text === 'string' ? { ...part, [key]: text.length } : part
  })
}

/** The field of a piece of content that has its text. */
function textKey(part: JsonObject): 'text' | 'refusal' | undefined {
  if (typeof field(part, 'text') === 'string') return 'text'
  return field(part, 'type') === 'refusal' && typeof field(part, 'refusal') === 'string'
    ? 'refusal'
    : undefined
}

function keptCalls(calls: readonly JsonValue[], { tool_calls: written }: JsonObject): JsonValue {
  return calls.map((call, index) => {
    const other = Array.isArray(written) ? written[index] : undefined
    return isPlainCall(call) && other !== undefined ? index : call
  })
}

function isReasoning(key: string): boolean {
  return (reasoningFields as readonly string[]).includes(key)
}

/** The message that was kept as `fields`. */
export function keptMessage(fields: JsonObject, { message, reasoningField }: WrittenMessage): JsonObject {
  const said = typeof message.content === 'string' ? message.content : ''
  const thought = message[reasoningField]
  let at = 0
  const take = (count: number) => {
    const text = said.slice(at, at + count)
    at += count
    return text
  }
  const result: Record<string, JsonValue> = Object.create(null)
  if (!Object.hasOwn(fields, 'role')) result.role = message.role ?? ''
  for (const [key, value] of Object.entries(fields)) {
    if (key === 'content') result[key] = restoredContent(value, take)
    else if (key === 'refusal' && typeof value === 'number') result[key] = take(value)
    else if (isReasoning(key) && typeof value === 'number')
      result[key] = typeof thought === 'string' ? thought : ''
    else if (key === 'tool_calls' && Array.isArray(value)) result[key] = restoredCalls(value, message)
    else result[key] = value
  }
  return result
}

function restoredContent(content: JsonValue, take: (count: number) => string): JsonValue {
  if (typeof content === 'number') return take(content)
  if (!Array.isArray(content)) return content
  return content.map((part) => {
    if (typeof part === 'number') return take(part)
    if (!isObject(part)) return part
    for (const key of ['text', 'refusal']) {
      const count = field(part, key)
      if (typeof count === 'number') return { ...part, [key]: take(count) }
    }
    return part
  })
}

function restoredCalls(calls: readonly JsonValue[], { tool_calls: written }: JsonObject): JsonValue {
  return calls.map((call) =>
    typeof call === 'number' && Array.isArray(written) ? (written[call] ?? call) : call,
  )
}

/**
 * A key for each of `messages`, by what it says and not by where it is, so that others may come and go: a hash, and for
 * all but the first message of the same hash its number.
 */
export function messageKeys(messages: readonly ConversationMessage[]): readonly string[] {
  const counts = new Map<string, number>()
  return messages.map((message) => {
    const hash = hashOf(message)
    const count = (counts.get(hash) ?? 0) + 1
    counts.set(hash, count)
    return count === 1 ? hash : `${hash}-${count}`
  })
}

/** Of what a transcript gives back as it was written: words that no header can hold are changed, lone surrogates too. */
function hashOf(message: ConversationMessage): string {
  const said = `${roleOf(message.role) ?? ''} ${message.channel ?? ''} ${textOf(message).toWellFormed()}`
  let hash = 0x811c9dc5
  for (let at = 0; at < said.length; at++) hash = Math.imul(hash ^ said.charCodeAt(at), 0x01000193)
  return `m${(hash >>> 0).toString(36)}`
}

/** The entry of `header` for kept messages; those that it has no room for are left out and named, unless there is room for the `rest`. */
export function keptEntry(
  messages: ReadonlyMap<number, KeptMessage>,
  keys: readonly string[],
  header: JsonObject,
  rest: Rest,
): { readonly entry: JsonObject; readonly left: ReadonlySet<number> } {
  const entry: Record<string, JsonValue> = Object.create(null)
  const left = new Set<number>()
  const isBounded = rest !== 'whole'
  const text = isBounded ? yamlText(header) : ''
  const room = isBounded ? keptShare * headerSizeLimit - text.length : Number.POSITIVE_INFINITY
  let used = 0
  for (const [index, { count, length, fields }] of messages) {
    const value = { count, length, fields }
    const key = keys[index]
    const isTooLarge = isBounded && isTooDeep(fields, 50)
    const size = isTooLarge || !isBounded ? 0 : JSON.stringify(value).length + 30
    if (key === undefined || isTooLarge || used + size > room) {
      left.add(index)
      continue
    }
    used += size
    entry[key] = value
  }
  if (isBounded && left.size < messages.size && !fitsHeader(text + JSON.stringify(entry), keptShare))
    return { entry: {}, left: new Set(messages.keys()) }
  return { entry, left }
}

/** The messages that `header` keeps, by their keys; undefined for anything else. */
export function keptMessagesIn(header: JsonObject | undefined): ReadonlyMap<string, KeptMessage | undefined> {
  const entry = header && field(header, keptMessagesKey)
  const found = new Map<string, KeptMessage | undefined>()
  if (!isObject(entry)) return found
  for (const [key, value] of Object.entries(entry)) found.set(key, keptMessageIn(value))
  return found
}

function keptMessageIn(value: JsonValue | undefined): KeptMessage | undefined {
  if (!isObject(value)) return undefined
  const { count, length, fields } = value
  const isKept = typeof count === 'number' && count > 0 && typeof length === 'number' && isObject(fields)
  return isKept ? { count, length, fields } : undefined
}
