/**
 * A JSON Schema in the shape in which the library takes it: a copy without what is malformed, with hooks through which
 * {@link LibraryRun} counts the work. The library reads `type` whenever it looks at a value, which is where it is counted.
 */

import { type Schema as LibraryNode, format as libraryFormats } from '@cfworker/json-schema'
import { regexSource } from '../text/regex-source.ts'
import { isObject } from './json-value.ts'
import { type LinearPattern, linearPattern } from './linear-pattern.ts'
import type { SchemaValue } from './tool-schema.ts'

/** A schema as the library takes it. */
export type LibrarySchema = LibraryNode | boolean

/** What one question to the library has cost so far; {@link charge} ends it when that is too much. */
export interface LibraryRun {
  charge(steps: number): void
  /** Comparisons that looking for equal items takes at most, in any list of the value. */
  readonly comparisons: number
  /** Every name of a property in the value, once. */
  readonly names: readonly string[]
}

/** Nesting of schemas that is followed: readers recurse. */
const deepestSchema = 200

const schemaKeywords = new Set([
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
const listKeywords = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf'])
const mapKeywords = new Set(['$defs', 'definitions', 'properties', 'dependentSchemas'])
const numberKeywords = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
])
const textKeywords = new Set(['$id', '$anchor', '$ref'])
const typeNames: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])

/** Under these, a schema that allows too much forbids too much. */
const negating = new Set([
  'not',
  'oneOf',
  'if',
  'unevaluatedItems',
  'unevaluatedProperties',
  'additionalProperties',
  'maxContains',
])

/** Keywords whose value says nothing about values. */
const annotations = new Set([
  '$comment',
  '$schema',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'format',
  'readOnly',
  'title',
  'writeOnly',
  'strict',
])

/** Keywords that `validatorOf` decides as the library does. */
const plainKeywords = new Set([
  ...annotations,
  '$defs',
  '$ref',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'definitions',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'items',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'nullable',
  'properties',
  'required',
  'type',
])

type JsonObject = { readonly [key: string]: SchemaValue }
type Mutable = Record<string, unknown>

/** Reads schemas of one document, and keeps what is true of all of them. */
export class LibrarySchemaReader {
  /** The schemas that refer to others. */
  readonly references: LibraryNode[] = []
  /** What the library is to ask for `pattern`, by the name of a format. */
  readonly formats = new Map<string, (text: string) => boolean>()
  /** True while every keyword is one that `validatorOf` decides as the library does. */
  isPlain = true
  /** True if something that was left out allows more than the schema does. */
  isPermissive = false
  /** True if allowing more somewhere can forbid something. */
  negates = false
  /** True if lists are looked through for equal items. */
  hasUniqueItems = false
  /** True if names of properties are matched with expressions. */
  hasNamePatterns = false
  readonly #isReferenceAlone: boolean
  readonly #anchors = new Set<string>()
  /** The run that is under way. */
  run: LibraryRun | undefined

  /** @param isReferenceAlone true if words next to `$ref` say nothing, as up to draft 7 */
  constructor(isReferenceAlone: boolean) {
    this.#isReferenceAlone = isReferenceAlone
  }

  /** `schema` for the library. @throws RangeError if it is nested too deeply */
  read(schema: SchemaValue, depth = 0): LibrarySchema {
    if (typeof schema === 'boolean') {
      if (!schema) this.isPlain = false
      return schema
    }
    if (!isObject(schema)) return true // the mistake is reported, and allows everything
    if (depth > deepestSchema) throw new RangeError('The schema is nested too deeply')
    const node: Mutable = {}
    let weight = 1
    for (const key of Object.keys(schema)) {
      const value = schema[key]
      if (value === undefined || annotations.has(key)) continue
      if (!plainKeywords.has(key)) this.isPlain = false
      if (negating.has(key)) this.negates = true
      weight += this.#keyword(node, { key, value, schema, depth })
    }
    this.#hooks(node, schema, weight)
    if (typeof node.$ref === 'string') this.references.push(node as LibraryNode)
    return node as LibraryNode
  }

