/**
 * Tools that a body defines as JSON objects: those of Chat Completions and Responses, bare functions, and the operations of
 * an OpenAPI document. Objects are looked for where a line begins with a bracket; everything else is prose.
 */
import { append } from '../text/append.ts'
import { localize } from '../text/localize.ts'
import { perText } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import { duplicateJsonKeys, mayRepeatKeys } from './duplicate-json-keys.ts'
import { jsonBody } from './json-body.ts'
import { stringEnd } from './json-token.ts'
import { type JsonNode, jsonTree } from './json-tree.ts'
import type { WrittenSchema } from './schema-library.ts'
import {
  type DefinitionProblem,
  declaredTwice,
  type Parameters,
  problemsAt,
  type ToolDefinition,
} from './tool-definition.ts'
import { jsonSchemaAt, membersOf, type SchemaDocument, stringOf } from './tool-json-schema.ts'
import type { Schema, SchemaProperty, SchemaValue } from './tool-schema.ts'

/** Tools, and what is wrong with the JSON around them. */
export interface JsonDefinitions {
  readonly definitions: readonly ToolDefinition[]
  readonly problems: readonly DefinitionProblem[]
  /** After the last value. */
  readonly end: number
}

const namespace = 'functions' // where tools of JSON objects are addressed (2.0 §8.2)

/** True if `text` can have tools as JSON objects at all. Cheap. */
export function mayHaveJsonTools(text: string): boolean {
  return (
    text.includes('"function"') ||
    text.includes('"parameters"') ||
    text.includes('schema"') ||
    text.includes('Schema"') ||
    text.includes('"paths"')
  )
}

/** The tools in the JSON values of `text`, which may be between prose. */
export function jsonDefinitions(text: string): JsonDefinitions {
  const definitions: ToolDefinition[] = []
  const problems: DefinitionProblem[] = []
  let end = 0
  for (const range of jsonStretches(text)) {
    const found = definitionsIn(text, range)
    append(definitions, found.definitions)
    append(problems, found.problems)
    end = range.end
  }
  return { definitions, problems, end }
}

/** The tools in the JSON values that `text` begins with, up to the first thing that is not one (0.1 §8.1). */
export function leadingJsonDefinitions(text: string): JsonDefinitions {
  const definitions: ToolDefinition[] = []
  const problems: DefinitionProblem[] = []
  let end = 0
  for (;;) {
    const from = end + /^[\s,]*/.exec(text.slice(end, end + longestGap))![0].length
    const range = stretchAt(text, from)
    if (!range) return { definitions, problems, end }
    const found = definitionsIn(text, range)
    append(definitions, found.definitions)
    append(problems, found.problems)
    end = range.end
  }
}

const longestGap = 10_000 // white space between two objects
const failuresAtMost = 50 // brackets that close nowhere; each one is looked for to the end of the text

