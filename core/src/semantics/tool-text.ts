/** A tool in words: its signature and what its definition says, for its callers. */

import { deadlineName } from '../embedded/tool-arguments.ts'
import type { ToolDefinition } from '../embedded/tool-definition.ts'
import { propertiesOf, resolved, type Schema, type SchemaProperty } from '../embedded/tool-schema.ts'
import { keyText, typeText } from '../embedded/tool-schema-text.ts'
import { longestBackticks } from '../text/backticks.ts'
import { localize } from '../text/localize.ts'
import { shortened } from '../text/shortened.ts'

/** `get_weather(location: string, format?: "celsius" | "fahrenheit")` on one line. */
export function signatureOf(definition: ToolDefinition): string {
  return `${definition.name}(${argumentsText(definition)})`
}

const argumentsAtMost = 12 // of one line

function argumentsText({ parameters }: ToolDefinition): string {
  if (parameters.kind === 'none') return ''
  if (parameters.kind === 'unknown') return '…'
  const members = [...propertiesOf(parameters.schema).values()].filter(({ name }) => name !== deadlineName)
  const shown = members.slice(0, argumentsAtMost).map(memberText)
  return members.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ')
}

/** `format?: "celsius" | "fahrenheit"`. */
function memberText({ name, schema, isRequired }: SchemaProperty): string {
  return `${keyText(name)}${isRequired ? '' : '?'}: ${typeText(schema)}`
}

/** The signature as a code block, and the description: Markdown. */
export function toolMarkdown(definition: ToolDefinition): string {
  return [typeScript(signatureOf(definition)), plain(definition.description)].filter(Boolean).join('\n\n')
}

/** The type of an argument as a code block, and what its definition says: Markdown. */
export function memberMarkdown(property: SchemaProperty): string {
  // The text next to a reference says more than its target.
  const schema = { ...resolved(property.schema), ...definedPart(property.schema) }
  const { title, description, examples } = schema
  const parts = [typeScript(memberText(property))]
  if (title) parts.push(`**${plain(title)}**`)
  if (description) parts.push(plain(description))
  if (schema.default) parts.push(localize`Default: ${inline(JSON.stringify(schema.default.value))}`)
  if (examples?.length)
    parts.push(localize`Examples: ${examples.map((it) => inline(JSON.stringify(it))).join(', ')}`)
  return parts.join('\n\n')
}

function definedPart(schema: Schema): Partial<Schema> {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}

/** A block of TypeScript; nothing in it can end it. */
function typeScript(code: string): string {
  const fence = '`'.repeat(Math.max(3, longestBackticks(code) + 1))
  return `${fence}typescript\n${code}\n${fence}`
}

function inline(code: string): string {
  const fence = '`'.repeat(longestBackticks(code) + 1)
  const gap = fence.length > 1 ? ' ' : ''
  return `${fence}${gap}${code.replace(/\s+/g, ' ')}${gap}${fence}`
}

const longestText = 2000 // code units of a description; a hover is not a page

/** Text of the document as Markdown that shows it and does nothing else: no links, no pictures, no HTML. */
export function plain(text: string): string {
  return shortened(text, longestText)
    .replace(/[\\`*_{}[\]()#+.!|<>~-]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '  \n')
}
