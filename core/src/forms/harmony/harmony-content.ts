/** The bodies of system and developer messages as Harmony writes them from their parts (HARMONY a.3, a.4, a.5). */

import {
  field,
  isObject,
  isTooDeep,
  listField,
  objectAt,
  ShapeError,
  textField,
} from '../../conversation/json-input.ts'
import { linesOf, namespaceLines, type ShownTool } from '../../embedded/schema-typescript.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'

/** A system body. @param hasFunctions true if some developer message of the conversation defines functions */
export function systemText(content: JsonObject, hasFunctions: boolean): string {
  const where = localize`System content`
  const sections: string[] = []
  const top: string[] = []
  const identity = textField(content, 'model_identity', where)
  if (identity !== undefined) top.push(identity)
  const cutoff = textField(content, 'knowledge_cutoff', where)
  if (cutoff !== undefined) top.push(`Knowledge cutoff: ${cutoff}`)
  const date = textField(content, 'conversation_start_date', where)
  if (date !== undefined) top.push(`Current date: ${date}`)
  if (top.length > 0) sections.push(top.join('\n'))
  const effort = textField(content, 'reasoning_effort', where)
  if (effort !== undefined) sections.push(`Reasoning: ${effort.toLowerCase()}`)
  const tools = toolsText(field(content, 'tools'))
  if (tools !== undefined) sections.push(tools)
  const config = field(content, 'channel_config')
  if (isObject(config)) {
    const channels = listField(config, 'valid_channels', where).filter((it) => typeof it === 'string')
    if (channels.length > 0) {
      let text = `# Valid channels: ${channels.join(', ')}.`
      if (field(config, 'channel_required') === true) text += ' Channel must be included for every message.'
      if (hasFunctions) text += "\nCalls to these tools must go to the commentary channel: 'functions'."
      sections.push(text)
    }
  }
  return sections.join('\n\n')
}

/** A developer body. */
export function developerText(content: JsonObject): string {
  const sections: string[] = []
  const instructions = textField(content, 'instructions', localize`Developer content`)
  if (instructions !== undefined) sections.push('# Instructions', instructions)
  const tools = toolsText(field(content, 'tools'))
  if (tools !== undefined) sections.push(tools)
  return sections.join('\n\n')
}

/** True if `content`, of a developer message, defines a function. */
export function definesFunctions(content: JsonObject): boolean {
  const tools = field(content, 'tools')
  const functions = isObject(tools) ? field(tools, 'functions') : undefined
  return isObject(functions) && listField(functions, 'tools', localize`A namespace`).length > 0
}

/** The section on tools: a block for each namespace, in order of their keys; undefined if there is none. */
function toolsText(tools: JsonValue | undefined): string | undefined {
  if (!isObject(tools)) return undefined
  const keys = Object.keys(tools).sort(byCodePoint)
  if (keys.length === 0) return undefined
  return [
    '# Tools',
    ...keys.map((key) => namespaceText(objectAt(tools, key, localize`The namespace \`${key}\``))),
  ].join('\n\n')
}

function byCodePoint(one: string, other: string): number {
  const [left, right] = [[...one], [...other]]
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function namespaceText(namespace: JsonObject): string {
  const where = localize`A namespace`
  const name = textField(namespace, 'name', where) ?? ''
  const tools = listField(namespace, 'tools', where)
  const lines = [`## ${name}`, '']
  const description = textField(namespace, 'description', where)
  if (description !== undefined) {
    for (const line of linesOf(description)) lines.push(tools.length > 0 ? `// ${line}` : line)
  }
  if (tools.length > 0)
    lines.push(
      ...namespaceLines(
        name,
        tools.map((_, index) => shownTool(objectAt(tools, index, localize`A tool`))),
      ),
    )
  return lines.join('\n')
}

function shownTool(tool: JsonObject): ShownTool {
  const name = textField(tool, 'name', localize`A tool`) ?? ''
  const description = textField(tool, 'description', localize`A tool`) ?? ''
  const parameters = field(tool, 'parameters') ?? undefined
  if (isTooDeep(parameters, 200))
    throw new ShapeError(localize`The parameters of \`${name}\` are nested too deeply`, tool, 'parameters')
  return { name, description, parameters }
}

/** True for a message of JSON with a body in parts that only Harmony has. */
export function isStructuredItem(item: JsonValue): boolean {
  if (!isObject(item)) return false
  const { content } = item
  return typeof content === 'object' && (Array.isArray(content) ? content : [content]).some(isStructuredPart)
}

function isStructuredPart(part: JsonValue): boolean {
  return isObject(part) && String(field(part, 'type')).endsWith('_content')
}
