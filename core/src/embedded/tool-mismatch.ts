/** Says where and why a JSON text does not fit a schema, one mismatch per cause. The slow path behind `validatorOf`. */
import { append } from '../text/append.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import type { JsonNode } from './json-tree.ts'
import { resolved, type Schema, type SchemaProperty, type SchemaType } from './tool-schema.ts'
import { expectation, found } from './tool-schema-text.ts'
import { brokenLimit, depthLimit, hasCompany, isSameJson, stepLimit } from './tool-validator.ts'

/** A place that does not fit. Ranges are relative to the JSON text. */
export interface SchemaMismatch {
  readonly kind: 'missing' | 'unexpected' | 'value'
  /** Where the value stands; for something missing or unexpected, the object. */
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

const mismatchesAtMost = 100 // of one body; nobody mends more at once

/** The mismatches of the value at `root`, in order of the text; empty if it fits. `text` is what the tree was made of. */
export function schemaMismatches(root: JsonNode, schema: Schema, text: string): readonly SchemaMismatch[] {
  const walk = new Walk(text)
  const mismatches = walk.of(root, schema, { path: [], isOpen: false })
  return onePerCause(mismatches)
    .sort((one, other) => one.range.start - other.range.start)
    .slice(0, mismatchesAtMost)
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
}

class Walk {
  readonly #text: string
  #steps = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  of(node: JsonNode, schema: Schema, { path, isOpen }: Circumstances): readonly SchemaMismatch[] {
    if (schema.reference) {
      if (++this.#steps > stepLimit || this.#depth >= depthLimit) return []
      const target = resolved(schema)
      if (!target) return []
      this.#depth++
      const mismatches = this.of(node, target, { path, isOpen })
      this.#depth--
      return mismatches
    }
    const wrong = this.#wrongValue(node, schema, path)
    if (wrong) return [wrong]
    const broken = this.#brokenLimit(node, schema, path)
    const isOneOfSeveral = isOpen || hasCompany(schema)
    const mismatches: SchemaMismatch[] = broken ? [broken] : []
    if (schema.anyOf) append(mismatches, this.#anyOf(node, schema, { path, isOpen: isOneOfSeveral }))
    for (const part of schema.allOf ?? []) {
      if (++this.#steps <= stepLimit) append(mismatches, this.of(node, part, { path, isOpen: true }))
    }
    if (node.type === 'object')
      append(mismatches, this.#object(node, schema, { path, isOpen: isOneOfSeveral }))
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
      (types && !types.some((type) => isOfType(node, type))) ||
      (values && !values.some((it) => isSameJson(it, this.#valueOf(node))))
    return isWrong ? this.#mismatch(node, { schema, path, expected: expectation(schema) }) : undefined
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
  #anyOf(node: JsonNode, schema: Schema, { path, isOpen }: Circumstances): readonly SchemaMismatch[] {
    let best: readonly SchemaMismatch[] | undefined
    let fewest = Number.POSITIVE_INFINITY
    const near: (readonly SchemaMismatch[])[] = []
    for (const variant of schema.anyOf ?? []) {
      if (++this.#steps > stepLimit) return []
      const mismatches = this.of(node, variant, { path, isOpen })
      if (mismatches.length === 0) return []
      const cost = costOf(mismatches, node)
      if (cost < wholeValue) near.push(mismatches)
      if (cost >= fewest) continue
      best = mismatches
      fewest = cost
    }
    // No variant is near: what is wrong is the value as a whole.
    if (!best || fewest >= wholeValue) {
      return [this.#mismatch(node, { schema, path, expected: expectation(schema) })]
    }
    const tag = wrongTag(near)
    return tag ? [{ ...tag, expected: expectation(tag.schema) }] : best
  }

  #object(node: JsonNode, schema: Schema, { path, isOpen }: Circumstances): readonly SchemaMismatch[] {
    const { properties, required = [], additional } = schema
    const mismatches: SchemaMismatch[] = []
    const members = lastMembers(node)
    const present = [...members.keys()]
    const missing = [...new Set(required)].filter((name) => !members.has(name))
    const whole = { schema, path, expected: '' }
    if (missing.length > 0) {
      mismatches.push({ ...this.#mismatch(node, whole), kind: 'missing', names: missing, present })
    }
    for (const [name, member] of members) {
      const [key, value] = member.children ?? []
      if (!key || !value) continue
      const property: SchemaProperty | undefined = properties?.get(name)
      const inside = { path: [...path, name], isOpen: false }
      if (property) append(mismatches, this.of(value, property.schema, inside))
      else if (typeof additional === 'object') append(mismatches, this.of(value, additional, inside))
      else if (additional !== true && !isOpen && (properties || additional === false)) {
        const at = { ...this.#mismatch(key, whole), kind: 'unexpected' as const, node: member }
        mismatches.push({ ...at, names: [name], present })
      }
    }
    return mismatches
  }

  #array(node: JsonNode, schema: Schema, path: readonly (string | number)[]): readonly SchemaMismatch[] {
    const { items, prefixItems = [] } = schema
    if (!items && prefixItems.length === 0) return []
    return (node.children ?? []).flatMap((item, index) => {
      const own = prefixItems[index] ?? items
      return own ? this.of(item, own, { path: [...path, index], isOpen: false }) : []
    })
  }

  #mismatch(
    node: JsonNode,
    {
      schema,
      path,
      expected,
    }: { readonly schema: Schema; readonly path: readonly (string | number)[]; readonly expected: string },
  ): SchemaMismatch {
    const range = { start: node.offset, end: node.offset + node.length }
    const source = this.#text.slice(range.start, range.end)
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

const wholeValue = 1000 // dearer than any number of mistakes inside a variant of the right type

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
  for (const mismatch of first) {
    const { node, schema } = mismatch
    if (mismatch.kind !== 'value' || !schema.values) continue
    const same = others.map((it) => it.find((other) => other.node === node && other.kind === 'value'))
    const values = [schema, ...same.map((it) => it?.schema)].flatMap((it) => it?.values ?? [])
    if (same.every((it) => it?.schema.values))
      return { ...mismatch, schema: { ...schema, values: [...new Set(values)] } }
  }
  return undefined
}

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
