/** Tools and the choice of one, as the two kinds of requests write them: Chat Completions nested, Responses flat. */

import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import { field, isObject } from './json-input.ts'
import type { LossList } from './loss.ts'

/** The form whose requests are meant. */
export type RequestShape = 'messages' | 'responses'

/** `request` with its tools and `tool_choice` as requests of `shape` write them, whichever way they are written in it. */
export function inShape(request: JsonObject, shape: RequestShape, losses: LossList): JsonObject {
  const write = shape === 'messages' ? nested : flat
  const tools = field(request, 'tools')
  const choice = field(request, 'tool_choice')
  return {
    ...request,
    ...(Array.isArray(tools) && { tools: tools.map((it) => write(it, losses)) }),
    ...(choice !== undefined && { tool_choice: write(choice, losses) }),
  }
}

/** What says the name of a function, in either shape: `{type, function: {name, …}}` or `{type, name, …}`; undefined for all else. */
export function functionOf(tool: JsonValue): JsonObject | undefined {
  if (!isObject(tool) || field(tool, 'type') !== 'function') return undefined
  const inner = field(tool, 'function')
  const it = inner === undefined || inner === null ? tool : inner
  return isObject(it) && typeof field(it, 'name') === 'string' ? it : undefined
}

/** The fields that belong to the function; others are of the tool. */
const functionFields: readonly string[] = ['name', 'description', 'parameters', 'strict']

function nested(tool: JsonValue): JsonValue {
  if (functionOf(tool) !== tool) return tool
  const entries = Object.entries(tool as JsonObject)
  const isInner = ([key]: [string, JsonValue | undefined]) => functionFields.includes(key)
  return {
    type: 'function',
    function: Object.fromEntries(entries.filter((it) => isInner(it) && it[1] !== null)) as JsonObject,
    ...Object.fromEntries(entries.filter((it) => !isInner(it) && it[0] !== 'type' && it[0] !== 'function')),
  } as JsonObject
}

function flat(tool: JsonValue, losses: LossList): JsonValue {
  const inner = functionOf(tool)
  if (inner === undefined || inner === tool) return tool
  const ofFunction = Object.entries(inner).filter(([key]) => key !== 'type')
  const ofTool = Object.entries(tool as JsonObject).filter(([key]) => key !== 'type' && key !== 'function')
  const lost = ofTool.filter(([key]) => Object.hasOwn(inner, key)).map(([key]) => key)
  if (Object.hasOwn(inner, 'type')) lost.push('type')
  for (const key of lost)
    losses.add(
      'tool-definition',
      localize`\`${key.slice(0, 80)}\` stands twice in a tool, and is written once`,
    )
  return {
    type: 'function',
    ...Object.fromEntries(ofTool),
    ...Object.fromEntries(ofFunction),
  } as JsonObject
}
