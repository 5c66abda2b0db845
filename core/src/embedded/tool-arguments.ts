/** What the arguments of a tool may be: its parameters, and the deadline that every call may carry (2.2 §8.2, D19). */
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { resolved, type Schema, type SchemaProperty } from './tool-schema.ts'

/** The argument that every tool takes: milliseconds after which the call may be given up. */
export const deadlineName = 'deadline_ms'

/** The schema of the arguments of a tool; undefined if its definition does not tell. */
export const argumentsSchema = perValue((definition: ToolDefinition): Schema | undefined => {
  const { parameters, nameRange } = definition
  switch (parameters.kind) {
    case 'unknown':
      return undefined
    case 'none':
      return { range: nameRange, types: ['object'], properties: deadlineOnly(nameRange) }
    case 'schema':
      return withDeadline(parameters.schema, nameRange, 0)
    default:
      return parameters satisfies never
  }
})

/** True if a call may also have an empty body: the tool takes nothing. */
export function takesNothing({ parameters }: ToolDefinition): boolean {
  if (parameters.kind !== 'schema') return parameters.kind === 'none'
  const { properties, required, additional, anyOf, allOf, reference, types } = parameters.schema
  const isObject = types?.length === 1 && types[0] === 'object'
  const isEmpty = properties !== undefined && properties.size === 0 && !required?.length
  return isObject && isEmpty && !additional && !anyOf && !allOf && !reference
}

/** True if the tool itself has an argument of this name, so that it says what the name means. */
export function declaresDeadline(definition: ToolDefinition): boolean {
  const schema = argumentsSchema(definition)
  const property = schema?.properties?.get(deadlineName)
  return property !== undefined && property.nameRange !== definition.nameRange
}

/** True if the arguments may be something else than an object, because the definition says so itself. */
export function takesOthers({ parameters }: ToolDefinition): boolean {
  return parameters.kind === 'schema' && allowsOthers(parameters.schema, 0)
}

function allowsOthers(schema: Schema, depth: number): boolean {
  const target = resolved(schema)
  if (!target || depth > deepestVariants) return false
  const { types, values, anyOf = [], allOf = [] } = target
  if (types) return types.some((it) => it !== 'object')
  if (values) return values.some((it) => typeof it !== 'object' || it === null || Array.isArray(it))
  return [...anyOf, ...allOf].some((it) => allowsOthers(it, depth + 1))
}

const deepestVariants = 8 // variants of variants at the top

function withDeadline(schema: Schema, range: Range, depth: number): Schema {
  const target = resolved(schema)
  if (!target || depth > deepestVariants) return { range, types: ['object'], additional: true }
  // What is for other values stays so.
  if (target.types && !target.types.includes('object')) return target
  const variants = target.anyOf?.map((it) => withDeadline(it, range, depth + 1))
  const properties = new Map(target.properties ?? [])
  if (!properties.has(deadlineName)) properties.set(deadlineName, deadlineProperty(range))
  // Without properties of its own, a schema leaves them to its variants, or allows all.
  const isOpen =
    target.properties === undefined && target.additional === undefined && !variants && !target.allOf
  return {
    ...target,
    types: allowsOthers(target, depth) ? target.types : ['object'],
    ...(variants && { anyOf: variants }),
    ...(target.properties || !variants ? { properties } : {}),
    ...(isOpen && { additional: true }),
  }
}

function deadlineOnly(range: Range): ReadonlyMap<string, SchemaProperty> {
  return new Map([[deadlineName, deadlineProperty(range)]])
}

const usualDeadline = 30_000 // to begin with: half a minute

function deadlineProperty(range: Range): SchemaProperty {
  return {
    name: deadlineName,
    isRequired: false,
    nameRange: range,
    range,
    schema: {
      range,
      types: ['integer'],
      limits: { minimum: 1 },
      description: localize`Milliseconds after which the call may be abandoned; every tool accepts it (2.2 §8.2).`,
      examples: [usualDeadline],
    },
  }
}
