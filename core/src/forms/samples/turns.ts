/** A conversation as the turns that forms of training data write: what the assistant thinks, says, and calls is one of them. */

import type { Conversation } from '../../conversation/conversation.ts'
import { field, isObject } from '../../conversation/json-input.ts'
import type { LossList } from '../../conversation/loss.ts'
import { usualTools } from '../../embedded/request-tools.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { shortened } from '../../text/shortened.ts'
import type { MarkupReading } from '../chat/chat-message.ts'
import { reasoningFieldKey, usualReasoningField } from '../chat/chat-tools.ts'
import { noteMessageField } from '../chat/note-kept.ts'
import { toMessages } from '../chat/write-messages.ts'
import { noteInexactJson } from '../json-source/inexact-json.ts'
import { markupIn } from './markup.ts'
import { messageFields } from './sample-reader.ts'

/** A call of a turn. */
export interface TurnCall {
  readonly id: string
  readonly name: string
  /** Its arguments: text, mostly JSON. */
  readonly input: string
}

/** A turn. */
export interface Turn {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly name: string | undefined
  readonly reasoning: string | undefined
  /** Undefined for a turn of the assistant that only thinks or calls. */
  readonly text: string | undefined
  readonly calls: readonly TurnCall[]
  /** Of a reply: the call that it answers, as far as that is known. */
  readonly callId: string | undefined
  readonly tool: string | undefined
  /** What the message has besides, such as training flags (F1). */
  readonly side: JsonObject
}

/** What is written of a conversation. */
export interface Turns {
  /** What the sample has besides the conversation and its tools. */
  readonly side: JsonObject
  /** The tools as Chat Completions define them. */
  readonly tools: readonly JsonValue[] | undefined
  readonly turns: readonly Turn[]
}

/**
 * The turns of `conversation`, for a form that is read as `reading` says. What they do not say goes to `losses`, and so do the
 * side fields of messages, unless the form has other fields next to the `messageKeys` of its messages.
 */
export function turnsOf(
  conversation: Conversation,
  losses: LossList,
  { messageKeys, ...reading }: MarkupReading & { readonly messageKeys?: readonly string[] },
): Turns {
  const { header = {} } = conversation
  const { [reasoningFieldKey]: _, ...rest } = header
  const written = toMessages({ ...conversation, header: rest }, losses, { reading, keeps: 'side' })
  const { messages = [], tools, ...side } = written
  const called = new Map<string, string>()
  const turns = (messages as readonly JsonObject[]).map((it) => turnOf(it, called, losses))
  return {
    side,
    tools: Array.isArray(tools) && tools.length > 0 ? usualTools(tools) : undefined,
    turns: turns.map((it) => withoutSide(it, messageKeys ?? Object.keys(it.side), losses)),
  }
}

/** The turn without those of its side fields that are in `keys`. */
function withoutSide(turn: Turn, keys: readonly string[], losses: LossList): Turn {
  const left = keys.filter((key) => Object.hasOwn(turn.side, key))
  for (const key of left) noteMessageField(key, losses)
  if (left.length === 0) return turn
  return {
    ...turn,
    side: Object.fromEntries(Object.entries(turn.side).filter(([key]) => !left.includes(key))),
  }
}

function turnOf(it: JsonObject, called: Map<string, string>, losses: LossList): Turn {
  const text = (key: string): string | undefined => {
    const value = field(it, key)
    return typeof value === 'string' ? value : undefined
  }
  const list = field(it, 'tool_calls')
  const calls = (Array.isArray(list) ? (list as readonly JsonObject[]) : []).map((call) => {
    const nested = field(call, 'function') ?? field(call, 'custom')
    if (call.type === 'custom')
      losses.add('content-type', localize`Custom tool calls cannot be distinguished from function calls`)
    const inner = isObject(nested) ? nested : {}
    const { name = '', arguments: input = inner.input } = inner
    const own = { id: String(call.id ?? ''), name: String(name), input: String(input ?? '') }
    called.set(own.id, own.name)
    return own
  })
  const callId = text('tool_call_id')
  return {
    role: String(it.role) as Turn['role'], // requests have these roles
    name: it.role === 'tool' ? undefined : text('name'),
    reasoning: text(usualReasoningField),
    text: text('content'),
    calls,
    callId,
    tool: text('name') ?? (callId === undefined ? undefined : called.get(callId)),
    side: Object.fromEntries(Object.entries(it).filter(([key]) => !messageFields.has(key))),
  }
}

/** The arguments of a call as a value; text that is not JSON stays text. What a value can't hold goes to `losses`. */
export function inputValue({ input }: TurnCall, losses: LossList): JsonValue {
  if (input === '') return {}
  const value = parsed(input)
  if (value !== undefined) noteInexactJson(input, value, losses)
  return value === undefined ? input : value
}

/** A call as JSON text, with its arguments as they are written. */
export function callText({ name, input }: TurnCall): string {
  const written = parsed(input) === undefined ? JSON.stringify(input === '' ? {} : input) : input
  return `{"name":${JSON.stringify(name)},"arguments":${written}}`
}

