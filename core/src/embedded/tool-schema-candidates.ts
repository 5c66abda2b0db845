/**
 * Which schemas a value may be meant by, for its author. Of variants, those count that agree with what is written
 * already: `{"kind": "box", …}` is not a circle. Half-written values have no schema that they fit, so nothing is judged here.
 */
import { childAt, type JsonNode } from './json-tree.ts'
import { resolved, type Schema, type SchemaProperty, valuesOf } from './tool-schema.ts'

const deepestVariants = 8 // variants of variants; no one writes more, and circles end here
const candidatesAtMost = 200 // of one value
const membersAtMost = 100 // of an object that are compared with variants

/** A way into a JSON value: names of members, and indexes of items. */
export type JsonPath = readonly (string | number)[]

/** The schemas of the value at `path` in a value of one of `schemas`; `root` is what is written of it so far. */
export function candidatesAt(
  schemas: readonly Schema[],
  path: JsonPath,
  root: JsonNode | undefined,
): readonly Schema[] {
  let candidates = schemas
  let node = root
  for (const step of path) {
    const parents = expanded(candidates, node, step)
    candidates = parents
      .flatMap((it) => (typeof step === 'string' ? membersOf(it, step) : itemsOf(it, step)))
      .slice(0, candidatesAtMost)
    node = childAt(node, step)
  }
  return expanded(candidates, node, undefined)
}

/** The properties of an object of `candidates`, in order; one of several variants has the schemas of all of them. */
export function propertiesOfCandidates(candidates: readonly Schema[]): readonly SchemaProperty[] {
  const found = new Map<string, { readonly first: SchemaProperty; readonly schemas: Schema[] }>()
  for (const { properties } of candidates) {
    for (const [name, property] of properties ?? []) {
      const known = found.get(name)
      if (!known) found.set(name, { first: property, schemas: [property.schema] })
      else if (!known.schemas.includes(property.schema)) known.schemas.push(property.schema)
    }
  }
  return [...found.values()].map(({ first, schemas }) =>
    schemas.length === 1 ? first : { ...first, schema: { range: first.schema.range, anyOf: schemas } },
  )
}

/** `schemas` without references, with the parts and variants of each that may hold; `edited` is the step that is being written. */
function expanded(
  schemas: readonly Schema[],
  node: JsonNode | undefined,
  edited: string | number | undefined,
): readonly Schema[] {
  const found: Schema[] = []
  const add = (schema: Schema, depth: number) => {
    const target = resolved(schema)
    if (!target || depth > deepestVariants || found.length >= candidatesAtMost || found.includes(target))
      return
    found.push(target)
    for (const part of target.allOf ?? []) add(part, depth + 1)
    const { anyOf } = target
    if (!anyOf) return
    const fitting = anyOf.filter((it) => mayFit(it, node, edited))
    for (const variant of fitting.length > 0 ? fitting : anyOf) add(variant, depth + 1)
  }
  for (const schema of schemas) add(schema, 0)
  return found
}

/** False if a member that is written has a value that the variant rules out by a list of values. */
function mayFit(variant: Schema, node: JsonNode | undefined, edited: string | number | undefined): boolean {
  const properties = resolved(variant)?.properties
  if (!properties || node?.type !== 'object') return true
  for (const { children } of node.children?.slice(0, membersAtMost) ?? []) {
    const [key, value] = children ?? []
    const name = String(key?.value)
    if (!value || name === edited || value.type === 'object' || value.type === 'array') continue
    const allowed = valuesOf(properties.get(name)?.schema)
    if (allowed && !allowed.some((it) => it === value.value)) return false
  }
  return true
}

function membersOf({ properties, additional }: Schema, name: string): readonly Schema[] {
  const property = properties?.get(name)
  if (property) return [property.schema]
  return typeof additional === 'object' ? [additional] : []
}

function itemsOf({ prefixItems, items }: Schema, index: number): readonly Schema[] {
  const item = prefixItems?.[index] ?? items
  return item ? [item] : []
}