function* jsonStretches(text: string): IterableIterator<Range> {
  const opening = /^[ \t]*[[{]/gm
  let failures = 0
  for (let match = opening.exec(text); match && failures < failuresAtMost; match = opening.exec(text)) {
    const range = stretchAt(text, match.index + match[0].length - 1)
    if (!range) {
      failures++
      continue
    }
    yield range
    opening.lastIndex = range.end
  }
}

/** From the bracket at `start` to the one that closes it; strings are skipped. */
function stretchAt(text: string, start: number): Range | undefined {
  const first = text.charAt(start)
  if (first !== '{' && first !== '[') return undefined
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') at = (stringEnd(text, at).end ?? at + 1) - 1
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return { start, end: at + 1 }
  }
  return undefined
}

function definitionsIn(text: string, { start, end }: Range): Omit<JsonDefinitions, 'end'> {
  const source = text.slice(start, end)
  if (!mayHaveJsonTools(source) && !source.includes('"name"')) return { definitions: [], problems: [] }
  const { root, problem: tooDeep } = jsonTree(source)
  const problems: DefinitionProblem[] = []
  const shift = ({ start: from, end: to }: Range) => ({ start: start + from, end: start + to })
  if (!root) {
    if (tooDeep) problems.push({ ...tooDeep, kind: 'too-deep', range: shift(tooDeep.range) })
    return { definitions: [], problems }
  }
  const hasReferences = source.includes('$ref')
  const definitions = toolsOf({ source, root, origin: start, hasReferences })
  if (definitions.length === 0) return { definitions, problems }
  const value = parsed(source)
  const { problem } = value === undefined ? jsonBody(source) : {}
  if (problem) {
    const { message, range } = problem
    problems.push({
      kind: 'not-json',
      range: shift(range),
      message: localize`The definition is not valid JSON: ${message}`,
    })
  } else if (mayRepeatKeys(source, value)) {
    let left = listed
    for (const { key, range, related } of duplicateJsonKeys(source)) {
      if (left-- === 0) break
      problems.push(declaredTwice(key, shift(range), shift(related.range)))
    }
  }
  return { definitions, problems }
}

const listed = 100 // no one reads more, and a hostile text has millions

interface JsonSource {
  readonly source: string
  readonly root: JsonNode
  readonly origin: number
  /** True if objects may refer to others: then all of it tells what one means. */
  readonly hasReferences: boolean
}

const listNames = ['tools', 'functions']

function toolsOf(json: JsonSource): readonly ToolDefinition[] {
  const { root } = json
  if (root.type === 'array') return (root.children ?? []).flatMap((it) => toolOf(it, json) ?? [])
  const members = membersOf(root)
  const own = toolOf(root, json)
  if (own) return [own]
  for (const name of listNames) {
    const list = members.get(name)
    if (list?.type === 'array') return (list.children ?? []).flatMap((it) => toolOf(it, json) ?? [])
  }
  return members.get('paths')?.type === 'object' ? operationsOf(members.get('paths'), json) : []
}

function toolOf(node: JsonNode, json: JsonSource): ToolDefinition | undefined {
  const outer = membersOf(node)
  const inner = outer.get('function')
  const isWrapped = inner?.type === 'object'
  const members = isWrapped ? membersOf(inner) : outer
  const name = members.get('name')
  if (stringOf(name) === undefined || !name) return undefined
  const inputSchema = members.get('input_schema') ?? members.get('inputSchema')
  const parameters = members.get('parameters') ?? inputSchema
  const isFunction =
    isWrapped || stringOf(outer.get('type')) === 'function' || (inputSchema && parameters === inputSchema)
  if (!isFunction && !looksLikeSchema(parameters)) return undefined
  return new JsonTool(node, { json, name, description: stringOf(members.get('description')), parameters })
}

/** An object with a name and `parameters` may just as well be a call; a schema says what it is. */
function looksLikeSchema(node: JsonNode | undefined): boolean {
  const members = membersOf(node)
  if (stringOf(members.get('type')) === 'object' || members.get('properties')?.type === 'object') return true
  const isReference = stringOf(members.get('$ref'))?.startsWith('#') === true
  return isReference || ['allOf', 'anyOf', 'oneOf'].some((it) => members.get(it)?.type === 'array')
}

interface JsonToolParts {
  readonly json: JsonSource
  readonly name: JsonNode
  readonly description: string | undefined
  /** The schema of the arguments. */
  readonly parameters?: JsonNode | undefined
  /** An operation of OpenAPI instead, whose parameters are in several places. */
  readonly operation?: readonly ReadonlyMap<string, JsonNode>[]
}

class JsonTool implements ToolDefinition {
  readonly namespace = namespace
  readonly name: string
  readonly description: string
  readonly nameRange: Range
  readonly range: Range
  readonly notation = 'json'
  readonly text: string
  readonly context: string | undefined
  readonly #parts: JsonToolParts
  #meaning: { readonly parameters: Parameters; readonly problems: readonly DefinitionProblem[] } | undefined

  constructor(node: JsonNode, parts: JsonToolParts) {
    const { json, name, description } = parts
    this.name = String(name.value)
    this.description = description ?? ''
    this.range = rangeIn(json, node)
    this.nameRange = inner(rangeIn(json, name))
    this.text = json.source.slice(node.offset, node.offset + node.length)
    // References and path parameters reach beyond the object, so the whole document tells whether anything changed.
    this.context = json.hasReferences || parts.operation ? json.source : undefined
    this.#parts = parts
  }

  get parameters(): Parameters {
    return this.#read().parameters
  }

  get problems(): readonly DefinitionProblem[] {
    const { start } = this.range
    if (this.#meaning || this.context !== undefined) return this.#read().problems
    const known = problemsOf(this.text)
    known.problems ??= problemsAt(this.#read().problems, -start)
    return problemsAt(known.problems, start)
  }

  #read() {
    this.#meaning ??= meaningOf(this.#parts)
    return this.#meaning
  }
}

/**
 * Problems of a definition by its text, relative to it: typing in one of a thousand definitions leaves the others as they were.
 * Without it, a keystroke in the row "definitions in JSON" of `npm run bench -- --only=limits` takes twice as long.
 */
const problemsOf = perText((_text): { problems?: readonly DefinitionProblem[] } => ({}), {
  texts: 10_000,
  length: 500_000,
})

function meaningOf({ json, parameters, operation }: JsonToolParts): {
  readonly parameters: Parameters
  readonly problems: readonly DefinitionProblem[]
} {
  const problems: DefinitionProblem[] = []
  const documentAt = (node: JsonNode): SchemaDocument => ({
    text: json.source,
    origin: json.origin,
    roots: [node, json.root],
    problems,
  })
  if (operation) return { parameters: operationParameters(operation, { json, documentAt }), problems }
  if (parameters?.type !== 'object') return { parameters: { kind: 'none' }, problems }
  return {
    parameters: {
      kind: 'schema',
      schema: jsonSchemaAt(parameters, documentAt(parameters)),
      written: writtenAt(parameters, json),
    },
    problems,
  }
}

/** The schema at `node` as data; undefined if the text is not JSON. */
function writtenAt({ offset, length }: JsonNode, { source }: JsonSource): WrittenSchema | undefined {
  const schema = parsed(source.slice(offset, offset + length))
  return schema === undefined ? undefined : { schema, document: () => parsed(source) }
}

function parsed(text: string): SchemaValue | undefined {
  try {
    return JSON.parse(text) as SchemaValue
  } catch {
    // The mistake is reported by itself.
    return undefined
  }
}

const methods: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'patch',
  'head',
  'options',
  'trace',
])

