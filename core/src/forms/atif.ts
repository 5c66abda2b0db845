/** ATIF: the steps of an agent, with their calls and what was observed. */

import { field, isObject, objectAt, objectIn, ShapeError, textField } from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm, type ReadContext } from './form.ts'
import { Columns } from './samples/sample-columns.ts'
import type { ItemShape } from './samples/sample-reader.ts'
import { inputValue, noteName, noteTurn, type Turn, turnsOf } from './samples/turns.ts'

const shape: ItemShape = { roles: ['source'], texts: ['message'], others: ['observation'] }

/** The form. */
export const atif = defineForm({
  name: 'atif',
  title: 'ATIF',
  summary: localizable`The trajectory of an agent in steps`,
  documentation:
    'a trajectory of the Agent Trajectory Interchange Format: `steps` with `source` and `message`',
  language: 'json',
  holds: 'json',
  lists: ['steps'],
  recognizedBy: {
    steps: (sample) => {
      const steps = sample.at('steps')
      if (!Array.isArray(steps)) return false
      const version = sample.at('schema_version')
      const [first] = steps as readonly JsonValue[]
      const isVersion = typeof version === 'string' && version.startsWith('ATIF')
      return isVersion || (isObject(first) && Object.hasOwn(first, 'source'))
    },
  },
  read(value, context) {
    const root = objectIn(value, localize`The document`)
    const agent = field(root, 'agent')
    const tools = isObject(agent) ? field(agent, 'tool_definitions') : undefined
    const columns = new Columns(root, context, { tools })
    const steps = columns.list('steps') ?? []
    for (let index = 0; index < steps.length; index++) {
      const where = localize`Step ${index + 1}`
      const step = objectAt(steps, index, where)
      context.losses.place = context.losses.places?.of(steps, index)
      columns.reader.item(step, where, { parent: steps, key: index }, shape)
      readObservation(step, columns, context)
    }
    context.losses.place = undefined
    return columns.conversation()
  },
  write(conversation, { losses }) {
    const { side, tools, turns } = turnsOf(conversation, losses, { answers: true, replies: false })
    const steps: Record<string, JsonValue>[] = []
    const results: JsonValue[][] = []
    for (const turn of turns) {
      noteName(turn, losses)
      if (turn.role !== 'tool') {
        steps.push({ step_id: steps.length + 1, ...stepOf(turn, losses) })
        results.push([])
        continue
      }
      const own = results.at(-1)
      if (!own) {
        noteTurn(turn, losses)
        continue
      }
      own.push({
        ...(turn.callId !== undefined && { source_call_id: turn.callId }),
        content: turn.text ?? '',
      })
    }
    const agent = { name: 'agent', version: '1', ...(tools && { tool_definitions: tools }) }
    return {
      schema_version: 'ATIF-v1.5',
      agent,
      ...side,
      steps: steps.map((step, index) => {
        const own = results[index] ?? []
        return own.length === 0 ? step : { ...step, observation: { results: own } }
      }),
    }
  },
})

function stepOf({ role, reasoning, text, calls }: Turn, losses: LossList): JsonObject {
  return {
    source: role === 'assistant' ? 'agent' : role,
    message: text ?? '',
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        tool_call_id: call.id,
        function_name: call.name,
        arguments: inputValue(call, losses),
      })),
    }),
  }
}

function readObservation(step: JsonObject, { reader }: Columns, { losses }: ReadContext): void {
  const observation = field(step, 'observation')
  if (observation === undefined || observation === null) return
  if (!isObject(observation))
    throw new ShapeError(localize`\`observation\` is not an object`, step, 'observation')
  const results = field(observation, 'results')
  if (!Array.isArray(results)) return
  const list: readonly JsonValue[] = results
  for (let index = 0; index < list.length; index++) {
    const result = objectAt(list, index, localize`A result`)
    const id = textField(result, 'source_call_id', localize`A result`)
    if ((field(result, 'subagent_trajectory_ref') ?? undefined) !== undefined)
      losses.addAt(
        'content-part',
        localize`The trajectory of another agent is left out`,
        result,
        'subagent_trajectory_ref',
      )
    if ((field(result, 'content') ?? undefined) === undefined) continue
    reader.say('tool', [reader.replyPiece(result, 'content', id, { parent: list, key: index })])
  }
}
