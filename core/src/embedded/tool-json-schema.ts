/**
 * JSON Schema in a body as a schema. Parts are read when they are met; references lead to places of the same document only:
 * nothing is ever fetched. What the subset does not know (`pattern`, `format`, `not`, …) allows everything.
 */
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import type { JsonNode } from './json-tree.ts'
import type { DefinitionProblem } from './tool-definition.ts'
import type { Schema, SchemaLimits, SchemaProperty, SchemaType, SchemaValue } from './tool-schema.ts'

/** A JSON document that holds schemas. */
export interface SchemaDocument {
  /** The text that the nodes refer to. */
  readonly text: string
  /** Where that is in the body. */
  readonly origin: number
  /** What local references start from, the nearest first: the schema itself, then the document. */
  readonly roots: readonly JsonNode[]
  readonly problems: DefinitionProblem[]
}

/** The schema at `node`. */
export function jsonSchemaAt(node: JsonNode, document: SchemaDocument): Schema {
  return new SchemaReader(document).schema(node)
}

const limitNames = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const

/** Keywords under which properties may be declared that are nowhere else. */
const conditions = [
  'if',
  'then',
  'else',
  'not',
  'dependentSchemas',
  'dependencies',
  'propertyNames',
  'unevaluatedProperties',
] as const

const typeNames: ReadonlySet<string> = new Set<SchemaType>([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])

/** Keywords next to a reference that say nothing of values. */
const besideReference: ReadonlySet<string> = new Set([
  '$ref',
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
])

type Described = Pick<Schema, 'title' | 'description' | 'default' | 'examples'>

/** What some keywords take. Anything else would be passed over, and calls would be judged as if it were not there. */
const shapes = [
  ['properties', 'object'],
  ['required', 'array'],
  ['enum', 'array'],
  ['anyOf', 'array'],
  ['oneOf', 'array'],
  ['allOf', 'array'],
] as const

const schemasAtMost = 5_000 // of one definition, which no model would follow

class SchemaReader {
  readonly #document: SchemaDocument
  readonly #known = new Map<JsonNode, Schema>()

  constructor(document: SchemaDocument) {
    this.#document = document
  }

  schema(node: JsonNode): Schema {
    const known = this.#known.get(node)
    if (known) return known
    const isTooMany = this.#known.size >= schemasAtMost
    if (isTooMany && this.#known.size === schemasAtMost) {
      const message = localize`Only ${schemasAtMost} schemas of a definition are read; this one and all after it allow everything`
      this.#document.problems.push({ kind: 'too-large', range: this.#range(node), message })
    }
    const schema = isTooMany ? { range: this.#range(node) } : this.#read(node)
    this.#known.set(node, schema)
    return schema
  }

  #read(node: JsonNode): Schema {
    const range = this.#range(node)
    if (node.type !== 'object') {
      if (node.type !== 'boolean')
        this.#report(node, localize`A schema must be an object; this one allows everything`)
      return { range }
    }
    const members = membersOf(node)
    this.#checkShapes(members)
    const described = this.#described(members)
    const path = stringOf(members.get('$ref'))
    if (path === undefined) return this.#withoutReference(members, { range, described })
    const reference = this.#reference(path, members.get('$ref'))
    const isAlone = [...members.keys()].every((it) => besideReference.has(it))
    if (isAlone) return { range, ...described, reference }
    const rest = this.#withoutReference(members, { range, described })
    return { range, ...described, allOf: [{ range, reference }, rest] }
  }

