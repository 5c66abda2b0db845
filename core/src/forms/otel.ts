/** OpenTelemetry: the attributes of a span of a generative model. */

import { field, isObject, objectIn } from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { withSideFields } from './envelope-fields.ts'
import { defineForm } from './form.ts'
import { Columns } from './samples/sample-columns.ts'
import type { ItemShape } from './samples/sample-reader.ts'
import { inputValue, type Turn, turnsOf, withoutSystem } from './samples/turns.ts'

const shape: ItemShape = { roles: ['role'], texts: ['parts', 'content'] }
const input = 'gen_ai.input.messages'
const output = 'gen_ai.output.messages'
const system = 'gen_ai.system_instructions'
const tools = 'gen_ai.tool.definitions'

/** The form. */
export const otel = defineForm({
  name: 'otel',
  title: 'OpenTelemetry',
  summary: localizable`Attributes of a span with messages of a model`,
  documentation: 'the attributes `gen_ai.input.messages` and `gen_ai.output.messages` of a span',
  language: 'json',
  holds: 'json',
  lists: [input, output],
  ownKeys: [input, output],
  recognizedBy: {
    attributes: ({ object }) => object !== undefined && attributesOf(object) !== undefined,
  },
  read(value, context) {
    const root = objectIn(value, localize`The document`)
    const own = attributesOf(root) ?? root
    const columns = new Columns(own, context, { tools: field(own, tools) })
    columns.take(tools)
    const { reader } = columns
    const instructions = columns.list(system)
    if (instructions) reader.say('system', reader.content(instructions, own, system, 'system'))
    columns.messages(input, shape)
    const answers = columns.list(output) ?? []
    if (answers.length > 1)
      columns.elements('output', answers, (index) => reader.list(answers, shape, index + 1, index))
    else reader.list(answers, shape)
    const conversation = columns.conversation()
    return own === root || context.rest === 'source'
      ? conversation
      : withSideFields(conversation, root, ['attributes'], context)
  },
  write(conversation, { losses }) {
    const { side, tools: defined, turns } = turnsOf(conversation, losses, { answers: true, replies: false })
    const { system: instructions, others } = withoutSystem(turns)
    const messages = others.map((it) => written(it, losses))
    const last = others.at(-1)?.role === 'assistant' ? messages.pop() : undefined
    return {
      ...side,
      ...(instructions !== undefined && { [system]: [{ type: 'text', content: instructions }] }),
      [input]: messages,
      ...(last && { [output]: [last] }),
      ...(defined && { [tools]: defined }),
    }
  },
})

function written({ role, name, reasoning, text, calls, callId }: Turn, losses: LossList): JsonObject {
  const replied = {
    type: 'tool_call_response',
    ...(callId !== undefined && { id: callId }),
    response: text ?? '',
  }
  const parts: readonly JsonValue[] =
    role === 'tool'
      ? [replied]
      : [
          ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
          ...(text === undefined || (text === '' && calls.length > 0)
            ? []
            : [{ type: 'text', content: text }]),
          ...calls.map((call) => ({
            type: 'tool_call',
            id: call.id,
            name: call.name,
            arguments: inputValue(call, losses),
          })),
        ]
  return { role, ...(name !== undefined && { name }), parts }
}

function attributesOf(root: JsonObject): JsonObject | undefined {
  for (const it of [root, field(root, 'attributes')] as readonly (JsonValue | undefined)[])
    if (isObject(it) && (Object.hasOwn(it, input) || Object.hasOwn(it, output))) return it
  return undefined
}
