/**
 * The tools of a request: JSON in the spellings of Chat Completions, Responses, the Messages API of Anthropic, and MCP; and how
 * a developer message shows them to a model, which is how Harmony does.
 */

import { field, isObject, isTooDeep } from './json-value.ts'
import { namespaceLines, type ShownTool } from './schema-typescript.ts'
import type { JsonObject, JsonValue } from './yaml-data.ts'

/** The tools that Chat Completions and Responses have: a function takes JSON, a custom tool takes text. */
export type ToolKind = 'function' | 'custom'

/** What says the name of a tool of that kind, in either shape: `{type, function: {name, …}}` or `{type, name, …}`; undefined for all else. */
export function toolOf(tool: JsonValue, kind: ToolKind): JsonObject | undefined {
  if (!isObject(tool) || field(tool, 'type') !== kind || inputSchemaOf(tool)) return undefined
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

/** How `tools`, the field of a request, is shown; nothing is shown of what is no list. Linear. */
export function shownTools(tools: JsonValue | undefined): ShownTools {
  if (!Array.isArray(tools)) return { requestTools: undefined, nHidden: 0 }
  const list: readonly JsonValue[] = tools
  const shown = list.flatMap((it) => (isTooDeep(it, deepestTool) ? [] : (shownTool(it) ?? [])))
  const nHidden = list.length - shown.length
  if (shown.length === 0) return { requestTools: undefined, nHidden }
  const body = ['# Tools', '', '## functions', '', ...namespaceLines('functions', shown)].join('\n')
  return { requestTools: { body, json: JSON.stringify(tools) }, nHidden }
}

function shownTool(tool: JsonValue): ShownTool | undefined {
  const it = toolOf(tool, 'function')
  if (it) return { ...named(it), parameters: objectOf(field(it, 'parameters')) }
  const custom = toolOf(tool, 'custom')
  if (custom) return { ...named(custom), parameters: undefined, isFreeform: true }
  if (!isObject(tool) || typeof field(tool, 'name') !== 'string') return undefined
  const parameters = inputSchemaOf(tool)
  return parameters && { ...named(tool), parameters }
}

function named(it: JsonObject): Pick<ShownTool, 'name' | 'description'> {
  const description = field(it, 'description')
  return { name: String(field(it, 'name')), description: typeof description === 'string' ? description : '' }
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}
