/** Writes messages as items of a sample's list, in its form and as their neighbours are written. */
import { type ConversationMessage, isCallMessage } from '../conversation/conversation.ts'
import { isObject } from '../conversation/json-input.ts'
import { writeConversation } from '../convert/convert.ts'
import type { JsonNode } from '../embedded/json-tree.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { type JsonSourceForm, jsonFormOf, type TargetForm } from '../forms/form-registry.ts'
import { spokenRole } from '../vocabulary/role-words.ts'
import { exactValue } from './exact-json.ts'
import { memberOf } from './merge-json.ts'

/** What items are written for. */
export interface ItemContext {
  readonly form: JsonSourceForm & TargetForm
  /** All messages of the conversation: replies need to know their calls. */
  readonly all: readonly ConversationMessage[]
  /** The items of the sample. */
  readonly nodes: readonly JsonNode[]
  readonly header: JsonObject
}

/** Writes items. */
export class ItemWriter {
  readonly #context: ItemContext
  readonly #kinds: readonly string[]
  readonly #calls: ReadonlyMap<string, ConversationMessage>

  constructor(context: ItemContext) {
    this.#context = context
    this.#kinds = context.nodes.map((node) => kindOf((key) => valueIn(node, key)))
    this.#calls = new Map(
      context.all.flatMap((it) => (isCallMessage(it) && it.callId !== undefined ? [[it.callId, it]] : [])),
    )
  }

  /** True if the form writes `messages` as one item, because they are of one answer. */
  isOne(messages: readonly ConversationMessage[]): boolean {
    if (!jsonFormOf(this.#context.form).joinsAnswers) return false
    if (messages.some(({ role }) => role !== 'assistant')) return false
    return this.items(messages).length === 1
  }

  /** The items that the form writes for `messages`: one, several, or none for what it cannot say. */
  items(messages: readonly ConversationMessage[]): readonly JsonObject[] {
    if (messages.length === 0) return []
    const context = this.#callsBefore(messages)
    const items = this.#written([...context, ...messages]).slice(
      context.length === 0 ? 0 : this.#written(context).length,
    )
    const joined = jsonFormOf(this.#context.form).joined?.(items)
    return joined ? [joined] : items
  }

  /** `item` with the keys, the parts and the arguments that items of its kind next to `index` have. */
  likeNeighbours(item: JsonObject, index: number): JsonValue {
    const kind = kindOf((key) => item[key])
    const like = this.#context.nodes
      .map((node, at) => ({ node, kind: this.#kinds[at], distance: Math.abs(at - index) }))
      .filter((it) => it.kind === kind)
      .reduce<{ node: JsonNode; distance: number } | undefined>(
        (best, it) => (best && best.distance <= it.distance ? best : it),
        undefined,
      )?.node
    return like ? this.#inOwnWords(alike(item, like)) : item
  }

  /** `item` with the word that the sample has for who speaks. */
  #inOwnWords(item: JsonValue): JsonValue {
    if (!isObject(item)) return item
    const key = ['from', 'role', 'source'].find((it) => typeof item[it] === 'string')
    const role = key === undefined ? undefined : spokenRole(String(item[key]))
    if (key === undefined || role === undefined) return item
    for (const node of this.#context.nodes) {
      const word = memberOf(node, key)?.value
      if (typeof word === 'string' && spokenRole(word) === role) return { ...item, [key]: word }
    }
    return item
  }

  /** The calls that replies among `messages` answer and that are not among them; a message parts them from what follows. */
  #callsBefore(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
    const calls = messages.flatMap(({ role, callId }) => {
      const call = role === 'tool' && callId !== undefined ? this.#calls.get(callId) : undefined
      return call && !messages.includes(call) ? [call] : []
    })
    return calls.length === 0 ? [] : [...calls, { role: 'user', content: [], ending: 'end' }]
  }

  #written(messages: readonly ConversationMessage[]): readonly JsonObject[] {
    const { form, header } = this.#context
    const reading = { conversation: { header, messages }, losses: [], from: 'ocm' as const }
    const written = JSON.parse(writeConversation(reading, { to: form }).text) as JsonObject
    const lists = jsonFormOf(form)
      .lists?.map((it) => written[it])
      .filter((it) => Array.isArray(it))
    return (lists ?? []).flat() as readonly JsonObject[] // which are of objects
  }
}

function kindOf(fieldAt: (key: string) => unknown): string {
  const calls = fieldAt('tool_calls') !== undefined || fieldAt('tool_call') !== undefined
  return [fieldAt('role'), fieldAt('type') ?? 'message', calls].join(' ')
}

function valueIn(node: JsonNode, key: string): unknown {
  const member = memberOf(node, key)
  return member && (member.value ?? member.type)
}

function alike(item: JsonObject, like: JsonNode): JsonValue {
  const keys = (like.children ?? []).map(({ children: [key] = [] }) => String(key?.value))
  const rank = (key: string) => (keys.includes(key) ? keys.indexOf(key) : keys.length)
  const entries = Object.entries(item)
    .filter(
      ([key, value]) => keys.includes(key) || !(value === null || (key === 'type' && value === 'message')),
    )
    .map(([key, value]): [string, JsonValue] => [
      key,
      valueLike(key, value as JsonValue, memberOf(like, key)),
    ])
  return Object.fromEntries(entries.sort(([one], [other]) => rank(one) - rank(other)))
}

function valueLike(key: string, value: JsonValue, like: JsonNode | undefined): JsonValue {
  if (key === 'tool_calls' && Array.isArray(value))
    return value.map((it) => callLike(it, like?.children?.[0]))
  if ((key === 'arguments' || key === 'input') && like?.type === 'object' && typeof value === 'string')
    return exactValue(value) ?? value
  if (key !== 'content' && key !== 'output') return value
  const [part] = like?.children ?? []
  if (like?.type === 'array' && typeof value === 'string')
    return part?.type === 'string'
      ? [value]
      : [{ type: String(memberOf(part, 'type')?.value ?? 'text'), text: value }]
  if (like?.type === 'string' && Array.isArray(value) && value.length === 1 && isObject(value[0]))
    return value[0].text ?? value
  return value
}

function callLike(call: JsonValue, like: JsonNode | undefined): JsonValue {
  if (!isObject(call)) return call
  const called = call.function
  const asObject = memberOf(memberOf(like, 'function'), 'arguments')?.type === 'object'
  if (!asObject || !isObject(called) || typeof called.arguments !== 'string') return call
  return { ...call, function: { ...called, arguments: exactValue(called.arguments) ?? called.arguments } }
}
