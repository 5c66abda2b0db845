/**
 * Says whether a value fits a schema, fast: each schema is compiled once into functions. Where the answer is no,
 * `schemaMismatches` says why, from the text.
 */
import { interned } from '../text/interned.ts'
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import { resolved, type Schema, type SchemaLimits, type SchemaType, type SchemaValue } from './tool-schema.ts'

/**
 * Tells whether a value, as `JSON.parse` gives it, fits. `false` where it takes a closer look as well: `schemaMismatches` finds
 * nothing wrong with a member that only another variant of the schema declares.
 */
export type Validator = (value: unknown) => boolean

/** The validator of `schema`, remembered with it. */
export const validatorOf = perValue((schema: Schema): Validator => {
  const compiled = compile(schema, false)
  return (value) => {
    steps = 0
    depth = 0
    return compiled(value)
  }
})

/**
 * Variants, references, members and items looked at so far. Schemas that refer to themselves can ask for any number of
 * variants on the smallest value, and each of many variants looks at all members; beyond the limit, variants and references
 * allow everything.
 */
let steps = 0
/** Far more than any honest arguments take; well below a tenth of a second. */
export const stepLimit = 200_000

/** References that are being followed, one inside the other; beyond the limit everything is allowed. */
let depth = 0
/** Both ways of validation recurse with them, and few values are nested as deeply. */
export const depthLimit = 200

const typeBits: Readonly<Record<SchemaType, number>> = {
  string: 1,
  number: 2 | 4,
  integer: 4,
  boolean: 8,
  null: 16,
  array: 32,
  object: 64,
}

/** The types without members. */
const scalarBits = 1 | 2 | 4 | 8 | 16

/** The bits of a value: one for its type, and for whole numbers that of integers alone. */
function bitOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return 1
    case 'number':
      return Number.isInteger(value) ? 4 : 2
    case 'boolean':
      return 8
    default:
      if (value === null) return 16
      return Array.isArray(value) ? 32 : 64
  }
}

const anything: Validator = () => true

/** `isOpen` if another schema besides this one may know of further properties. */
function compile(schema: Schema, isOpen: boolean): Validator {
  const checks: Validator[] = []
  const { types, values, anyOf, allOf, reference, limits } = schema
  const isOneOfSeveral = isOpen || hasCompany(schema)
  if (reference) checks.push(compileReference(schema, isOpen))
  const isObject = types?.length === 1 && types[0] === 'object'
  const object = compileObject(schema, isOneOfSeveral, !isObject)
  // What looks at the members looks at the type first, and a list of values tells their types.
  const isTyped = (isObject && object) || values?.every((it) => (bitOf(it) & bitsOf(types ?? [])) !== 0)
  if (types && !isTyped) checks.push(compileTypes(types))
  if (values) checks.push(compileValues(values))
  if (anyOf) checks.push(compileAnyOf(anyOf, isOneOfSeveral))
  for (const part of allOf ?? []) {
    const check = compile(part, true)
    checks.push((value) => ++steps > stepLimit || check(value))
  }
  if (object) checks.push(object)
  const array = compileArray(schema)
  if (array) checks.push(array)
  if (limits) checks.push((value) => brokenLimit(value, limits) === undefined)
  const [first = anything, second] = checks
  if (!second) return first
  if (checks.length === 2) return (value) => first(value) && second(value)
  return (value) => checks.every((check) => check(value))
}

/** The bits of the types of which `schema` allows every value; 0 if it looks at more than types. */
function freeTypes(schema: Schema): number {
  const { types, values, anyOf, allOf, reference, limits } = schema
  if (!types || values || anyOf || allOf || reference || limits) return 0
  return bitsOf(types) & scalarBits
}

function bitsOf(types: readonly SchemaType[]): number {
  return types.reduce((bits, type) => bits | typeBits[type], 0)
}

/** Most values have one simple type: told at once. */
function compileTypes(types: readonly SchemaType[]): Validator {
  if (types.length === 1) {
    switch (types[0]) {
      case 'string':
        return (value) => typeof value === 'string'
      case 'number':
        return (value) => typeof value === 'number'
      case 'boolean':
        return (value) => typeof value === 'boolean'
      case 'array':
        return (value) => Array.isArray(value)
    }
  }
  const allowed = bitsOf(types)
  return (value) => (bitOf(value) & allowed) !== 0
}

/** True if the properties of `schema` are not all that its objects may have. */
export function hasCompany({ anyOf, allOf, reference, properties }: Schema): boolean {
  const parts = (anyOf ? 1 : 0) + (allOf ? 1 : 0) + (reference ? 1 : 0) + (properties ? 1 : 0)
  return parts > 1 || allOf !== undefined
}

function compileReference(schema: Schema, isOpen: boolean): Validator {
  let target: Validator | undefined
  return (value) => {
    if (++steps > stepLimit || depth >= depthLimit) return true
    if (!target) {
      const found = resolved(schema)
      target = found ? compileShared(found, isOpen) : anything
    }
    depth++
    const isFit = target(value)
    depth--
    return isFit
  }
}

const closedTargets = new WeakMap<Schema, Validator>()
const openTargets = new WeakMap<Schema, Validator>()

/** What references lead to is compiled once, before its own references are followed. */
function compileShared(schema: Schema, isOpen: boolean): Validator {
  const known = (isOpen ? openTargets : closedTargets).get(schema)
  if (known) return known
  const compiled = compile(schema, isOpen)
  ;(isOpen ? openTargets : closedTargets).set(schema, compiled)
  return compiled
}