  /** Puts the meaning of a keyword into `node`; what it costs to look at it. */
  #keyword(
    node: Mutable,
    { key, value, schema, depth }: { key: string; value: SchemaValue; schema: JsonObject; depth: number },
  ): number {
    if (schemaKeywords.has(key) || (key === 'items' && !Array.isArray(value))) {
      if (key === 'additionalProperties' && typeof value === 'boolean') node[key] = value
      else if (isSchema(value)) node[key] = this.read(value, depth + 1)
      return 1
    }
    if (listKeywords.has(key) || key === 'items') {
      // An empty list of variants says nothing: generators write it where they know none.
      if (!Array.isArray(value) || (value.length === 0 && key.endsWith('Of'))) return 0
      node[key] = value.map((it) => this.read(it, depth + 1))
      return value.length
    }
    if (mapKeywords.has(key)) return this.#map(node, key, value, (it) => this.read(it, depth + 1))
    if (numberKeywords.has(key)) return this.#number(node, { key, value, schema })
    if (textKeywords.has(key)) {
      const isBeside = key !== '$ref' && this.#isReferenceAlone && typeof schema.$ref === 'string'
      if (typeof value === 'string' && !isBeside) node[key] = value
      if (key === '$anchor' && typeof value === 'string') this.#anchor(value)
      if (key === '$id') this.isPlain = false
      if (key === '$ref' && !(typeof value === 'string' && value.startsWith('#/'))) this.isPlain = false
      return 0
    }
    return this.#other(node, { key, value, schema, depth })
  }

  /** The library confuses anchors of one name in schemas of several addresses. */
  #anchor(name: string): void {
    if (this.#anchors.has(name)) {
      this.isPermissive = true
      this.negates = true
    }
    this.#anchors.add(name)
  }

  #other(
    node: Mutable,
    { key, value, schema, depth }: { key: string; value: SchemaValue; schema: JsonObject; depth: number },
  ): number {
    switch (key) {
      case 'required': {
        const names = stringsIn(value)
        if (names) node[key] = names
        return names?.length ?? 0
      }
      case 'enum':
        if (!Array.isArray(value) || value.length === 0) return 0
        node[key] = schema.nullable === true ? [...value, null] : value
        return 1 + JSON.stringify(value).length / 8
      case 'const':
        if (schema.nullable === true) node.enum ??= [value, null]
        else node[key] = value
        return 1 + JSON.stringify(value).length / 8
      case 'dependentRequired':
        return this.#map(node, key, value, (it) => stringsIn(it) ?? [])
      case 'dependencies':
        return this.#map(node, key, value, (it) => stringsIn(it) ?? this.read(it, depth + 1))
      case 'patternProperties':
        return this.#namePatterns(node, value, depth)
      case 'pattern':
      case 'type':
      case 'nullable':
        return 0 // hooks
      case 'uniqueItems':
        if (value === true) this.#uniqueItems(node)
        return 0
      case '$dynamicRef':
      case '$recursiveRef':
        this.isPermissive = true
        return 0
      case 'id':
      case '__proto__':
        return 0 // the library would take it for an address
      default:
        // The keyword is unknown, but a reference may lead there.
        if (isObject(value) && !key.startsWith('$')) node[key] = this.#aside(value, depth + 1)
        return 0
    }
  }

  /** Reads what is only looked at where a reference leads to it. */
  #aside(value: SchemaValue, depth: number): LibrarySchema {
    const { negates } = this
    const schema = this.read(value, depth)
    this.negates = negates || this.references.length > 0
    return schema
  }

  #map(node: Mutable, key: string, value: SchemaValue, read: (value: SchemaValue) => unknown): number {
    if (!isObject(value)) return 0
    const map: Mutable = Object.create(null)
    const names = Object.keys(value)
    for (const name of names) map[name] = read(value[name] ?? true)
    node[key] = map
    return key === '$defs' || key === 'definitions' ? 0 : names.length
  }

  #number(
    node: Mutable,
    { key, value, schema }: { key: string; value: SchemaValue; schema: JsonObject },
  ): number {
    if (typeof value === 'number') {
      // As draft 4 and OpenAPI 3.0 write it, the bound itself is in the other keyword.
      if (key === 'minimum' && schema.exclusiveMinimum === true) node.exclusiveMinimum = value
      else if (key === 'maximum' && schema.exclusiveMaximum === true) node.exclusiveMaximum = value
      else if (key !== 'multipleOf' || value > 0) node[key] = value
    } else if (key === 'exclusiveMinimum' || key === 'exclusiveMaximum') this.isPlain = false
    return 1
  }

  #hooks(node: Mutable, schema: JsonObject, weight: number): void {
    const type = typeOf(schema)
    const { pattern: source } = schema
    const pattern = typeof source === 'string' ? linearPattern(source) : undefined
    if (typeof source === 'string' && !pattern) this.isPermissive = true
    if (pattern || node.minLength !== undefined || node.maxLength !== undefined) this.#textHook(node, pattern)
    Object.defineProperty(node, 'type', {
      get: () => {
        this.run?.charge(weight)
        return type
      },
    })
  }

  /** Texts are measured and matched where the library asks for a format, of which schemas for it have none. */
  #textHook(node: Mutable, pattern: LinearPattern | undefined): void {
    const name = `pattern ${this.formats.size}`
    const cost = (pattern?.size ?? 8) / 128
    this.formats.set(name, (text) => {
      this.run?.charge(text.length * cost)
      return !pattern || pattern.test(text)
    })
    node.format = name
  }

  /** The library compares every item with every other one. */
  #uniqueItems(node: Mutable): void {
    this.hasUniqueItems = true
    Object.defineProperty(node, 'uniqueItems', {
      get: () => {
        this.run?.charge(this.run.comparisons / 64)
        return true
      },
    })
  }

  /** The library makes expressions of its own: what it gets are the very names in the value that an expression matches. */
  #namePatterns(node: Mutable, value: SchemaValue, depth: number): number {
    if (!isObject(value)) return 0
    this.hasNamePatterns = true
    const all: Mutable = Object.create(null)
    const patterns: { readonly pattern: LinearPattern; readonly schema: unknown }[] = []
    for (const source of Object.keys(value)) {
      const pattern = linearPattern(source)
      const schema = this.read(value[source] ?? true, depth + 1)
      if (pattern) patterns.push({ pattern, schema })
      else this.isPermissive = true
      all[source] = schema
    }
    let of: LibraryRun | undefined
    let found: Mutable = all
    Object.defineProperty(node, 'patternProperties', {
      enumerable: true,
      get: () => {
        const { run } = this
        if (!run) return all
        if (of !== run) found = matching(patterns, run)
        of = run
        run.charge(run.names.length)
        return found
      },
    })
    return Object.keys(value).length
  }
}

