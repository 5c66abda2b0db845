/** Anthropic's Messages API: content in blocks, with thinking, uses of tools, and their results. */

import { field, isObject, objectIn } from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import { toolOf } from '../embedded/request-tools.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { sampleOf } from './json-sample.ts'
import { Columns } from './samples/sample-columns.ts'
import { inputValue, noteName, type Turn, turnsOf, withoutInstructions } from './samples/turns.ts'

const clueTypes = ['thinking', 'redacted_thinking', 'tool_result', 'server_tool_use', 'mid_conv_system']

/** The form. */
export const anthropic = defineForm({
  name: 'anthropic',
  title: 'Anthropic Messages',
  summary: localizable`A request with blocks of content and a system prompt`,
  documentation:
    'a request of the Messages API with `thinking`, `tool_use`, and `tool_result` blocks, or a response',
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
  write(conversation, { losses }) {
    const { side, tools, turns } = turnsOf(conversation, losses, { answers: true, replies: false })
    const { instructions, others } = withoutInstructions(turns, losses)
    const messages: { role: string; content: JsonValue[] }[] = []
    for (const turn of others) {
      const { role } = turn
      noteName(turn, losses)
      const own = role === 'tool' ? 'user' : role
      if (own !== 'user' && own !== 'assistant')
        losses.add(
          'role',
          localize`The API does not accept messages with the role \`${own}\` after the beginning`,
        )
      const last = messages.at(-1)
      // Replies are in the message of the user that follows the calls.
      if (last && last.role === 'user' && own === 'user') last.content.push(...blocksOf(turn, losses))
      else messages.push({ role: own, content: [...blocksOf(turn, losses)] })
    }
    return {
      ...side,
      ...(instructions !== undefined && { system: instructions }),
      ...(tools && { tools: tools.map(toolBlock) }),
      messages: messages.map(({ role, content }) => ({ role, content: soleText(content) ?? content })),
    }
  },
})

function blocksOf(turn: Turn, losses: LossList): readonly JsonValue[] {
  const { role, reasoning, text, calls, callId } = turn
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: callId ?? '', content: text ?? '' }]
  if (reasoning !== undefined)
    losses.add('reasoning', localize`Reasoning is missing the signature that the API requires`)
  const said = text !== undefined && (text !== '' || (calls.length === 0 && reasoning === undefined))
  return [
    ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning }]),
    ...(said ? [{ type: 'text', text }] : []),
    ...calls.map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.name,
      input: inputValue(call, losses),
    })),
  ]
}

function soleText(content: readonly JsonValue[]): string | undefined {
  const [only] = content
  if (content.length === 0) return ''
  return content.length === 1 && isObject(only) && only.type === 'text' ? String(only.text) : undefined
}

/** A tool as the Messages API defines it. */
function toolBlock(tool: JsonValue): JsonValue {
  const it = toolOf(tool, 'function')
  if (!it) return tool
  const { name = '', description, parameters } = it
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: 'object', properties: {} },
  }
}

function isAnthropicPart(part: JsonObject): boolean {
  if (part.type === 'tool_use') return Object.hasOwn(part, 'input')
  return (part.type === 'image' || part.type === 'document') && Object.hasOwn(part, 'source')
}

/** A message as the API answers it. */
function isAnswer(value: JsonValue): boolean {
  if (!isObject(value)) return false
  return value.type === 'message' && value.role === 'assistant' && Array.isArray(value.content)
}
