/** Sessions of Codex: items of the Responses API among events. Read only. */

import { field, isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { fromResponses } from './responses.ts'
import { hasEntry, noteUnknownEntries } from './samples/agent-session.ts'

const known: ReadonlySet<string> = new Set(
  'session_meta response_item compacted event_msg turn_context world_state'.split(' '),
)

/** What the program writes in the name of the user. */
// Linear: one alternative after the other, each a fixed text.
const ofProgram = /^\s*(?:<environment_context>|<user_instructions>|<turn_aborted>|# AGENTS\.md)/

/** The form. */
export const codex = defineForm({
  name: 'codex',
  title: 'Codex Session',
  summary: localizable`A Codex session`,
  documentation: 'a session of Codex: JSON lines with `type` and `payload`; read only',
  language: 'jsonl',
  holds: 'json',
  isReadOnly: true,
  readsLines: true,
  recognizedBy: {
    entry: ({ value, items }) =>
      Array.isArray(value) &&
      hasEntry(
        items,
        ({ type, payload }) => isObject(payload) && (type === 'session_meta' || type === 'response_item'),
      ),
  },
  read(value, { losses, rest }) {
    const entries = (Array.isArray(value) ? (value as readonly JsonValue[]) : []).filter((it) => isObject(it))
    noteUnknownEntries(
      entries.map(({ type }) => String(type)),
      known,
      losses,
    )
    const isMessage = ({ type, payload }: JsonObject) =>
      type === 'response_item' && isObject(payload) && payload.type === 'message'
    const hasMessages = entries.some(isMessage)
    const items = entries.flatMap((it) => itemsOf(it, hasMessages))
    return fromResponses({ input: items }, losses, rest)
  },
})

function itemsOf({ type, payload }: JsonObject, hasMessages: boolean): readonly JsonObject[] {
  if (!isObject(payload)) return []
  switch (type) {
    case 'session_meta':
      return developer(textOf(field(payload, 'base_instructions')) ?? textOf(field(payload, 'instructions')))
    case 'compacted':
      return developer(textOf(field(payload, 'message')))
    case 'response_item':
      return [isOfProgram(payload) ? { ...payload, role: 'developer' } : payload]
    case 'event_msg':
      return hasMessages ? [] : eventItems(payload)
    default:
      return []
  }
}

function developer(text: string | undefined): readonly JsonObject[] {
  return text === undefined ? [] : [{ type: 'message', role: 'developer', content: text }]
}

/** A text, or what is under its `text`. */
function textOf(value: JsonValue | undefined): string | undefined {
  const text = isObject(value) ? field(value, 'text') : value
  return typeof text === 'string' && text !== '' ? text : undefined
}

function isOfProgram({ type, role, content }: JsonObject): boolean {
  if (type !== 'message' || role !== 'user') return false
  const [first] = Array.isArray(content) ? (content as readonly JsonValue[]) : [content]
  const text = isObject(first) ? first.text : first
  return typeof text === 'string' && ofProgram.test(text)
}

function eventItems(payload: JsonObject): readonly JsonObject[] {
  const { type } = payload
  const text = textOf(field(payload, type === 'agent_reasoning' ? 'text' : 'message'))
  if (text === undefined) return []
  if (type === 'user_message') return [{ type: 'message', role: 'user', content: text }]
  if (type === 'agent_message') return [{ type: 'message', role: 'assistant', content: text }]
  return type === 'agent_reasoning' ? [{ type: 'reasoning', summary: [], content: text }] : []
}