function matching(
  patterns: readonly { readonly pattern: LinearPattern; readonly schema: unknown }[],
  { names, charge }: LibraryRun,
): Mutable {
  const found: Mutable = Object.create(null)
  patterns.forEach(({ pattern, schema }, index) => {
    const matched = names.filter((it) => {
      charge((it.length * pattern.size) / 128)
      return pattern.test(it)
    })
    if (matched.length === 0) return
    const alternatives = matched.map(regexSource).join('|')
    // A group of its own for each keeps apart expressions that match the same names.
    found[`^${'(?:'.repeat(index + 1)}${alternatives}${')'.repeat(index + 1)}$`] = schema
  })
  return found
}

function typeOf({ type, nullable }: JsonObject): unknown {
  const names = Array.isArray(type) ? type : [type]
  // `any`, `float` and the like are not types of JSON Schema; they allow everything.
  if (type === undefined || names.length === 0 || !names.every((it) => typeNames.has(it))) return undefined
  return nullable === true ? [...names, 'null'] : type
}

function stringsIn(value: SchemaValue): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((it): it is string => typeof it === 'string') : undefined
}

function isSchema(value: SchemaValue): boolean {
  return typeof value === 'boolean' || isObject(value)
}

/** Lets the library ask `formats` while `act` runs. */
export function withFormats<Result>(
  formats: ReadonlyMap<string, (text: string) => boolean>,
  act: () => Result,
): Result {
  for (const [name, test] of formats) libraryFormats[name] = test
  try {
    return act()
  } finally {
    for (const name of formats.keys()) delete libraryFormats[name]
  }
}
