/** Values to begin with: what is written for an argument that has no value yet. */
import { jsonText } from '../text/json-text.ts'
import { resolved, type Schema, type SchemaValue, valuesOf } from './tool-schema.ts'

const deepest = 4 // levels of required members that are filled in

/** A value of `schema` as JSON: its default, the first of its values, or the emptiest of its type. */
export function placeholder(schema: Schema | undefined, depth = 0): string {
  const target = resolved(schema)
  const given = givenValue(target)
  if (given !== undefined) return jsonText(given)
  const type = target?.types?.[0]
  switch (type) {
    case 'string':
      return '""'
    case 'number':
    case 'integer':
      return String(numberIn(target))
    case 'boolean':
      return 'false'
    case 'array':
      return '[]'
    case 'null':
      return 'null'
    case 'object':
      return objectOf(target, depth)
    default:
      return ofParts(target, depth)
  }
}

/** Of a schema without type: the first variant, or an object if anything speaks of members. */
function ofParts(schema: Schema | undefined, depth: number): string {
  if (!schema || depth >= deepest) return 'null'
  if (schema.properties) return objectOf(schema, depth)
  const part = schema.anyOf?.[0] ?? schema.allOf?.find((it) => placeholder(it, depth + 1) !== 'null')
  return part ? placeholder(part, depth + 1) : 'null'
}

/** What the definition itself offers as a value: the default, an example, the first of the allowed values. */
function givenValue(schema: Schema | undefined): SchemaValue | undefined {
  if (schema?.default) return schema.default.value
  return schema?.values?.[0] ?? valuesOf(schema)?.[0] ?? schema?.examples?.[0]
}

function numberIn(schema: Schema | undefined): number {
  const { minimum, exclusiveMinimum, maximum } = schema?.limits ?? {}
  if (minimum !== undefined && minimum > 0) return minimum
  if (exclusiveMinimum !== undefined && exclusiveMinimum >= 0) return exclusiveMinimum + 1
  return maximum !== undefined && maximum < 0 ? maximum : 0
}

function objectOf(schema: Schema | undefined, depth: number): string {
  if (depth >= deepest) return '{}'
  const members = [...(schema?.properties?.values() ?? [])]
    .filter(({ isRequired }) => isRequired)
    .map(({ name, schema: member }) => `${jsonText(name)}: ${placeholder(member, depth + 1)}`)
  return `{${members.join(', ')}}`
}
