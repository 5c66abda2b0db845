/** Anthropic's Messages API: content in blocks, with thinking, uses of tools, and their results. */

import { field, isObject, objectIn } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { sampleOf } from './json-sample.ts'
import { Columns } from './samples/sample-columns.ts'

const clueTypes = ['thinking', 'redacted_thinking', 'tool_result', 'server_tool_use', 'mid_conv_system']

/** The form. */
export const anthropic = defineForm({
  name: 'anthropic',
  title: 'Anthropic Messages',
  summary: localizable`A request with blocks of content and a system prompt`,
  documentation:
    'a request of the Messages API with `thinking`, `tool_use` and `tool_result` blocks, or its answer',
  language: 'json',
  holds: 'json',
  lists: ['messages'],
  recognizedBy: {
    blocks: (sample) => {
      if (!sample.hasList) return false
      const { partTypes } = sample
      if (partTypes.size > 0) {
        if (clueTypes.some((type) => partTypes.has(type))) return true
        for (const type of partTypes) if (type.endsWith('_tool_result')) return true
        if (sample.hasPart(isAnthropicPart)) return true
      }
      const tools = sample.object && field(sample.object, 'tools')
      return Array.isArray(tools) && tools.some((it) => isObject(it) && Object.hasOwn(it, 'input_schema'))
    },
    message: ({ object }) => object !== undefined && isAnswer(object),
  },
  read(value, context) {
    const { listKey, object } = sampleOf(value)
    const columns = new Columns(object ?? { messages: value }, context)
    if (listKey === undefined && object && isAnswer(object)) {
      columns.take('content')
      columns.reader.item(objectIn(object, localize`The document`), localize`The message`, undefined)
    } else columns.messages(listKey ?? 'messages')
    return columns.conversation()
  },
})

function isAnthropicPart(part: JsonObject): boolean {
  if (part.type === 'tool_use') return Object.hasOwn(part, 'input')
  return (part.type === 'image' || part.type === 'document') && Object.hasOwn(part, 'source')
}

/** A message as the API answers it. */
function isAnswer(value: JsonValue): boolean {
  if (!isObject(value)) return false
  return value.type === 'message' && value.role === 'assistant' && Array.isArray(value.content)
}
