/** Schemas of tools as plain JSON Schema, to compare them. */
import { resolved, type Schema, type SchemaValue } from '../../../core/src/embedded/tool-schema.ts'

/** A plain JSON Schema object. */
export type PlainSchema = { [key: string]: SchemaValue | PlainSchema | PlainSchema[] | undefined }

/**
 * `schema` as JSON Schema in objects without prototype. References are resolved once; inside themselves they allow everything.
 */
export function jsonSchemaOf(schema: Schema | undefined): PlainSchema {
  return plain(schema, new Set())
}

function plain(schema: Schema | undefined, above: Set<Schema>): PlainSchema {
  const result: PlainSchema = Object.create(null)
  const target = resolved(schema)
  if (!target || above.has(target)) return result
  above.add(target)
  const { types, values, anyOf, allOf, items, prefixItems, limits, properties, required, additional } = target
  if (target.title !== undefined) result.title = target.title
  if (target.description !== undefined) result.description = target.description
  if (types) result.type = types.length === 1 ? types[0]! : types
  if (values) result.enum = values
  if (anyOf) result.anyOf = anyOf.map((it) => plain(it, above))
  if (allOf) result.allOf = allOf.map((it) => plain(it, above))
  if (properties) {
    const members: PlainSchema = Object.create(null)
    for (const { name, schema: member } of properties.values()) members[name] = plain(member, above)
    result.properties = members
  }
  if (required?.length) result.required = required
  if (typeof additional === 'object') result.additionalProperties = plain(additional, above)
  else if (additional !== undefined) result.additionalProperties = additional
  if (items) result.items = plain(items, above)
  if (prefixItems) result.prefixItems = prefixItems.map((it) => plain(it, above))
  for (const [name, value] of Object.entries(limits ?? {})) if (value !== undefined) result[name] = value
  if (target.default) result.default = target.default.value
  if (target.examples?.length) result.examples = target.examples
  above.delete(target)
  return result
}
