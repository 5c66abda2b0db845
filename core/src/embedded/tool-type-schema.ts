/** The types of a definition as a schema, with descriptions, defaults, titles and examples from the comments. */
import { countWhile } from '../text/count-while.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { type DefinitionProblem, declaredTwice, type Parameters } from './tool-definition.ts'
import { commentLines } from './tool-namespaces.ts'
import {
  isOnlyNull,
  type Schema,
  type SchemaProperty,
  type SchemaType,
  type SchemaValue,
} from './tool-schema.ts'
import type { MemberSyntax, TypeNode } from './tool-type-syntax.ts'

/** What a member says: the arguments that it takes, and what could not be read. Places are relative to the body. */
export interface MemberMeaning {
  readonly parameters: Parameters
  readonly problems: readonly DefinitionProblem[]
}

/** The meaning of `syntax`, which was parsed from `text`; `origin` is where that is in the body. */
export function memberMeaning(syntax: MemberSyntax, text: string, origin: number): MemberMeaning {
  const reader = new TypeReader(syntax, text, origin)
  const parameters = syntax.type ? reader.parameters(syntax.type) : ({ kind: 'unknown' } as const)
  return { parameters, problems: reader.problems.sort((one, other) => one.range.start - other.range.start) }
}

type MemberNode = Extract<TypeNode, { type: 'TSTypeLiteral' }>['members'][number]
type PropertyNode = Extract<MemberNode, { type: 'TSPropertySignature' }>
type Described = Pick<Schema, 'title' | 'description' | 'default' | 'examples'>

const longestGap = 1000 // code units between a comment and the line below; looking further for each member would be quadratic
const deepestType = 100 // `string[][]…` nests without brackets inside brackets

class TypeReader {
  readonly problems: DefinitionProblem[]
  readonly #text: string
  readonly #origin: number
  readonly #comments: readonly Range[]
  readonly #isPartial: boolean
  #depth = 0

