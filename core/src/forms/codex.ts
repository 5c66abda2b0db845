/** Sessions of Codex: items of the Responses API among events. Read only. */

import { field, isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { fromResponses } from './responses.ts'
import { entriesIn, hasEntry, isTextOfProgram, noteUnknownEntries } from './samples/agent-session.ts'

const known: ReadonlySet<string> = new Set(
  'session_meta response_item compacted event_msg turn_context world_state'.split(' '),
)

/** The form. */
export const codex = defineForm({
  name: 'codex',
  title: 'Codex Session',
  summary: localizable`A Codex session`,
  documentation: 'a session of Codex: JSON lines with `type` and `payload`; read-only',
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
    const entries = entriesIn(value)
    noteUnknownEntries(
      entries.map(({ type }) => String(type)),
      known,
      losses,
    )
    const isMessage = ({ type, payload }: JsonObject) =>
      type === 'response_item' && isObject(payload) && payload.type === 'message'
    const hasMessages = entries.some(isMessage)
    const items = entries.flatMap((it) => itemsOf(it, hasMessages))
    return fromResponses({ input: items }, { losses, rest })
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
      return apartFromProgram(payload)
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

/** A message of the user, apart from parts of it that the program has written. */
function apartFromProgram(item: JsonObject): readonly JsonObject[] {
  const { type, role, content } = item
  if (type !== 'message' || role !== 'user') return [item]
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]) : [content]
  const runs: { readonly isProgram: boolean; readonly parts: (JsonValue | undefined)[] }[] = []
  for (const part of parts) {
    const text = isObject(part) ? part.text : part
    const last = runs.at(-1)
    // A part without text belongs to what is before it.
    const isProgram = typeof text === 'string' ? isWrittenByProgram(text) : (last?.isProgram ?? false)
    if (last?.isProgram === isProgram) last.parts.push(part)
    else runs.push({ isProgram, parts: [part] })
  }
  if (runs.every(({ isProgram }) => !isProgram)) return [item]
  return runs.map(({ isProgram, parts: own }): JsonObject => {
    const said = Array.isArray(content) ? own : own[0]
    return { ...item, role: isProgram ? 'developer' : 'user', content: said as JsonValue } // of which it is a part
  })
}

function isWrittenByProgram(text: string): boolean {
  return isTextOfProgram(text) || /^\s*# AGENTS\.md/.test(text)
}

function eventItems(payload: JsonObject): readonly JsonObject[] {
  const { type } = payload
  const text = textOf(field(payload, type === 'agent_reasoning' ? 'text' : 'message'))
  if (text === undefined) return []
  if (type === 'user_message') return [{ type: 'message', role: 'user', content: text }]
  if (type === 'agent_message') return [{ type: 'message', role: 'assistant', content: text }]
  return type === 'agent_reasoning' ? [{ type: 'reasoning', summary: [], content: text }] : []
}
