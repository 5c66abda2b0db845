/** Tools and the choice of one, as the two kinds of requests write them: Chat Completions nested, Responses flat. */

import { field, isObject } from '../../conversation/json-input.ts'
import type { LossList } from '../../conversation/loss.ts'
import { type ToolKind, toolOf } from '../../embedded/request-tools.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { shortened } from '../../text/shortened.ts'

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

/** The fields that belong to what is nested; others are of the tool. */
const innerFields: Readonly<Record<ToolKind, readonly string[]>> = {
  function: ['name', 'description', 'parameters', 'strict'],
  custom: ['name', 'description', 'format'],
}

function nested(tool: JsonValue, losses: LossList): JsonValue {
  const choice = allowedToolsIn(tool)
  if (choice) return nestedChoice(choice, losses)
  const kind = kindOf(tool)
  if (kind === undefined || toolOf(tool, kind) !== tool) return tool
  const entries = Object.entries(tool as JsonObject)
  const isInner = ([key]: [string, JsonValue | undefined]) => innerFields[kind].includes(key)
  const inner = Object.fromEntries(entries.filter((it) => isInner(it) && it[1] !== null)) as JsonObject
  return {
    type: kind,
    [kind]: withFormat(inner, nestedFormat),
    ...Object.fromEntries(entries.filter((it) => !isInner(it) && it[0] !== 'type' && it[0] !== kind)),
  } as JsonObject
}

function flat(tool: JsonValue, losses: LossList): JsonValue {
  const choice = allowedToolsIn(tool)
  if (choice) return flatChoice(choice, losses)
  const kind = kindOf(tool)
  const inner = kind && toolOf(tool, kind)
  if (kind === undefined || inner === undefined || inner === tool) return tool
  return {
    type: kind,
    ...joined(tool as JsonObject, withFormat(inner, flatFormat), kind, losses),
  } as JsonObject
}

function kindOf(tool: JsonValue): ToolKind | undefined {
  if (toolOf(tool, 'function')) return 'function'
  return toolOf(tool, 'custom') && 'custom'
}

/** The fields of `outer` and `inner`, which is in it at `key`, but for their types; where both have one, that of `inner`. */
function joined(outer: JsonObject, inner: JsonObject, key: string, losses: LossList): JsonObject {
  const ofOuter = Object.entries(outer).filter(([name]) => name !== 'type' && name !== key)
  const ofInner = Object.entries(inner).filter(([name]) => name !== 'type')
  const lost = ofOuter.filter(([name]) => Object.hasOwn(inner, name)).map(([name]) => name)
  if (Object.hasOwn(inner, 'type')) lost.push('type')
  for (const name of lost)
    losses.add(
      'tool-definition',
      localize`\`${shortened(name, 80)}\` appears twice in a tool and is written once`,
    )
  return { ...Object.fromEntries(ofOuter), ...Object.fromEntries(ofInner) } as JsonObject
}

const allowedTools = 'allowed_tools'

/** A choice among some of the tools, which are named there like the tools themselves. */
function allowedToolsIn(choice: JsonValue): JsonObject | undefined {
  if (!isObject(choice) || field(choice, 'type') !== allowedTools) return undefined
  const inner = field(choice, allowedTools)
  return Array.isArray(field(isObject(inner) ? inner : choice, 'tools')) ? choice : undefined
}

function nestedChoice(choice: JsonObject, losses: LossList): JsonObject {
  const inner = field(choice, allowedTools)
  if (isObject(inner)) return { ...choice, [allowedTools]: named(inner, nested, losses) }
  const { mode, tools, ...rest } = choice
  const allowed = { ...(mode !== undefined && { mode }), ...(tools !== undefined && { tools }) }
  return { ...rest, [allowedTools]: named(allowed, nested, losses) }
}

function flatChoice(choice: JsonObject, losses: LossList): JsonObject {
  const inner = field(choice, allowedTools)
  if (!isObject(inner)) return named(choice, flat, losses)
  return { type: allowedTools, ...joined(choice, named(inner, flat, losses), allowedTools, losses) }
}

function named(
  list: JsonObject,
  write: (tool: JsonValue, losses: LossList) => JsonValue,
  losses: LossList,
): JsonObject {
  const tools = field(list, 'tools')
  return Array.isArray(tools) ? { ...list, tools: tools.map((it) => write(it, losses)) } : list
}

/** A custom tool with the `format` of its input in the other shape. */
function withFormat(tool: JsonObject, write: (format: JsonObject) => JsonObject): JsonObject {
  const format = field(tool, 'format')
  return isObject(format) && field(format, 'type') === 'grammar' ? { ...tool, format: write(format) } : tool
}

function nestedFormat(format: JsonObject): JsonObject {
  const { type, syntax, definition, ...rest } = format
  if (syntax === undefined && definition === undefined) return format
  const grammar = { ...(syntax !== undefined && { syntax }), ...(definition !== undefined && { definition }) }
  return field(rest, 'grammar') === undefined ? { type: type ?? 'grammar', grammar, ...rest } : format
}

function flatFormat(format: JsonObject): JsonObject {
  const { grammar, ...rest } = format
  if (!isObject(grammar) || Object.keys(grammar).some((key) => Object.hasOwn(rest, key))) return format
  return { ...rest, ...grammar }
}