  constructor({ comments, isPartial, problems }: MemberSyntax, text: string, origin: number) {
    this.#text = text
    this.#origin = origin
    this.#comments = comments
    this.#isPartial = isPartial
    this.problems = problems.map((it) => ({ ...it, range: this.#range(it.range) }))
  }

  // (_: { … }) => any
  parameters(type: TypeNode): Parameters {
    if (type.type !== 'TSFunctionType') {
      const message = localize`A tool must be defined as a function: \`(_: { … }) => any\``
      this.problems.push({ kind: 'syntax', range: this.#rangeOf(type), message })
      return { kind: 'unknown' }
    }
    const [first] = type.parameters
    if (!first) return { kind: 'none' }
    const annotation = 'typeAnnotation' in first ? first.typeAnnotation : undefined
    if (annotation?.type !== 'TSTypeAnnotation') return { kind: 'unknown' }
    const schema = this.#schema(annotation.typeAnnotation, endOf(annotation))
    const isOpen = schema.properties?.size === 0 && !this.#isPartial
    return { kind: 'schema', schema: isOpen ? { ...schema, additional: undefined } : schema }
  }

  /** `limit` is where the last comment that belongs to the type may be. */
  #schema(type: TypeNode, limit: number): Schema {
    const range = this.#rangeOf(type)
    if (this.#depth >= deepestType) {
      const message = localize`The type is nested too deeply; it is read as \`any\``
      this.problems.push({ kind: 'too-deep', range, message })
      return { range }
    }
    this.#depth++
    const schema = this.#schemaWithin(type, range, limit)
    this.#depth--
    return schema
  }

  #schemaWithin(type: TypeNode, range: Range, limit: number): Schema {
    const of = (...types: SchemaType[]): Schema => ({ range, types })
    switch (type.type) {
      case 'TSStringKeyword':
        return of('string')
      case 'TSNumberKeyword':
        return of('number')
      case 'TSBooleanKeyword':
        return of('boolean')
      case 'TSNullKeyword':
      case 'TSUndefinedKeyword':
        return of('null')
      case 'TSObjectKeyword':
        return { range, types: ['object'], additional: true }
      case 'TSParenthesizedType':
        return this.#schema(type.typeAnnotation, limit)
      case 'TSLiteralType':
        return this.#literal(type, range)
      case 'TSArrayType':
        return { range, types: ['array'], items: this.#schema(type.elementType, endOf(type)) }
      case 'TSTupleType': {
        const prefixItems = type.elementTypes.map((it) =>
          it.type === 'TSNamedTupleMember'
            ? this.#schema(it.elementType, endOf(it))
            : this.#schema(it, endOf(it)),
        )
        return { range, types: ['array'], prefixItems }
      }
      case 'TSIntersectionType':
        return { range, allOf: type.types.map((it) => this.#schema(it, endOf(it))) }
      case 'TSUnionType':
        return this.#union(type.types, { range, limit })
      case 'TSTypeLiteral':
        return this.#object(type.members, range)
      case 'TSTypeReference':
        return this.#reference(type, range)
      default:
        return { range }
    }
  }

  #literal(type: Extract<TypeNode, { type: 'TSLiteralType' }>, range: Range): Schema {
    const source = this.#text.slice(startOf(type), endOf(type))
    const { literal } = type
    switch (literal.type) {
      case 'StringLiteral': {
        // Enum values are shown as they are, so what looks like an escape may be none.
        const raw = source.slice(1, -1)
        return { range, values: raw === literal.value ? [raw] : [literal.value, raw] }
      }
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return { range, values: [literal.value] }
      case 'UnaryExpression': {
        const value = Number(source)
        return Number.isFinite(value) ? { range, values: [value] } : { range }
      }
      default:
        return { range }
    }
  }

  #reference(type: Extract<TypeNode, { type: 'TSTypeReference' }>, range: Range): Schema {
    const name = type.typeName.type === 'Identifier' ? type.typeName.name : ''
    const [first, second] = type.typeParameters?.params ?? []
    switch (name) {
      case 'array':
      case 'Array':
        return { range, types: ['array'], items: first && this.#schema(first, endOf(first)) }
      case 'integer':
        return { range, types: ['integer'] }
      case 'Record':
        return {
          range,
          types: ['object'],
          additional: second ? this.#schema(second, endOf(second)) : true,
        }
      default: {
        const message = localize`Unknown type \`${this.#text.slice(startOf(type), endOf(type)).slice(0, 40)}\`; it is read as \`any\``
        this.problems.push({ kind: 'unknown-type', range, message })
        return { range }
      }
    }
  }

  // One type per variant, `"a" | "b"` as a list of values, and the array that Harmony writes without parentheses.
  #union(
    nodes: readonly TypeNode[],
    { range, limit }: { readonly range: Range; readonly limit: number },
  ): Schema {
    const variants = nodes.map((node, index) => {
      const next = nodes[index + 1]
      const own = this.#schema(node, endOf(node))
      const comment = this.#trailing(endOf(node), next ? startOf(next) : limit)
      return { node, schema: comment ? { ...own, ...described(comment, own) } : own }
    })
    const schemas: Schema[] = []
    for (const { node, schema } of variants) {
      const items = node.type === 'TSArrayType' ? this.#sameLineBefore(variants, node) : []
      const first = items[0]
      if (first === undefined || !schema.items) {
        schemas.push(schema)
        continue
      }
      // `"a" | "b"[]` is Harmony's way to write an array of both. Where types are instead of values, a reader of
      // TypeScript sees something else, and people write that too: then both readings count.
      // Templates write nullable items so, too (`string | null[]`), and lists of lists of them.
      const group = { start: first.range.start, end: schema.range.end }
      const list = listOf(schema, items, group)
      if (list.items?.values) schemas.splice(schemas.length - items.length)
      schemas.push(list)
      if (isOnlyNull(innermost(schema))) schemas.push({ range: schema.range, types: ['null'] })
    }
    return simplified(schemas, range)
  }

  /** The variants before `array` on its line that may belong to its items. */
  #sameLineBefore(
    variants: readonly { readonly node: TypeNode; readonly schema: Schema }[],
    array: TypeNode,
  ): readonly Schema[] {
    const index = variants.findIndex(({ node }) => node === array)
    const items: Schema[] = []
    for (let at = index - 1; at >= 0; at--) {
      const variant = variants[at]
      if (!variant || this.#hasLineBreak(endOf(variant.node), startOf(array))) break
      if (variant.node.type === 'TSArrayType') break
      items.unshift(variant.schema)
    }
    return items
  }

  #object(members: readonly MemberNode[], range: Range): Schema {
    const properties = new Map<string, SchemaProperty>()
    let additional: Schema | boolean | undefined = members.length === 0 || this.#isPartial ? true : undefined
    let from = range.start - this.#origin + 1
    const hasSeparators = members.some((it) => this.#endsWithSeparator(it) || this.#touchesComment(it))
    let continued = -1 // where a comment may go on without a mark: directly after it
    members.forEach((member, index) => {
      const next = members[index + 1]
      const until = next ? startOf(next) : range.end - this.#origin
      if (member.type === 'TSPropertySignature') {
        const isProse = this.#mayBeProse(member, {
          isInner: this.#isPartial || (hasSeparators && next !== undefined),
          continued,
        })
        if (isProse) continued = endOf(member)
        const property = this.#property(member, { from, until, isProse })
        const first = properties.get(property.name)
        if (first) this.problems.push(declaredTwice(property.name, property.nameRange, first.nameRange))
        properties.set(property.name, property)
      } else if (member.type === 'TSIndexSignature') {
        const type = member.typeAnnotation?.typeAnnotation
        additional = type ? this.#schema(type, endOf(member)) : true
      } else additional = true
      from = this.#lineEndIfComment(endOf(member), until)
    })
    const required = [...properties.values()].filter((it) => it.isRequired).map(({ name }) => name)
    return { range, types: ['object'], properties, required, additional }
  }

  /**
   * True if `member` may be a line of the comment above it (`Required: true`): templates mark only the first one. After the
   * comment of a variant, which touches its type, anything may be; else a member that has no separator where others have one.
   */
  #mayBeProse(
    member: MemberNode,
    { isInner, continued }: { readonly isInner: boolean; readonly continued: number },
  ): boolean {
    if (this.#isPartial && !this.#endsWithSeparator(member)) return true // the line above may have been left out
    const start = startOf(member)
    const comment = this.#comments[this.#firstCommentFrom(start) - 1]
    const above = Math.max(continued, comment?.end ?? -1)
    if (above < 0 || start - above > longestGap) return false
    if (!/^[ \t]*(?:\r\n|\n|\r)[ \t]*$/.test(this.#text.slice(above, start))) return false
    if (comment && /[^\s,;]/.test(this.#text.charAt(comment.start - 1))) return true
    return isInner && !this.#endsWithSeparator(member)
  }

  /** True for a member whose type is directly followed by a comment, as templates describe variants. */
  #touchesComment(member: MemberNode): boolean {
    return this.#text.startsWith('//', endOf(member))
  }

  #endsWithSeparator(member: MemberNode): boolean {
    return /[,;]/.test(this.#text.charAt(endOf(member) - 1))
  }

  #property(
    member: PropertyNode,
    { from, until, isProse }: { readonly from: number; readonly until: number; readonly isProse: boolean },
  ): SchemaProperty {
    const key = { start: startOf(member.key), end: endOf(member.key) }
    const source = this.#text.slice(key.start, key.end)
    const name = member.key.type === 'StringLiteral' ? member.key.value : source
    const type = member.typeAnnotation?.typeAnnotation
    const isKept = type && !isProse && !this.#isCutByComment(member, until)
    const own: Schema = isKept ? this.#schema(type, endOf(member)) : { range: this.#range(key) }
    const above = this.#commentLines(from, startOf(member))
    const inside = type ? this.#commentLines(key.end, startOf(type)) : []
    const trailing = this.#trailing(endOf(member), until) ?? ''
    const schema = {
      ...own,
      ...described(inside.join('\n'), own, 'above'),
      ...described(trailing, own),
      ...described(above.join('\n'), own, 'above'),
    }
    // A type that says nothing is no reason to demand the property.
    const isKnown =
      type !== undefined && !isProse && !(type.type === 'TSTypeReference' && isUnknownReference(schema))
    return {
      name,
      schema,
      isRequired: isKnown && !member.optional,
      nameRange: this.#range(key),
      range: this.#rangeOf(member),
    }
  }

  /** True if the comment after `member` may have swallowed the rest of the type: `string// a name[],`, `string// a name | `. */
  #isCutByComment(member: MemberNode, until: number): boolean {
    if (this.#endsWithSeparator(member)) return false
    if (this.#touchesComment(member)) return true
    return /\[\](?: \| null)?,?$/.test(this.#trailing(endOf(member), until) ?? '')
  }

  /** The comment that follows `from` on the same line, if it begins before `until`. */
  #trailing(from: number, until: number): string | undefined {
    const comment = this.#comments[this.#firstCommentFrom(from)]
    if (!comment || comment.start >= until || this.#hasLineBreak(from, comment.start)) return undefined
    return commentLines(this.#text.slice(comment.start, comment.end)).join('\n')
  }

  #lineEndIfComment(from: number, until: number): number {
    const comment = this.#comments[this.#firstCommentFrom(from)]
    if (!comment || comment.start >= until || this.#hasLineBreak(from, comment.start)) return from
    return comment.end
  }

  #commentLines(from: number, until: number): readonly string[] {
    const lines: string[] = []
    for (let index = this.#firstCommentFrom(from); index < this.#comments.length; index++) {
      const comment = this.#comments[index]
      if (!comment || comment.start >= until) break
      const source = this.#text.slice(comment.start, comment.end)
      if (source === titleSeparator) lines.push(source)
      else lines.push(...commentLines(source))
    }
    return lines
  }

  #firstCommentFrom(offset: number): number {
    return countWhile(this.#comments.length, (index) => (this.#comments[index]?.start ?? 0) < offset)
  }

  #hasLineBreak(from: number, to: number): boolean {
    return /[\r\n]/.test(this.#text.slice(from, to))
  }

  #rangeOf(node: { readonly start?: number | null; readonly end?: number | null }): Range {
    return this.#range({ start: startOf(node), end: endOf(node) })
  }

  #range({ start, end }: Range): Range {
    return { start: this.#origin + start, end: this.#origin + end }
  }
}

/** Variants that are nothing but values are a list of values; those that are nothing but types, a list of types. */
function simplified(variants: readonly Schema[], range: Range): Schema {
  const isBare = (it: Schema) => it.description === undefined && it.default === undefined
  if (variants.every((it) => isBare(it) && it.values !== undefined)) {
    return { range, values: variants.flatMap(({ values = [] }) => values) }
  }
  const isSimple = (it: Schema) =>
    isBare(it) && it.types?.length === 1 && it.types[0] !== 'object' && it.types[0] !== 'array' && !it.limits
  if (variants.every(isSimple)) return { range, types: variants.flatMap(({ types = [] }) => types) }
  const [only] = variants
  return variants.length === 1 && only ? only : { range, anyOf: variants }
}

/** The array `list` with `others` among its items, on each level of nesting. */
function listOf({ items }: Schema, others: readonly Schema[], range: Range): Schema {
  const own = items?.items ? listOf(items, others, range) : items
  return { range, types: ['array'], items: simplified(own ? [...others, own] : others, range) }
}

/** What the items of the items of an array are. */
function innermost(schema: Schema): Schema {
  let at = schema
  while (at.items) at = at.items
  return at
}

/** A reference that led nowhere is a schema with nothing but its place and comments. */
function isUnknownReference({ types, values, anyOf, items }: Schema): boolean {
  return !types && !values && !anyOf && !items
}

/** A comment without even a space is between a title and the rest. */
const titleSeparator = '//'

/** What a comment says about a member. Undefined parts are left out, so that they do not hide those of another comment. */
function described(comment: string, schema: Schema, place: 'above' | 'behind' = 'behind'): Described {
  if (comment.trim() === '') return {}
  let lines = comment.split('\n')
  const found: { -readonly [Key in keyof Described]: Described[Key] } = {}
  if (lines[1] === titleSeparator) {
    found.title = lines[0] ?? ''
    lines = lines.slice(2)
  }
  const text: string[] = []
  const examples: SchemaValue[] = []
  let isInExamples = false
  for (const line of lines) {
    const [, example] = /^- (.*)$/.exec(line) ?? []
    if (isInExamples && example !== undefined) {
      examples.push(writtenValue(example))
      continue
    }
    isInExamples = line.trim() === 'Examples:'
    if (isInExamples) continue
    const at = place === 'above' ? (line.startsWith(defaultMark) ? 0 : -1) : defaultIn(line)
    if (at === -1) text.push(line === titleSeparator ? '' : line)
    else {
      found.default = { value: defaultOf(line.slice(at + defaultMark.length).trim(), schema) }
      // The white space before the mark belongs to neither.
      const before = line.slice(0, Math.max(0, at - 1))
      if (before.trim() !== '') text.push(before)
    }
  }
  const description = text.join('\n').trim()
  if (description !== '') found.description = description
  if (examples.length > 0) found.examples = examples
  return found
}

const defaultMark = 'default: '

/** Where a default is written: at the start of a line, or after white space; -1 where there is none. */
function defaultIn(line: string): number {
  let at = line.indexOf(defaultMark)
  while (at > 0 && line.charAt(at - 1).trim() !== '') at = line.indexOf(defaultMark, at + 1)
  return at
}

/** Defaults of strings come with quotes or, where there is a list of values, without. */
function defaultOf(written: string, { types, values }: Schema): SchemaValue {
  const isText = values ? values.every((it) => typeof it === 'string') : types?.every((it) => it === 'string')
  const value = writtenValue(written)
  return isText && typeof value !== 'string' ? written : value
}

function writtenValue(written: string): SchemaValue {
  try {
    return JSON.parse(written) as SchemaValue
  } catch {
    // No JSON is a bare word: enum values and what people write by hand.
    return written.length > 1 && /^".*"$/.test(written) ? written.slice(1, -1) : written
  }
}

function startOf({ start }: { readonly start?: number | null }): number {
  return start ?? 0
}

function endOf({ end }: { readonly end?: number | null }): number {
  return end ?? 0
}
