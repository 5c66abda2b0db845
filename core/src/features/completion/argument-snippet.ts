/** Values and members of arguments as snippets, with a tab stop for each value. */

import { placeholder } from '../../embedded/tool-placeholder.ts'
import { propertiesOf, type Schema, type SchemaProperty, valuesOf } from '../../embedded/tool-schema.ts'
import { jsonText } from '../../text/json-text.ts'
import { choiceSnippet, escapedForSnippet } from '../../text/snippet-text.ts'

const choicesAtMost = 30 // of a list inside a snippet

/** A value with tab stops: a choice where there is a list, the inside of quotes and brackets, or the whole to overwrite. */
export function valueSnippet(schema: Schema, value: string): string {
  if (isChoice(schema)) {
    const allowed = (valuesOf(schema) ?? []).map((it) => jsonText(it))
    return choiceSnippet([value, ...allowed.filter((it) => it !== value)])
  }
  const inner = value.slice(1, -1)
  if (value.startsWith('"')) return `"\${1${inner === '' ? '' : `:${escapedForSnippet(inner)}`}}"`
  if (value === '{}') return '{$1\\}'
  if (value === '[]') return '[$1]'
  return `\${1:${escapedForSnippet(value)}}`
}

/** True if the value is a choice in the snippet. */
export function isChoice(schema: Schema): boolean {
  const nValues = valuesOf(schema)?.length ?? 0
  return nValues > 1 && nValues <= choicesAtMost
}

/** The members that an object of `schema` must have. */
export function requiredMembers(schema: Schema): readonly SchemaProperty[] {
  return [...propertiesOf(schema).values()].filter(({ isRequired }) => isRequired)
}

/** The required members with their values, tab stops counting from `firstStop`; empty if there is none. */
export function membersSnippet(schema: Schema, firstStop: number): string {
  const members = requiredMembers(schema).map(({ name, schema: member }, index) => {
    const value = valueSnippet(member, placeholder(member))
    return numbered(`${escapedForSnippet(jsonText(name))}:${value}`, firstStop + index)
  })
  return members.join(',')
}

function numbered(snippet: string, stop: number): string {
  return snippet.replace(/\$\{1(?=[:|}])/, `\${${stop}`).replace(/\$1(?=[\\\]])/, `$${stop}`)
}