  #withoutReference(
    members: Members,
    { range, described }: { readonly range: Range; readonly described: Described },
  ): Schema {
    const isNullable = members.get('nullable')?.value === true
    const schema: Schema = {
      range,
      ...described,
      types: this.#types(members.get('type')),
      values: this.#values(members),
      anyOf: this.#list(members.get('anyOf')) ?? this.#list(members.get('oneOf')),
      allOf: this.#list(members.get('allOf')),
      ...this.#objectPart(members),
      items: this.#items(members.get('items')),
      prefixItems: this.#list(members.get('prefixItems')) ?? this.#list(members.get('items')),
      limits: limitsOf(members),
    }
    return isNullable ? withNull(schema) : schema
  }

  #checkShapes(members: Members): void {
    for (const [name, type] of shapes) {
      const node = members.get(name)
      if (!node || node.type === type) continue
      const message =
        type === 'array'
          ? localize`\`${name}\` must be a list in JSON Schema; this one is ignored`
          : localize`\`${name}\` must be an object in JSON Schema; this one is ignored`
      this.#report(node, message)
    }
  }

  #report(node: JsonNode, message: string): void {
    this.#document.problems.push({ kind: 'wrong-shape', range: this.#range(node), message })
  }

  #described(members: Members): Described {
    const written = members.get('default')
    const examples = members.get('examples')?.children?.flatMap((it) => this.#value(it) ?? [])
    return {
      title: stringOf(members.get('title')),
      description: stringOf(members.get('description')),
      default: written && { value: this.#value(written) ?? null },
      examples: examples as readonly SchemaValue[] | undefined,
    }
  }

  #types(node: JsonNode | undefined): readonly SchemaType[] | undefined {
    const names = node?.type === 'array' ? (node.children ?? []).map(stringOf) : [stringOf(node)]
    const types = names.filter((it): it is SchemaType => it !== undefined && typeNames.has(it))
    const unknown = names.find((it) => it !== undefined && !typeNames.has(it) && it !== 'any')
    if (node && unknown !== undefined) {
      const message = localize`Unknown JSON Schema type \`${unknown.slice(0, 40)}\`; it allows everything`
      this.#document.problems.push({ kind: 'unknown-type', range: this.#range(node), message })
      return undefined
    }
    return types.length > 0 ? types : undefined
  }

  #values(members: Members): readonly SchemaValue[] | undefined {
    const constant = members.get('const')
    if (constant) return [this.#value(constant) ?? null]
    const list = members.get('enum')
    // An empty list says nothing: generators write it where they know no values.
    if (list?.type !== 'array' || !list.children?.length) return undefined
    return list.children.map((it) => this.#value(it) ?? null)
  }

  #objectPart(members: Members): Pick<Schema, 'properties' | 'required' | 'additional'> {
    const declared = members.get('properties')
    const required = (members.get('required')?.children ?? []).flatMap((it) => stringOf(it) ?? [])
    const additional = this.#additional(members)
    if (declared?.type !== 'object') return { required, additional }
    const isRequired = new Set(required)
    const properties = new Map<string, SchemaProperty>()
    for (const member of declared.children ?? []) {
      const [key, value] = member.children ?? []
      if (!key || !value) continue
      const name = String(key.value)
      properties.set(name, {
        name,
        schema: this.schema(value),
        isRequired: isRequired.has(name),
        nameRange: this.#range(key),
        range: this.#range(member),
      })
    }
    return { properties, required, additional }
  }

  /** What is said of further properties by keywords that are not checked allows them all. */
  #additional(members: Members): Schema | boolean | undefined {
    if (members.has('patternProperties')) return true
    const further = members.get('additionalProperties')
    if (further?.type === 'object') return this.schema(further)
    if (typeof further?.value === 'boolean') return further.value
    return conditions.some((it) => members.has(it)) ? true : undefined
  }

  #items(node: JsonNode | undefined): Schema | undefined {
    return node?.type === 'object' ? this.schema(node) : undefined
  }

  #list(node: JsonNode | undefined): readonly Schema[] | undefined {
    if (node?.type !== 'array' || !node.children?.length) return undefined
    return node.children.map((it) => this.schema(it))
  }

  #reference(path: string, node: JsonNode | undefined): () => Schema | undefined {
    const target = this.#document.roots.map((root) => nodeAt(root, path)).find((it) => it !== undefined)
    if (!target && node) {
      const message = path.startsWith('#')
        ? localize`\`${path.slice(0, 60)}\` does not exist in this definition, so it allows everything`
        : localize`References must point into the same definition; other documents are never read`
      this.#document.problems.push({ kind: 'dead-reference', range: this.#range(node), message })
    }
    return () => target && this.schema(target)
  }

  /** Undefined only for text that is broken. */
  #value({ offset, length }: JsonNode): SchemaValue | undefined {
    try {
      return JSON.parse(this.#document.text.slice(offset, offset + length)) as SchemaValue
    } catch {
      // The mistake in the JSON is reported by itself.
      return undefined
    }
  }

  #range({ offset, length }: JsonNode): Range {
    const start = this.#document.origin + offset
    return { start, end: start + length }
  }
}

type Members = ReadonlyMap<string, JsonNode>

/** The values of an object by key; of equal keys the last one counts, as for `JSON.parse`. */
export function membersOf(node: JsonNode | undefined): Members {
  const members = new Map<string, JsonNode>()
  if (node?.type !== 'object') return members
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? []
    if (key && value) members.set(String(key.value), value)
  }
  return members
}

/** The value of a string. */
export function stringOf(node: JsonNode | undefined): string | undefined {
  return node?.type === 'string' ? String(node.value) : undefined
}

function limitsOf(members: Members): SchemaLimits | undefined {
  const limits: { -readonly [Name in (typeof limitNames)[number]]?: number } = {}
  for (const name of limitNames) {
    const node = members.get(name)
    if (node?.type === 'number') limits[name] = Number(node.value)
  }
  return Object.keys(limits).length > 0 ? limits : undefined
}

function withNull(schema: Schema): Schema {
  if (schema.values) return { ...schema, values: [...schema.values, null], types: undefined }
  if (schema.types) return { ...schema, types: [...schema.types, 'null'] }
  if (!schema.anyOf) return schema
  return { ...schema, anyOf: [...schema.anyOf, { range: schema.range, types: ['null'] }] }
}

/** The node that the JSON pointer `path` (`#/$defs/City`) leads to. */
function nodeAt(root: JsonNode, path: string): JsonNode | undefined {
  if (path === '#') return root
  if (!path.startsWith('#/')) return undefined
  let at: JsonNode | undefined = root
  for (const step of path.slice(2).split('/')) {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (at?.type === 'array') at = /^\d+$/.test(name) ? at.children?.[Number(name)] : undefined
    else at = membersOf(at).get(name)
    if (!at) return undefined
  }
  return at
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // A `%` that escapes nothing is a `%`.
    return step
  }
}
