/** Says where and why a JSON text does not fit a schema, one mismatch per cause. The slow path behind `validatorOf`. */
import { append } from '../text/append.ts'
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import type { JsonNode } from './json-tree.ts'
import { propertiesOf, resolved, type Schema, type SchemaProperty, type SchemaType } from './tool-schema.ts'
import { expectation, found } from './tool-schema-text.ts'
import { brokenLimit, depthLimit, hasCompany, isSameJson, stepLimit } from './tool-validator.ts'

/** A place that does not fit. Ranges are relative to the JSON text. */
export interface SchemaMismatch {
  readonly kind: 'missing' | 'unexpected' | 'value'
  /** Where the value is; for something missing or unexpected, the object. */
  readonly path: readonly (string | number)[]
  /** What is marked: the value, the unexpected key, or the object in which something is missing. */
  readonly range: Range
  /** What the value must be, as the end of a sentence; empty unless the kind is `value`. */
  readonly expected: string
  /** What it is. */
  readonly found: string
  /** The schema of the value or of the object. */
  readonly schema: Schema
  /** The names that are missing, or the one that is unexpected. */
  readonly names: readonly string[]
  /** The value, the object, or the unexpected property. */
  readonly node: JsonNode
  /** What the object has already. */
  readonly present: readonly string[]
}

const mismatchesAtMost = 100 // of one body; no one fixes more at once

/** The mismatches of the value at `root`, in order of the text; empty if it fits. `text` is what the tree was made of. */
export function schemaMismatches(root: JsonNode, schema: Schema, text: string): readonly SchemaMismatch[] {
  const walk = new Walk(text)
  const mismatches = walk.of(root, schema, { path: [], isOpen: false, whole: schema })
  return onePerCause(mismatches)
    .sort((one, other) => one.range.start - other.range.start)
    .slice(0, mismatchesAtMost)
}

/** That the value at `path` of `root` is not what it must be; of a path that leads nowhere, the last value on it. */
export function mismatchAt(
  root: JsonNode,
  {
    path,
    text,
    expected,
  }: { readonly path: readonly string[]; readonly text: string; readonly expected: string },
): SchemaMismatch {
  const steps: (string | number)[] = []
  let node = root
  for (const name of path) {
    const step = node.type === 'array' ? Number(name) : name
    const next = typeof step === 'number' ? node.children?.[step] : lastMembers(node).get(step)?.children?.[1]
    if (!next) break
    steps.push(step)
    node = next
  }
  return wrongValue(node, text, { schema: { range: { start: 0, end: 0 } }, path: steps, expected })
}

interface WrongValue {
  readonly schema: Schema
  readonly path: readonly (string | number)[]
  readonly expected: string
}

function wrongValue(node: JsonNode, text: string, { schema, path, expected }: WrongValue): SchemaMismatch {
  const range = { start: node.offset, end: node.offset + node.length }
  const source = text.slice(range.start, range.end)
  return {
    kind: 'value',
    path,
    range,
    expected,
    found: found(node.type, source),
    schema,
    names: [],
    node,
    present: [],
  }
}

/** Of what several parts of a schema say of one value, the first; names may be missing for several parts. */
function onePerCause(mismatches: readonly SchemaMismatch[]): SchemaMismatch[] {
  const causes = new Map<JsonNode, Set<string>>()
  return mismatches.filter(({ node, kind, names }) => {
    const known = causes.get(node) ?? new Set<string>()
    causes.set(node, known)
    const cause = JSON.stringify([kind, ...names])
    const isNew = !known.has(cause)
    known.add(cause)
    return isNew
  })
}

interface Circumstances {
  readonly path: readonly (string | number)[]
  readonly isOpen: boolean
  /** All that is said of the value, of which the schema at hand may be a part or a variant. */
  readonly whole: Schema
}