function parsed(input: string): JsonValue | undefined {
  try {
    return JSON.parse(input) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    return undefined
  }
}

/** What the assistant says, with its reasoning in tags before it, which readers hide again (F20). */
export function taggedText({ reasoning, text = '' }: Pick<Turn, 'reasoning' | 'text'>): string {
  return reasoning === undefined ? text : `<think>\n${reasoning}\n</think>\n\n${text}`
}

/**
 * As {@link taggedText}, but nothing in the reasoning ends it: what follows its end would be shown. What is read back otherwise than
 * as that reasoning and that text goes to `losses`.
 */
export function notedTaggedText(turn: Pick<Turn, 'reasoning' | 'text'>, losses: LossList): string {
  const { reasoning, text } = turn
  const written = taggedText(turn)
  if (reasoning === undefined || (isPlain(reasoning) && (text === undefined || isPlain(text)))) return written
  const said = text === undefined ? [reasoning] : [reasoning, text]
  const read = (markupIn(written)?.pieces ?? []).map(({ from, to }) => written.slice(from, to))
  if (isSame(read, said)) return written
  const isParted = !isSame(
    read.map((it) => it.trim()),
    said.map((it) => it.trim()).filter((it) => it !== ''),
  )
  const endless = isParted ? reasoning.replace(endOfThought, '$1\\$2') : reasoning
  if (endless !== reasoning) {
    losses.add('markup', localize`Tags in reasoning that would end it are written with a backslash`)
    return notedTaggedText({ reasoning: endless, text }, losses)
  }
  losses.add(
    'markup',
    isParted
      ? localize`Reasoning that contains tags or code fences can end elsewhere when it is read back`
      : localize`Line breaks next to the tags of reasoning are not read back`,
  )
  return written
}

/** What readers take for the end of the tags that {@link taggedText} writes, up to the slash and from there on. */
const endOfThought = /(<|\[)(\/think\b)/gi

/** True for a text that tags around it and next to it can't be confused with. */
function isPlain(text: string): boolean {
  return !/^[\r\n]|[<[◁＜&`~]|[\r\n]$/.test(text) && /\S/.test(text)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((it, index) => it === other[index])
}

/** Notes the name of who speaks, in a form that has none. */
export function noteName({ name }: Turn, losses: LossList): void {
  if (name !== undefined)
    losses.add('name', localize`The name \`${shortened(name, 80)}\` cannot be represented`)
}

/** Notes what a form with neither names nor ids of calls does not say of `turn`. */
export function noteNames(turn: Turn, losses: LossList): void {
  const { callId, calls } = turn
  noteName(turn, losses)
  if (callId !== undefined || calls.some(({ id }) => id !== ''))
    losses.add('call-id', localize`The IDs of calls cannot be represented`)
}

/** Notes replies that answer another call, or none, where calls and replies are paired by their order alone. */
export function notePairs(turns: readonly Turn[], losses: LossList): void {
  const calls: string[] = []
  let nAnswered = 0
  for (const turn of turns) {
    for (const { id } of turn.calls) calls.push(id)
    if (turn.role !== 'tool') continue
    if (turn.callId !== calls[nAnswered])
      losses.add(
        'pairing',
        localize`Calls and replies are paired by order, so a reply would answer another call or none`,
      )
    if (nAnswered < calls.length) nAnswered++
  }
}

/** Notes a turn that a form has no place for. */
export function noteTurn({ role }: Turn, losses: LossList): void {
  losses.add(
    'not-a-message',
    localize`A message with the role \`${role}\` cannot be represented and is left out`,
  )
}

/** The turns without a system prompt at their beginning, and that prompt, for forms that have it in a column of its own (F14). */
export function withoutSystem(turns: readonly Turn[]): {
  readonly system: string | undefined
  readonly others: readonly Turn[]
} {
  const [first] = turns
  const isSystem =
    first?.role === 'system' &&
    first.text !== undefined &&
    first.name === undefined &&
    Object.keys(first.side).length === 0
  return isSystem ? { system: first.text, others: turns.slice(1) } : { system: undefined, others: turns }
}

/**
 * The turns without the instructions at their beginning, and these as one text, for APIs that have no other place for them:
 * system and developer messages, which prompts for gpt-oss models begin with, with an empty line between them.
 */
export function withoutInstructions(
  turns: readonly Turn[],
  losses: LossList,
): { readonly instructions: string | undefined; readonly others: readonly Turn[] } {
  const isOther = ({ role, text, name }: Turn) =>
    (role !== 'system' && role !== 'developer') || text === undefined || name !== undefined
  const end = turns.findIndex(isOther)
  const number = end === -1 ? turns.length : end
  if (number === 0) return { instructions: undefined, others: turns }
  const first = turns.slice(0, number)
  if (first.some(({ role }) => role === 'developer'))
    losses.add('role', localize`Developer messages become part of the system prompt`)
  else if (number > 1) losses.add('message-boundary', localize`The system messages become one system prompt`)
  return { instructions: first.map(({ text }) => text).join('\n\n'), others: turns.slice(number) }
}
