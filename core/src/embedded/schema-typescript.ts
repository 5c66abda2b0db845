/** JSON Schema as the TypeScript that Harmony shows to a model (HARMONY a.6), byte for byte, oddities included. */

import { jsonTextAt } from './json-number-spelling.ts'
import { field, isObject } from './json-value.ts'
import type { JsonObject, JsonValue } from './yaml-data.ts'

/** The type that `schema` describes, its lines set in by `indent`. The schema must not be too deep to recurse into. */
function typeScriptOf(schema: JsonValue | undefined, indent: string): string {
  if (!isObject(schema)) return 'any'
  const variants = field(schema, 'oneOf')
  if (Array.isArray(variants)) return unionOf(variants, indent)
  const type = field(schema, 'type')
  if (Array.isArray(type)) {
    const names = type.filter((it) => typeof it === 'string').map((it) => (it === 'integer' ? 'number' : it))
    if (names.length > 0) return names.join(' | ')
  }
  switch (type) {
    case 'object':
      return objectType(schema, indent)
    case 'string': {
      const values = stringsIn(field(schema, 'enum'))
      return values.length > 0 ? values.map((it) => `"${it}"`).join(' | ') : 'string'
    }
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array': {
      const items = field(schema, 'items')
      return items === undefined ? 'Array<any>' : `${typeScriptOf(items, indent)}[]`
    }
    default:
      return 'any'
  }
}

/** A union that is anywhere but directly in a property: it begins with a line break. */
function unionOf(variants: readonly JsonValue[], indent: string): string {
  let text = ''
  for (const variant of variants) {
    const type = withNull(typeScriptOf(variant, `${indent}   `), variant)
    const notes: string[] = []
    if (isObject(variant)) {
      const description = field(variant, 'description')
      const preset = field(variant, 'default')
      if (typeof description === 'string') notes.push(description)
      if (preset !== undefined) notes.push(`default: ${unionDefault(variant, preset)}`)
    }
    text += `\n${indent} | ${type}${notes.length > 0 ? ` // ${notes.join(' ')}` : ''}`
  }
  return text
}

function objectType(schema: JsonObject, indent: string): string {
  let text = ''
  const description = field(schema, 'description')
  if (typeof description === 'string') text += `${indent}// ${description}\n`
  text += '{\n'
  const properties = field(schema, 'properties')
  if (isObject(properties)) {
    const required = new Set(stringsIn(field(schema, 'required')))
    for (const [key, value] of Object.entries(properties))
      text += property(key, value, required.has(key), indent)
  }
  return `${text}${indent}}`
}

function property(key: string, value: JsonValue, isRequired: boolean, indent: string): string {
  const schema: JsonObject = isObject(value) ? value : {}
  let text = ''
  const title = field(schema, 'title')
  if (typeof title === 'string') text += `${indent}// ${title}\n${indent}//\n`
  const variants = field(schema, 'oneOf')
  const description = field(schema, 'description')
  if (typeof description === 'string' && variants === undefined) text += `${indent}// ${description}\n`
  const examples = stringsIn(field(schema, 'examples'))
  const hasExamples =
    Array.isArray(field(schema, 'examples')) && (field(schema, 'examples') as JsonValue[]).length > 0
  if (hasExamples) {
    text += `${indent}// Examples:\n`
    for (const example of examples) text += `${indent}// - "${example}"\n`
  }
  const name = isRequired ? key : `${key}?`
  if (Array.isArray(variants)) return text + unionProperty(name, schema, variants, indent)
  text += `${indent}${name}: ${withNull(typeScriptOf(value, `${indent}    `), schema)},`
  const preset = field(schema, 'default')
  if (preset !== undefined && variants === undefined) text += ` // default: ${bareDefault(schema, preset)}`
  return `${text}\n`
}

function unionProperty(
  name: string,
  schema: JsonObject,
  variants: readonly JsonValue[],
  indent: string,
): string {
  let text = ''
  const description = field(schema, 'description')
  const first = variants[0]
  const isShown =
    typeof description === 'string' && !(isObject(first) && field(first, 'description') === description)
  if (isShown) text += `${indent}// ${description}\n`
  const preset = field(schema, 'default')
  if (preset !== undefined) text += `${indent}// default: ${bareDefault(schema, preset)}\n`
  text += `${indent}${name}:\n`
  variants.forEach((variant, index) => {
    const type = withNull(typeScriptOf(variant, `${indent}   `), variant)
    const notes: string[] = []
    if (isObject(variant)) {
      const own = field(variant, 'description')
      const ownDefault = field(variant, 'default')
      const isSaid = own === description || (index === 0 && isShown)
      if (typeof own === 'string' && !isSaid) notes.push(own)
      if (ownDefault !== undefined) notes.push(`default: ${bareDefault(variant, ownDefault)}`)
    }
    text += `${indent} | ${type}${notes.length > 0 ? ` // ${notes.join(' ')}` : ''}\n`
  })
  return `${text}${indent},\n`
}

function withNull(type: string, schema: JsonValue): string {
  const isNullable = isObject(schema) && field(schema, 'nullable') === true
  return isNullable && !type.includes('null') ? `${type} | null` : type
}

/** A default of a property: text of an enum is not quoted. */
function bareDefault(schema: JsonObject, preset: JsonValue): string {
  if (typeof preset !== 'string') return jsonTextAt(schema, 'default')
  const values = field(schema, 'enum')
  return Array.isArray(values) && values.length > 0 ? preset : `"${preset}"`
}

/** A default of a variant outside properties: text of an enum is as JSON. */
function unionDefault(schema: JsonObject, preset: JsonValue): string {
  const values = field(schema, 'enum')
  const isEnum = Array.isArray(values) && values.length > 0
  return typeof preset === 'string' && !isEnum ? `"${preset}"` : jsonTextAt(schema, 'default')
}

function stringsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : []
}

/** A tool as a model is shown it. */
export interface ShownTool {
  readonly name: string
  readonly description: string
  /** The schema of the arguments, not too deep to recurse into; undefined if the tool takes none. */
  readonly parameters: JsonValue | undefined
  /** True for a tool that takes text instead of JSON, for which the reference has no words. */
  readonly isFreeform?: boolean
}

/** The lines of the block that shows the tools of a namespace, of which there is at least one. */
export function namespaceLines(name: string, tools: readonly ShownTool[]): readonly string[] {
  return [
    `namespace ${name} {`,
    '',
    ...tools.flatMap((it) => [...toolLines(it), '']),
    `} // namespace ${name}`,
  ]
}

function toolLines({ name, description, parameters, isFreeform }: ShownTool): readonly string[] {
  const lines = linesOf(description).map((it) => `// ${it}`)
  if (isFreeform) return [...lines, `type ${name} = (FREEFORM) => any;`]
  if (parameters === undefined) return [...lines, `type ${name} = () => any;`]
  return [...lines, `type ${name} = (_: ${typeScriptOf(parameters, '')}) => any;`]
}

/** Lines as the reference counts them: a break at the end begins no further line, and CR alone is not a break. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (text.endsWith('\n')) lines.pop()
  return lines
}
