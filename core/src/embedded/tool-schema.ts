/**
 * What a value may be: JSON Schema as far as tools use it, with the places in the text that say so.
 * Names of properties are data: they are kept in maps, so `__proto__` and `constructor` are names like any other.
 */
import { append } from '../text/append.ts'
import type { Range } from '../text/range.ts'

/** The types of JSON values; an integer is a number. */
export type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** A JSON value. Objects come from `JSON.parse` and are only ever read by their own keys. */
export type SchemaValue =
  | string
  | number
  | boolean
  | null
  | readonly SchemaValue[]
  | { readonly [key: string]: SchemaValue }

/** Bounds of numbers, and of the length of strings and arrays. */
export interface SchemaLimits {
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
  readonly multipleOf?: number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
}

/** What a value may be. Every part that is present must hold. */
export interface Schema {
  /** The place in the text that was read. */
  readonly range: Range
  /** The allowed types; undefined allows all. */
  readonly types?: readonly SchemaType[] | undefined
  /** The allowed values: `enum` and `const`. */
  readonly values?: readonly SchemaValue[] | undefined
  /** At least one of these must hold. `oneOf` is read so too: the variants of tools often overlap. */
  readonly anyOf?: readonly Schema[] | undefined
  readonly allOf?: readonly Schema[] | undefined
  /** Another place of the same document; undefined if it leads nowhere, which allows everything. */
  readonly reference?: (() => Schema | undefined) | undefined
  readonly properties?: ReadonlyMap<string, SchemaProperty> | undefined
  /** The names that must be present, whether or not they are among the properties. */
  readonly required?: readonly string[] | undefined
  /** What further properties may be: anything (`true`), a schema, or none that the text knows of (`false`, undefined). */
  readonly additional?: Schema | boolean | undefined
  readonly items?: Schema | undefined
  /** What the first items may be, one by one. */
  readonly prefixItems?: readonly Schema[] | undefined
  readonly limits?: SchemaLimits | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly default?: { readonly value: SchemaValue } | undefined
  readonly examples?: readonly SchemaValue[] | undefined
}

/** A property of an object. */
export interface SchemaProperty {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  /** The name, quotes included. */
  readonly nameRange: Range
  /** The whole member. */
  readonly range: Range
}

const longestChain = 64 // references to references; more of them are a circle

/** `schema`, or what its references lead to; undefined if they lead nowhere or in a circle. */
export function resolved(schema: Schema | undefined): Schema | undefined {
  let at = schema
  for (let hops = 0; at?.reference; hops++) {
    if (hops >= longestChain) return undefined
    at = at.reference()
  }
  return at
}

/** The only values that are allowed, or undefined if there is no such list. */
export function valuesOf(schema: Schema | undefined): readonly SchemaValue[] | undefined {
  const target = resolved(schema)
  if (!target) return undefined
  if (target.values) return target.values
  if (!target.anyOf) return isOnlyNull(target) ? [null] : undefined
  const values: SchemaValue[] = []
  for (const variant of target.anyOf) {
    const own = variant.anyOf ? undefined : valuesOf(variant)
    if (!own) return undefined
    append(values, own)
  }
  return values
}

/** The properties that an object of `schema` may have, also those of its variants; the first one of a name counts. */
export function propertiesOf(schema: Schema | undefined): ReadonlyMap<string, SchemaProperty> {
  const found = new Map<string, SchemaProperty>()
  collectProperties(schema, found, 0)
  return found
}

const deepestVariants = 8 // variants of variants; no one writes more, and circles end here

function collectProperties(
  schema: Schema | undefined,
  found: Map<string, SchemaProperty>,
  depth: number,
): void {
  const target = resolved(schema)
  if (!target || depth > deepestVariants) return
  for (const [name, property] of target.properties ?? []) if (!found.has(name)) found.set(name, property)
  for (const part of [...(target.allOf ?? []), ...(target.anyOf ?? [])])
    collectProperties(part, found, depth + 1)
}

/** The property `name` of an object of `schema`. */
export function propertyOf(schema: Schema | undefined, name: string): SchemaProperty | undefined {
  const target = resolved(schema)
  return target?.properties?.get(name) ?? propertiesOf(target).get(name)
}

/** True if nothing but null is allowed. */
export function isOnlyNull({ types, values, anyOf }: Schema): boolean {
  return types?.length === 1 && types[0] === 'null' && !values && !anyOf
}