class Walk {
  readonly #text: string
  readonly #expectations = new Map<Schema, string>()
  #steps = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  of(node: JsonNode, schema: Schema, { path, isOpen, whole }: Circumstances): readonly SchemaMismatch[] {
    if (schema.reference) {
      if (++this.#steps > stepLimit || this.#depth >= depthLimit) return []
      const target = resolved(schema)
      if (!target) return []
      this.#depth++
      const mismatches = this.of(node, target, { path, isOpen, whole })
      this.#depth--
      return mismatches
    }
    const wrong = this.#wrongValue(node, schema, path)
    if (wrong) return [wrong]
    const broken = this.#brokenLimit(node, schema, path)
    const isOneOfSeveral = isOpen || hasCompany(schema)
    const mismatches: SchemaMismatch[] = broken ? [broken] : []
    if (schema.anyOf) append(mismatches, this.#anyOf(node, schema, { path, isOpen: isOneOfSeveral, whole }))
    for (const part of schema.allOf ?? []) {
      if (!this.#isTooMuch(node)) append(mismatches, this.of(node, part, { path, isOpen: true, whole }))
    }
    if (node.type === 'object')
      append(mismatches, this.#object(node, schema, { path, isOpen: isOneOfSeveral, whole }))
    if (node.type === 'array') append(mismatches, this.#array(node, schema, path))
    return mismatches
  }

  #wrongValue(
    node: JsonNode,
    schema: Schema,
    path: readonly (string | number)[],
  ): SchemaMismatch | undefined {
    const { types, values } = schema
    const isWrong =
      (types && !types.some((type) => isOfType(node, type))) || (values && !this.#isOneOf(node, schema))
    return isWrong ? this.#mismatch(node, { schema, path, expected: this.#expectation(schema) }) : undefined
  }

  /** In words, made once: many values may be none of many. */
  #expectation(schema: Schema): string {
    const known = this.#expectations.get(schema)
    if (known !== undefined) return known
    const words = expectation(schema)
    this.#expectations.set(schema, words)
    return words
  }

  #isOneOf(node: JsonNode, schema: Schema): boolean {
    const { scalars, others } = allowedValues(schema)
    const value = this.#valueOf(node)
    if (scalars.has(value)) return true
    for (const it of others) if (++this.#steps > stepLimit || isSameJson(it, value)) return true
    return false
  }

  #brokenLimit(
    node: JsonNode,
    schema: Schema,
    path: readonly (string | number)[],
  ): SchemaMismatch | undefined {
    const expected = schema.limits && brokenLimit(this.#valueOf(node), schema.limits)
    if (expected === undefined) return undefined
    const mismatch = this.#mismatch(node, { schema, path, expected })
    return node.type === 'array' ? { ...mismatch, found: lengthInWords(node.children ?? []) } : mismatch
  }

  /** The mismatches of the variant that the writer most likely meant. */
  #anyOf(node: JsonNode, schema: Schema, { path, isOpen, whole }: Circumstances): readonly SchemaMismatch[] {
    let best: readonly SchemaMismatch[] | undefined
    let fewest = Number.POSITIVE_INFINITY
    const near: (readonly SchemaMismatch[])[] = []
    for (const variant of schema.anyOf ?? []) {
      if (this.#isTooMuch(node)) return []
      const mismatches = this.of(node, variant, { path, isOpen, whole })
      if (mismatches.length === 0) return []
      const cost = costOf(mismatches, node)
      if (cost < wholeValue) near.push(mismatches)
      if (cost >= fewest) continue
      best = mismatches
      fewest = cost
    }
    // No variant is near: what is wrong is the value as a whole.
    if (!best || fewest >= wholeValue) {
      return [this.#mismatch(node, { schema, path, expected: this.#expectation(variantsOf(schema)) })]
    }
    const tag = wrongTag(near)
    this.#steps += tag?.schema.values?.length ?? 0
    return tag ? [{ ...tag, expected: expectation(tag.schema) }] : best
  }

  #object(
    node: JsonNode,
    schema: Schema,
    { path, isOpen, whole: all }: Circumstances,
  ): readonly SchemaMismatch[] {
    const { properties, required = nothing, additional } = schema
    const mismatches: SchemaMismatch[] = []
    const members = lastMembers(node)
    const present = [...members.keys()]
    const missing = this.#missing(required, members)
    const whole = { schema, path, expected: '' }
    if (missing.length > 0) {
      mismatches.push({ ...this.#mismatch(node, whole), kind: 'missing', names: missing, present })
    }
    for (const [name, member] of members) {
      const [key, value] = member.children ?? []
      if (!key || !value) continue
      const property: SchemaProperty | undefined = properties?.get(name)
      const inside = (own: Schema) => ({ path: [...path, name], isOpen: false, whole: own })
      if (property) append(mismatches, this.of(value, property.schema, inside(property.schema)))
      else if (typeof additional === 'object')
        append(mismatches, this.of(value, additional, inside(additional)))
      else if (
        additional === false ||
        (additional !== true && !isOpen && properties && !declares(all, name))
      ) {
        const at = { ...this.#mismatch(key, whole), kind: 'unexpected' as const, node: member }
        mismatches.push({ ...at, names: [name], present })
      }
    }
    return mismatches
  }

  /** The names of `required` that are not members. Looking for them costs their number, so that is limited. */
  #missing(required: readonly string[], members: ReadonlyMap<string, JsonNode>): readonly string[] {
    const names = distinct(required)
    let nFound = 0
    if (members.size < names.size) for (const name of members.keys()) nFound += names.has(name) ? 1 : 0
    else for (const name of names) nFound += members.has(name) ? 1 : 0
    if (nFound === names.size || this.#steps > stepLimit) return []
    this.#steps += names.size
    return [...names].filter((name) => !members.has(name))
  }

  /** Counts a look at `node` that others of it have gone before; true if there have been too many. */
  #isTooMuch({ length }: JsonNode): boolean {
    this.#steps += 1 + (length >> 4)
    return this.#steps > stepLimit
  }

  #array(node: JsonNode, schema: Schema, path: readonly (string | number)[]): readonly SchemaMismatch[] {
    const { items, prefixItems = [] } = schema
    if (!items && prefixItems.length === 0) return []
    return (node.children ?? []).flatMap((item, index) => {
      const own = prefixItems[index] ?? items
      return own ? this.of(item, own, { path: [...path, index], isOpen: false, whole: own }) : []
    })
  }

  #mismatch(node: JsonNode, wrong: WrongValue): SchemaMismatch {
    return wrongValue(node, this.#text, wrong)
  }

  #valueOf(node: JsonNode): unknown {
    if (node.type !== 'object' && node.type !== 'array') return node.value
    try {
      return JSON.parse(this.#text.slice(node.offset, node.offset + node.length))
    } catch {
      // Broken JSON is reported as such; as a value it equals nothing.
      return undefined
    }
  }
}

const wholeValue = 1000 // more expensive than any number of mistakes inside a variant of the right type

/** Mistakes inside a value are nearer than a value of another kind; a wrong constant tells that another variant is meant. */
function costOf(mismatches: readonly SchemaMismatch[], node: JsonNode): number {
  let cost = 0
  for (const { kind, node: at, schema, names } of mismatches) {
    if (at === node && kind === 'value') return wholeValue
    if (kind === 'value' && schema.values?.length === 1) cost += 20
    else cost += Math.max(1, names.length)
  }
  return Math.min(cost, wholeValue - 1)
}

/** The one value by which each of the variants tells that it is not meant, with what all of them allow there. */
function wrongTag([first = [], ...others]: readonly (readonly SchemaMismatch[])[]):
  | SchemaMismatch
  | undefined {
  if (others.length === 0) return undefined
  const valuesOfOthers = others.map(firstValueByNode)
  for (const mismatch of first) {
    const { node, schema } = mismatch
    if (mismatch.kind !== 'value' || !schema.values) continue
    const same = valuesOfOthers.map((it) => it.get(node))
    if (!same.every((it) => it?.schema.values)) continue
    const values = [schema, ...same.map((it) => it?.schema)].flatMap((it) => it?.values ?? [])
    return { ...mismatch, schema: { ...schema, values: [...new Set(values)] } }
  }
  return undefined
}

function firstValueByNode(mismatches: readonly SchemaMismatch[]): ReadonlyMap<JsonNode, SchemaMismatch> {
  const byNode = new Map<JsonNode, SchemaMismatch>()
  for (const it of mismatches) if (it.kind === 'value' && !byNode.has(it.node)) byNode.set(it.node, it)
  return byNode
}

/** The values of a list: those that are equal only to themselves, and objects and arrays. */
const allowedValues = perValue(({ values = [] }: Schema) => ({
  scalars: new Set<unknown>(values.filter(isScalar)),
  others: values.filter((it) => !isScalar(it)),
}))

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

const nothing: readonly string[] = []
const distinct = perValue((names: readonly string[]): ReadonlySet<string> => new Set(names))

/** True if some part or variant of `schema` has a property `name`. */
function declares(schema: Schema, name: string): boolean {
  return allProperties(schema).has(name)
}

const allProperties = perValue((schema: Schema) => propertiesOf(schema))

/** What `schema` says in its variants alone. */
const variantsOf = perValue(({ range, anyOf }: Schema): Schema => ({ range, anyOf }))

function lengthInWords({ length }: readonly JsonNode[]): string {
  return length === 1 ? localize`1 item long` : localize`${length} items long`
}

function isOfType(node: JsonNode, type: SchemaType): boolean {
  if (type === 'integer') return node.type === 'number' && Number.isInteger(node.value)
  return node.type === type
}

/** The properties by name; of equal names the last one, as for `JSON.parse`. */
function lastMembers(node: JsonNode): ReadonlyMap<string, JsonNode> {
  const members = new Map<string, JsonNode>()
  for (const member of node.children ?? []) {
    const key = member.children?.[0]
    if (key) members.set(String(key.value), member)
  }
  return members
}
