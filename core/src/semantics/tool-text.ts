/** A tool in words: its signature and what its definition says, for its callers. */

import { deadlineName } from '../embedded/tool-arguments.ts'
import type { ToolDefinition } from '../embedded/tool-definition.ts'
import { propertiesOf, resolved, type Schema, type SchemaProperty } from '../embedded/tool-schema.ts'
import { keyText, typeText } from '../embedded/tool-schema-text.ts'
import { markdownBlock, markdownCode } from '../text/backticks.ts'
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
  return [markdownBlock(signatureOf(definition), 'typescript'), plain(definition.description)]
    .filter(Boolean)
    .join('\n\n')
}

/** The type of an argument as a code block, and what its definition says: Markdown. */
export function memberMarkdown(property: SchemaProperty): string {
  // The text next to a reference says more than its target.
  const schema = { ...resolved(property.schema), ...definedPart(property.schema) }
  const { title, description, examples } = schema
  const parts = [markdownBlock(memberText(property), 'typescript')]
  if (title) parts.push(`**${plain(title)}**`)
  if (description) parts.push(plain(description))
  if (schema.default) parts.push(localize`Default: ${markdownCode(JSON.stringify(schema.default.value))}`)
  if (examples?.length)
    parts.push(localize`Examples: ${examples.map((it) => markdownCode(JSON.stringify(it))).join(', ')}`)
  return parts.join('\n\n')
}

function definedPart(schema: Schema): Partial<Schema> {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}

const longestText = 2000 // code units of a description; a hover is not a page

/** Text of the document as Markdown that shows it and does nothing else: no links, no pictures, no HTML. */
export function plain(text: string): string {
  return (
    shortened(text, longestText)
      .replace(/[\\`*_{}[\]()#+.!|>~-]/g, '\\$&')
      // Readers that make links of addresses take a backslash for a part of one; an entity ends as it is written.
      .replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;'))
      .replace(/\r\n|\r|\n/g, '  \n')
  )
}
