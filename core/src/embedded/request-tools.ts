/**
 * The tools of a request: JSON in the spellings of Chat Completions, Responses, the Messages API of Anthropic, and MCP; and how
 * a developer message shows them to a model, which is how Harmony does.
 */

import { perText } from '../text/memo.ts'
import { field, isObject, isTooDeep } from './json-value.ts'
import { namespaceLines, type ShownTool } from './schema-typescript.ts'
import { headerSizeLimit, type JsonObject, type JsonValue } from './yaml-header.ts'

/** The tools that Chat Completions and Responses have: a function takes JSON, a custom tool takes text. */
export type ToolKind = 'function' | 'custom'

/** What says the name of a tool of that kind, in either shape: `{type, function: {name, …}}` or `{type, name, …}`; undefined for all else. */
export function toolOf(tool: JsonValue, kind: ToolKind): JsonObject | undefined {
  if (!isObject(tool) || inputSchemaOf(tool)) return undefined
  // Tools of other providers have no type, and are functions (F13).
  if ((field(tool, 'type') ?? 'function') !== kind) return undefined
  const inner = field(tool, kind)
  const it = inner === undefined || inner === null ? tool : inner
  return isObject(it) && typeof field(it, 'name') === 'string' ? it : undefined
}

/** The schema of the arguments as Anthropic and MCP name it; Anthropic calls such a tool `custom`, too. */
function inputSchemaOf(tool: JsonObject): JsonObject | undefined {
  const schema = field(tool, 'input_schema') ?? field(tool, 'inputSchema')
  return isObject(schema) ? schema : undefined
}

/** How the tools of a request are shown. */
export interface ShownTools {
  /** The body of the message that shows them, and their JSON; undefined if none is shown. */
  readonly requestTools: { readonly body: string; readonly json: string } | undefined
  /** How many tools are not shown: those that are neither functions nor custom, and those nested too deeply. */
  readonly nHidden: number
}

const deepestTool = 200 // levels; the writer of the types recurses

/** The keys of a request that its tools are under. */
export const toolKeys = ['tools', 'functions'] as const

/** The tools of a request: `tools`, or what older ones have as `functions`, also as JSON in a string (F5, F13). */
export function toolList(request: JsonObject): readonly JsonValue[] | undefined {
  for (const key of toolKeys) {
    const value = field(request, key)
    if (value === undefined || value === null || value === '') continue
    const tools = typeof value === 'string' ? parsed(value) : value
    if (Array.isArray(tools)) return tools.length === 0 ? undefined : tools
  }
  return undefined
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    return undefined
  }
}

/** How `tools`, those of a request, are shown; nothing is shown if it is not a list. Linear. */
export function shownTools(tools: JsonValue | undefined): ShownTools {
  if (!Array.isArray(tools)) return noTools
  return isTooDeep(tools, deepestTool) ? shownOf(tools) : shownText(JSON.stringify(tools))
}

const noTools: ShownTools = { requestTools: undefined, nHidden: 0 }

/** Remembered, because the samples of a dataset have the same few tools again and again. */
const shownText = perText((json) => shownOf(JSON.parse(json)), { texts: 32, length: 4 * headerSizeLimit })

function shownOf(tools: readonly JsonValue[]): ShownTools {
  const list = tools.flatMap(declaredTools)
  const shown = list.flatMap((it) => (isTooDeep(it, deepestTool) ? [] : (shownTool(it) ?? [])))
  const nHidden = list.length - shown.length
  if (shown.length === 0) return { requestTools: undefined, nHidden }
  const body = ['# Tools', '', '## functions', '', ...namespaceLines('functions', shown)].join('\n')
  return { requestTools: { body, json: JSON.stringify(usualTools(tools)) }, nHidden }
}

/** The tools of `list` as Chat Completions or Anthropic define them; what already is so stays the same object (F13). */
export function usualTools(list: readonly JsonValue[]): readonly JsonValue[] {
  return list.flatMap(declaredTools).map((it) => {
    if (!isObject(it) || isTooDeep(it, deepestTool) || isUsual(it)) return it
    return nestedTool(it)
  })
}

