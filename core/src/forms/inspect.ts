/** Inspect: samples of evaluations, with content of reasoning and text, and calls by the name of a function. */

import { field, isObject, objectIn } from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { sampleOf } from './json-sample.ts'
import { Columns } from './samples/sample-columns.ts'
import { inputValue, type Turn, turnsOf } from './samples/turns.ts'

/** The form. */
export const inspect = defineForm({
  name: 'inspect',
  title: 'Inspect',
  summary: localizable`A sample from an Inspect evaluation`,
  documentation:
    'a sample of Inspect: `messages` with `reasoning` and `text` content, or `input` and `target`',
  language: 'json',
  holds: 'json',
  lists: ['messages', 'input'],
  recognizedBy: {
    messages: (sample) =>
      sample.hasList &&
      (sample.hasItem(callsByName) ||
        sample.hasPart(({ type, reasoning }) => type === 'reasoning' && typeof reasoning === 'string') ||
        isOutput(sample.at('output'))),
    target: (sample) =>
      !sample.hasList &&
      sample.at('target') !== undefined &&
      (typeof sample.at('input') === 'string' || Array.isArray(sample.at('input'))),
  },
  read(value, context) {
    const { listKey, object } = sampleOf(value)
    const columns = new Columns(object ?? { messages: value }, context)
    const key = listKey ?? (object ? 'input' : 'messages')
    for (const it of ['input', 'output', 'target', 'choices']) columns.take(it)
    if (typeof field(columns.root, key) === 'string') columns.said('user', [key])
    else columns.messages(key)
    if (object) objectIn(object, localize`The document`)
    return columns.conversation()
  },
  write(conversation, { losses }) {
    const { side, tools, turns } = turnsOf(conversation, losses, { answers: true, replies: true })
    return { ...side, ...(tools && { tools }), messages: turns.map((it) => written(it, losses)) }
  },
})

function written(
  { role, name, reasoning, text = '', calls, callId, tool }: Turn,
  losses: LossList,
): JsonObject {
  const content: JsonValue =
    reasoning === undefined
      ? text
      : [{ type: 'reasoning', reasoning }, ...(text === '' ? [] : [{ type: 'text', text }])]
  return {
    role,
    ...(name !== undefined && { name }),
    content,
    ...(callId !== undefined && { tool_call_id: callId }),
    ...(role === 'tool' && tool !== undefined && { function: tool }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: call.name,
        arguments: inputValue(call, losses),
      })),
    }),
  }
}

/** A call, or a reply, whose function is a name and not an object. */
function callsByName(item: JsonObject): boolean {
  if (typeof item.function === 'string') return true
  const calls = item.tool_calls
  return Array.isArray(calls) && calls.some((it) => isObject(it) && typeof it.function === 'string')
}

function isOutput(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, 'choices') || Object.hasOwn(value, 'completion')
}