function compileAnyOf(variants: readonly Schema[], isOpen: boolean): Validator {
  const checks = variants.map((it) => compile(it, isOpen))
  return (value) => {
    for (const check of checks) if (++steps > stepLimit || check(value)) return true
    return false
  }
}

function compileValues(values: readonly SchemaValue[]): Validator {
  const scalars = new Set<unknown>(values.filter((it) => typeof it !== 'object' || it === null))
  const others = values.filter((it) => typeof it === 'object' && it !== null)
  if (others.length === 0)
    return scalars.size > fewValues ? (value) => scalars.has(value) : oneOf([...scalars])
  return (value) => {
    if (scalars.has(value)) return true
    for (const it of others) if (++steps > stepLimit || isSameJson(it, value)) return true
    return false
  }
}

const fewValues = 8 // up to here, comparing them all is faster than a look into a set

function oneOf(scalars: readonly unknown[]): Validator {
  return (value) => {
    for (let index = 0; index < scalars.length; index++) if (scalars[index] === value) return true
    return false
  }
}

/** In addition to the bits of types: the member must be there. */
const requiredBit = 128

/**
 * The check of an object's members. Transcripts have many tools, and between two calls of one all that is known of it has
 * left the processor's memory: so what most members need is in one table.
 *
 * @param isForOthers what it says of values that are not objects
 */
function compileObject(
  { properties, required = [], additional }: Schema,
  isOpen: boolean,
  isForOthers: boolean,
): Validator | undefined {
  if (!properties && required.length === 0 && (additional === undefined || additional === true))
    return undefined
  const further = furtherProperties(additional, isOpen || (!properties && additional !== false))
  /** By name, the types of which every value fits, and whether it must be there. */
  const members = new Map<string, number>()
  /** Asked where that does not tell. */
  const checks = new Map<string, Validator>()
  for (const [name, { schema }] of properties ?? []) {
    members.set(interned(name), freeTypes(schema))
    checks.set(name, compile(schema, false))
  }
  for (const name of required) members.set(interned(name), (members.get(name) ?? 0) | requiredBit)
  const nRequired = new Set(required).size
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return isForOthers
    let found = 0
    // The object comes from `JSON.parse`: all its properties are its own, `__proto__` included.
    for (const name in value) {
      steps++
      const member = members.get(name)
      const content = (value as Readonly<Record<string, unknown>>)[name]
      if (member === undefined) {
        if (!further(content)) return false
        continue
      }
      if (member >= requiredBit) found++
      if ((member & bitOf(content)) === 0 && !(checks.get(name) ?? further)(content)) return false
    }
    return found === nRequired
  }
}

function furtherProperties(additional: Schema | boolean | undefined, isOpen: boolean): Validator {
  if (typeof additional === 'object') return compile(additional, false)
  return additional === true || (isOpen && additional !== false) ? anything : () => false
}

function compileArray({ items, prefixItems = [] }: Schema): Validator | undefined {
  if (!items && prefixItems.length === 0) return undefined
  const rest = items ? compile(items, false) : anything
  const free = items ? freeTypes(items) : 0
  const first = prefixItems.map((it) => compile(it, false))
  return (value) => {
    if (!Array.isArray(value)) return true
    for (let index = 0; index < first.length && index < value.length; index++) {
      if (!first[index]?.(value[index])) return false
    }
    for (let index = first.length; index < value.length; index++) {
      steps++
      const item: unknown = value[index]
      if ((free & bitOf(item)) === 0 && !rest(item)) return false
    }
    return true
  }
}

/** The bound that `value` breaks, in words; undefined if it keeps all. */
export function brokenLimit(value: unknown, limits: SchemaLimits): string | undefined {
  if (typeof value === 'number') return brokenNumberLimit(value, limits)
  if (typeof value === 'string') {
    const { minLength, maxLength } = limits
    // A character takes one code unit or two.
    if (minLength !== undefined && value.length < 2 * minLength && [...value].length < minLength)
      return minLength === 1
        ? localize`at least 1 character long`
        : localize`at least ${minLength} characters long`
    if (maxLength !== undefined && value.length > maxLength && [...value].length > maxLength)
      return maxLength === 1
        ? localize`at most 1 character long`
        : localize`at most ${maxLength} characters long`
    return undefined
  }
  if (!Array.isArray(value)) return undefined
  const { minItems, maxItems } = limits
  if (minItems !== undefined && value.length < minItems)
    return minItems === 1 ? localize`at least 1 item long` : localize`at least ${minItems} items long`
  if (maxItems !== undefined && value.length > maxItems)
    return maxItems === 1 ? localize`at most 1 item long` : localize`at most ${maxItems} items long`
  return undefined
}

function brokenNumberLimit(value: number, limits: SchemaLimits): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  if (minimum !== undefined && value < minimum) return localize`at least ${minimum}`
  if (maximum !== undefined && value > maximum) return localize`at most ${maximum}`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return localize`more than ${exclusiveMinimum}`
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return localize`less than ${exclusiveMaximum}`
  if (multipleOf !== undefined && multipleOf > 0 && !isMultiple(value, multipleOf))
    return localize`a multiple of ${multipleOf}`
  return undefined
}

/** Within what floating point can tell: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient))
}

/** True if `one` and `other` are the same JSON value; the order of keys does not count. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) &&
      isSameJson((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  )
}