/** The tools of `list` as chat templates expect them: all as `{"type": "function", "function": {…}}`. */
export function templateTools(list: readonly JsonValue[]): readonly JsonValue[] {
  return list
    .flatMap(declaredTools)
    .map((it) => (isObject(it) && !isObject(field(it, 'function')) ? nestedTool(it) : it))
}

function nestedTool(tool: JsonObject): JsonObject {
  const shown = isTooDeep(tool, deepestTool) ? undefined : shownTool(tool)
  if (!shown) return tool
  const { name, description, parameters } = shown
  return {
    type: 'function',
    function: { name, ...(description !== '' && { description }), ...(parameters && { parameters }) },
  }
}

/** True for a tool with a type whose schema is one, where those who check calls look for it. */
function isUsual(tool: JsonObject): boolean {
  const it = toolOf(tool, 'function')
  if (!it) return true
  const parameters = field(it, 'parameters')
  return field(tool, 'type') !== undefined && (!isObject(parameters) || schemaOf(parameters) === parameters)
}

/** The tools that one element of a list declares: itself, or several functions, as Gemini writes them (F13), or one, as Converse does. */
function declaredTools(tool: JsonValue): readonly JsonValue[] {
  if (!isObject(tool)) return [tool]
  const { toolSpec, cachePoint } = tool
  if (isObject(toolSpec)) {
    const { inputSchema, ...rest } = toolSpec
    const parameters = isObject(inputSchema) ? inputSchema.json : undefined
    return [isObject(parameters) ? { ...rest, parameters } : rest]
  }
  if (isObject(cachePoint)) return []
  const declared = field(tool, 'functionDeclarations') ?? field(tool, 'function_declarations')
  return Array.isArray(declared) ? declared : [tool]
}

function shownTool(tool: JsonValue): ShownTool | undefined {
  const it = toolOf(tool, 'function')
  if (it) return { ...named(it), parameters: schemaOf(objectOf(field(it, 'parameters'))) }
  const custom = toolOf(tool, 'custom')
  if (custom) return { ...named(custom), parameters: undefined, isFreeform: true }
  if (!isObject(tool) || typeof field(tool, 'name') !== 'string') return undefined
  const parameters = inputSchemaOf(tool)
  return parameters && { ...named(tool), parameters }
}

/** The JSON Schema of a function's arguments; a bare map of them has the properties of one (F13). */
function schemaOf(parameters: JsonObject | undefined): JsonObject | undefined {
  if (!parameters) return undefined
  const { type } = parameters
  const isSchema =
    typeof type === 'string' ||
    Array.isArray(type) ||
    schemaKeys.some((key) => Object.hasOwn(parameters, key))
  if (isSchema)
    return typeof type === 'string' && type !== type.toLowerCase() ? lowerTypes(parameters) : parameters
  if (Object.keys(parameters).length === 0) return parameters
  return lowerTypes({ type: 'object', properties: parameters })
}

const schemaKeys = ['properties', '$ref', '$schema', 'anyOf', 'oneOf', 'allOf', '$defs']

/** The schema with its types in lower case, as JSON Schema has them. What is too deep for that is refused before. */
function lowerTypes(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).map(([key, value]): [string, JsonValue | undefined] => {
    if (key === 'type' && typeof value === 'string') return [key, value.toLowerCase()]
    if (key === 'properties' && isObject(value)) {
      const properties = Object.entries(value).map(([name, it]): [string, JsonValue | undefined] => [
        name,
        isObject(it) ? lowerTypes(it) : it,
      ])
      return [key, Object.fromEntries(properties) as JsonObject]
    }
    return [key, key === 'items' && isObject(value) ? lowerTypes(value) : value]
  })
  return Object.fromEntries(entries) as JsonObject
}

function named(it: JsonObject): Pick<ShownTool, 'name' | 'description'> {
  const description = field(it, 'description')
  return { name: String(field(it, 'name')), description: typeof description === 'string' ? description : '' }
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}