function operationsOf(paths: JsonNode | undefined, json: JsonSource): readonly ToolDefinition[] {
  const tools: ToolDefinition[] = []
  for (const path of membersOf(paths).values()) {
    for (const [method, node] of membersOf(path)) {
      const members = membersOf(node)
      const name = members.get('operationId')
      if (!methods.has(method) || !name || stringOf(name) === undefined) continue
      const description = stringOf(members.get('description')) ?? stringOf(members.get('summary'))
      tools.push(new JsonTool(node, { json, name, description, operation: [membersOf(path), members] }))
    }
  }
  return tools
}

interface OperationPlace {
  readonly json: JsonSource
  documentAt(node: JsonNode): SchemaDocument
}

/** The parameters of path and operation, and the members of a JSON request body, as one object. */
function operationParameters(
  parts: readonly ReadonlyMap<string, JsonNode>[],
  { json, documentAt }: OperationPlace,
): Parameters {
  const properties = new Map<string, SchemaProperty>()
  let range: Range = { start: json.origin, end: json.origin }
  for (const part of parts) {
    for (const node of part.get('parameters')?.children ?? []) {
      const members = membersOf(node)
      const name = members.get('name')
      const schema = members.get('schema')
      if (!name || stringOf(name) === undefined) continue
      range = rangeIn(json, node)
      const own: Schema = schema ? jsonSchemaAt(schema, documentAt(schema)) : { range }
      properties.set(String(name.value), {
        name: String(name.value),
        schema: { ...own, description: stringOf(members.get('description')) ?? own.description },
        isRequired: members.get('required')?.value === true,
        nameRange: rangeIn(json, name),
        range,
      })
    }
  }
  const body = bodySchemaNode(parts.at(-1))
  const schema = body && jsonSchemaAt(body, documentAt(body))
  if (!schema && properties.size === 0) return { kind: 'none' }
  const own = [...properties.values()].filter((it) => it.isRequired).map(({ name }) => name)
  const ofParameters: Schema = { range, types: ['object'], properties, required: own }
  if (!schema) return { kind: 'schema', schema: ofParameters }
  if (properties.size === 0) return { kind: 'schema', schema }
  return { kind: 'schema', schema: { range: schema.range, allOf: [ofParameters, schema] } }
}

function bodySchemaNode(operation: ReadonlyMap<string, JsonNode> | undefined): JsonNode | undefined {
  const content = membersOf(membersOf(operation?.get('requestBody')).get('content'))
  return membersOf(content.get('application/json')).get('schema')
}

function rangeIn({ origin }: JsonSource, { offset, length }: JsonNode): Range {
  return { start: origin + offset, end: origin + offset + length }
}

/** A string without its quotes. */
function inner({ start, end }: Range): Range {
  return end - start >= 2 ? { start: start + 1, end: end - 1 } : { start, end }
}
