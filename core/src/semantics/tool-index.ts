/**
 * Which tools a document declares, and where (D19). Updated from the segments that an edit removed and inserted; which calls
 * that concerns is reported by tool and namespace, so that the others need not be looked at.
 */

import type { RequestTools } from '../document/transcript.ts'
import type { ResponseFormat, ToolDefinition } from '../embedded/tool-definition.ts'
import { toolDeclarations } from '../embedded/tool-definitions.ts'
import type { Segment } from '../syntax/segment.ts'
import { countWhile } from '../text/count-while.ts'
import { interned } from '../text/interned.ts'
import { perValue } from '../text/memo.ts'
import { functionPrefix, isBuiltin, withoutFunctionPrefix } from '../vocabulary/roles.ts'
import type { BodyText } from './body-text.ts'
import type { SegmentOrder } from './exchange-index.ts'
import { declarationsOf, type MessageDeclarations } from './tool-declarations.ts'

/** A tool and where it is declared. */
export interface DeclaredTool {
  readonly definition: ToolDefinition
  readonly segment: Segment
  /** What the ranges of the definition refer to. */
  readonly source: BodyText
  /** The definition that calls are judged by: the tool's JSON in the request if `definition` shows just that, else `definition`. */
  readonly written: ToolDefinition
}

/** A format of answers and where it is declared. */
export interface DeclaredFormat {
  readonly format: ResponseFormat
  readonly segment: Segment
  readonly source: BodyText
}

/** What an edit changed about the tools. Keys are names without `functions.`. */
export interface ToolChange {
  /** Tools whose definition is new, gone or other than before. */
  readonly changed: ReadonlySet<string>
  /** Tools whose definition is the same in another segment: only what points there is outdated. */
  readonly moved: ReadonlySet<string>
  /** Namespaces whose set of tools is other than before. */
  readonly namespaces: ReadonlySet<string>
  /** True if answers must be judged again. */
  readonly hasOtherFormats: boolean
}

const noChange: ToolChange = {
  changed: new Set(),
  moved: new Set(),
  namespaces: new Set(),
  hasOtherFormats: false,
}

/** The namespace of tools that are addressed by their bare name or as `functions.NAME`. */
export const functionNamespace = functionPrefix.slice(0, -1)

/** Tools and response formats of a document. */
export class ToolIndex {
  readonly #order: SegmentOrder
  #requestTools: RequestTools | undefined
  readonly #byKey = new Map<string, DeclaredTool[]>()
  /** The tools with one definition by names as calls write them, as far as they were asked for: cutting off a prefix costs more. */
  readonly #byName = new Map<string, DeclaredTool>()
  /** By namespace, how many blocks declare it and how many of them could not be read completely. */
  readonly #namespaces = new Map<string, { blocks: number; incomplete: number }>()
  readonly #segments = new Set<Segment>()
  readonly #formats = new Map<Segment, readonly DeclaredFormat[]>()
  /** The segments of the formats in document order; undefined until they are asked for. */
  #formatSegments: readonly Segment[] | undefined
  /** The lists of {@link #byKey} in document order, as far as they were asked for. Edits leave the order of what stays. */
  readonly #ordered = new WeakMap<readonly DeclaredTool[], readonly DeclaredTool[]>()
  readonly #keys = new Map<string, readonly string[]>()

  /**
   * @param segments the segments of the document that may declare something, in document order
   * @param requestTools what definitions in TypeScript are judged by that show the same
   */
  constructor(order: SegmentOrder, segments: readonly Segment[] = [], requestTools?: RequestTools) {
    this.#order = order
    this.#requestTools = requestTools
    for (const segment of segments) for (const it of declared(segment)) this.#add(it)
  }

  /** True if the document declares neither tools nor formats. */
  get isEmpty(): boolean {
    return this.#segments.size === 0
  }

  /** Every declared tool, in no particular order. */
  *tools(): IterableIterator<DeclaredTool> {
    for (const tools of this.#byKey.values()) yield* tools
  }

  /** The messages that declare something, in document order. */
  segments(): readonly Segment[] {
    return this.#inOrder([...this.#segments], (it) => it)
  }

  /** True if a block declares `namespace` (D19). */
  declares(namespace: string): boolean {
    return this.#namespaces.has(namespace)
  }

  /** True if every block of `namespace` could be read, so that its tools are all known. */
  isComplete(namespace: string): boolean {
    return this.#namespaces.get(namespace)?.incomplete === 0
  }

  /** The name by which a tool is known, however it is written: without `functions.` (D12). */
  keyOf(name: string): string {
    return withoutFunctionPrefix(name)
  }

  /** Every definition of the tool called `name` (the `functions.` prefix is optional), in document order. */
  definitionsOf(name: string): readonly DeclaredTool[] {
    return this.#inDocumentOrder(this.#byKey.get(withoutFunctionPrefix(name)) ?? [])
  }

  /** What `name` means for a message at `at`: the last definition before it, else the first one after it. */
  tool(name: string, at: Segment): DeclaredTool | undefined {
    const known = this.#byName.get(name)
    if (known) return known
    const tools = this.#byKey.get(withoutFunctionPrefix(name))
    if (!tools) return undefined
    const [only] = tools
    if (tools.length > 1 || !only) return this.#nearest(tools, at)
    this.#byName.set(interned(name), only)
    return only
  }

  /** The names of the tools of `namespace` without `functions.`, sorted; the same list until one comes or goes. */
  keysIn(namespace: string): readonly string[] {
    const known = this.#keys.get(namespace)
    if (known) return known
    const keys = [...this.#byKey.keys()].filter((it) => this.has(namespace, it)).sort()
    this.#keys.set(namespace, keys)
    return keys
  }

  /** True if `namespace` has a tool of that name, which is without `functions.`. */
  has(namespace: string, key: string): boolean {
    return this.#byKey.get(key)?.[0]?.definition.namespace === namespace
  }

  /**
   * The declared namespace that `name` belongs to; undefined if there is none, and nothing can be said about the tool.
   *
   * @param builtins further built-in tools that the header declares
   */
  namespaceOf(name: string, builtins: ReadonlySet<string> | undefined): string | undefined {
    const bare = withoutFunctionPrefix(name)
    for (let dot = bare.lastIndexOf('.'); dot > 0; dot = bare.lastIndexOf('.', dot - 1)) {
      const namespace = bare.slice(0, dot)
      if (this.declares(namespace)) return namespace
    }
    if (isBuiltin(name, builtins)) return undefined
    const isFunction = name !== bare || !bare.includes('.')
    return isFunction && this.declares(functionNamespace) ? functionNamespace : undefined
  }

  /** The formats that hold for an answer at `at`: those of the last message before it that declares some. */
  formats(at: Segment): readonly DeclaredFormat[] {
    if (this.#formats.size === 0 || !this.#order.locate(at)) return []
    this.#formatSegments ??= this.#inOrder([...this.#formats.keys()], (it) => it)
    const segments = this.#formatSegments
    const segment = segments[this.#countBefore(segments, at, (it) => it) - 1]
    return (segment && this.#formats.get(segment)) ?? []
  }

  /** Takes over the tools of the request. Calls must be judged again if they are others than before. */
  judgeBy(requestTools: RequestTools | undefined): void {
    if (requestTools === this.#requestTools) return
    this.#requestTools = requestTools
    this.#byName.clear()
    for (const [key, tools] of this.#byKey) {
      const judged = tools.map(({ definition, segment, source }) =>
        this.#declared(definition, segment, source),
      )
      this.#byKey.set(key, judged)
    }
  }

  /** Takes over what an edit did. Segments must have their places already. */
  update(removed: readonly Segment[], inserted: readonly Segment[]): ToolChange {
    const before = removed.flatMap((it) => (this.#segments.has(it) ? declared(it) : []))
    const after = inserted.flatMap(declared)
    if (before.length === 0 && after.length === 0) return noChange
    this.#byName.clear()
    this.#remove(before)
    for (const it of after) this.#add(it)
    const change = changeOf(before, after)
    for (const namespace of change.namespaces) this.#keys.delete(namespace)
    return change
  }

  #add({ segment, declarations }: Declaring): void {
    this.#segments.add(segment)
    const { source } = declarations
    for (const definition of declarations.definitions) {
      const tools = this.#byKey.get(keyOf(definition))
      const tool = this.#declared(definition, segment, source)
      if (tools) {
        tools.push(tool)
        this.#ordered.delete(tools)
      } else this.#byKey.set(keyOf(definition), [tool])
    }
    for (const { name, isComplete } of declarations.namespaces) {
      const known = this.#namespaces.get(name) ?? { blocks: 0, incomplete: 0 }
      this.#namespaces.set(name, {
        blocks: known.blocks + 1,
        incomplete: known.incomplete + (isComplete ? 0 : 1),
      })
    }
    if (declarations.formats.length === 0) return
    this.#formatSegments = undefined
    this.#formats.set(
      segment,
      declarations.formats.map((format) => ({ format, segment, source })),
    )
  }

  #declared(definition: ToolDefinition, segment: Segment, source: BodyText): DeclaredTool {
    return { definition, segment, source, written: this.#writtenOf(definition) }
  }

  #writtenOf(definition: ToolDefinition): ToolDefinition {
    if (!this.#requestTools || !isFunction(definition)) return definition
    const { shown, written } = definitionsOf(this.#requestTools).get(definition.name) ?? {}
    return written && shown === comparable(definition.text) ? written : definition
  }

  #remove(all: readonly Declaring[]): void {
    const keys = new Set<string>()
    for (const { segment, declarations } of all) {
      this.#segments.delete(segment)
      for (const definition of declarations.definitions) keys.add(keyOf(definition))
      for (const block of declarations.namespaces) this.#removeBlock(block)
      if (this.#formats.delete(segment)) this.#formatSegments = undefined
    }
    for (const key of keys) {
      const tools = this.#byKey.get(key) ?? []
      const left = tools.filter(({ segment }) => this.#segments.has(segment))
      if (left.length > 0) this.#byKey.set(key, left)
      else this.#byKey.delete(key)
    }
  }

  #removeBlock({ name, isComplete }: MessageDeclarations['namespaces'][number]): void {
    const known = this.#namespaces.get(name)
    if (!known) return
    if (known.blocks === 1) this.#namespaces.delete(name)
    else {
      const incomplete = known.incomplete - (isComplete ? 0 : 1)
      this.#namespaces.set(name, { blocks: known.blocks - 1, incomplete })
    }
  }

  /** Within one message the later definition counts, as for a reader. */
  #nearest(tools: readonly DeclaredTool[], at: Segment): DeclaredTool | undefined {
    const ordered = this.#inDocumentOrder(tools)
    return ordered[Math.max(0, this.#countBefore(ordered, at, ({ segment }) => segment) - 1)]
  }

  /** How many of `ordered`, which is in document order, are in messages before `at`. */
  #countBefore<Item>(ordered: readonly Item[], at: Segment, segmentOf: (item: Item) => Segment): number {
    const place = this.#order.locate(at)?.index ?? Number.POSITIVE_INFINITY
    return countWhile(ordered.length, (index) => {
      const item = ordered[index] as Item
      return (this.#order.locate(segmentOf(item))?.index ?? 0) < place
    })
  }

  /** `tools`, a list of this index, sorted the first time. */
  #inDocumentOrder(tools: readonly DeclaredTool[]): readonly DeclaredTool[] {
    const known = this.#ordered.get(tools)
    if (known) return known
    const ordered = this.#inOrder(tools, ({ segment }) => segment)
    this.#ordered.set(tools, ordered)
    return ordered
  }

  #inOrder<Item>(items: readonly Item[], segmentOf: (item: Item) => Segment): readonly Item[] {
    if (items.length < 2) return items
    const places = items.map((item) => ({ item, index: this.#order.locate(segmentOf(item))?.index ?? -1 }))
    places.sort((one, other) => one.index - other.index)
    return places.map(({ item }) => item)
  }
}

/** The name by which calls and definitions are compared: without `functions.` (D12). */
export function keyOf({ namespace, name }: Pick<ToolDefinition, 'namespace' | 'name'>): string {
  return namespace === functionNamespace ? name : `${namespace}.${name}`
}

/** The name as calls write it: `functions.get_weather`. */
export function fullName({ namespace, name }: Pick<ToolDefinition, 'namespace' | 'name'>): string {
  return `${namespace}.${name}`
}

function isFunction({ namespace }: ToolDefinition): boolean {
  return namespace === functionNamespace
}

/** The definitions of a request by name, each with the TypeScript that shows it; of equal names the last one. */
const definitionsOf = perValue(({ body, json }: RequestTools) => {
  const shown = toolDeclarations(body, { isDeveloper: true })?.definitions ?? []
  const written = toolDeclarations(json, { isDeveloper: true })?.definitions ?? []
  const texts = new Map(shown.map((it) => [it.name, comparable(it.text)]))
  return new Map(written.map((it) => [it.name, { written: it, shown: texts.get(it.name) }]))
})

/** A definition but for its defaults: a YAML header does not keep how a number is spelled. */
function comparable(text: string): string {
  return text.includes('// default: ') ? text.replace(/\/\/ default: .*/g, '') : text
}

interface Declaring {
  readonly segment: Segment
  readonly declarations: MessageDeclarations
}

function declared(segment: Segment): readonly Declaring[] {
  const declarations = declarationsOf(segment)
  return declarations ? [{ segment, declarations }] : []
}

function changeOf(before: readonly Declaring[], after: readonly Declaring[]): ToolChange {
  const contexts = new Map<string, number>()
  const old = textsByKey(before, contexts)
  const now = textsByKey(after, contexts)
  const changed = new Set<string>()
  const moved = new Set<string>()
  const namespaces = new Set<string>()
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const isSame = old.get(key)?.text === now.get(key)?.text
    ;(isSame ? moved : changed).add(key)
    const namespace = old.has(key) === now.has(key) ? undefined : (now.get(key) ?? old.get(key))?.namespace
    if (namespace !== undefined) namespaces.add(namespace)
  }
  const oldBlocks = blocksOf(before)
  const newBlocks = blocksOf(after)
  for (const name of new Set([...oldBlocks.keys(), ...newBlocks.keys()])) {
    if (oldBlocks.get(name) !== newBlocks.get(name)) namespaces.add(name)
  }
  const hasOtherFormats = [...before, ...after].some(({ declarations }) => declarations.formats.length > 0)
  return { changed, moved, namespaces, hasOtherFormats }
}

/** What defines each tool. A large context is one of many definitions, so a number stands for it. */
function textsByKey(
  declaring: readonly Declaring[],
  contexts: Map<string, number>,
): ReadonlyMap<string, { readonly text: string; readonly namespace: string }> {
  const texts = new Map<string, { readonly text: string; readonly namespace: string }>()
  for (const { declarations } of declaring) {
    for (const definition of declarations.definitions) {
      const key = keyOf(definition)
      const { context = '' } = definition
      const number = contexts.get(context) ?? contexts.size
      contexts.set(context, number)
      const text = `${texts.get(key)?.text ?? ''}\n${number} ${definition.text}`
      texts.set(key, { text, namespace: definition.namespace })
    }
  }
  return texts
}

function blocksOf(declaring: readonly Declaring[]): ReadonlyMap<string, string> {
  const blocks = new Map<string, string>()
  for (const { declarations } of declaring) {
    for (const { name, isComplete } of declarations.namespaces) {
      blocks.set(name, `${blocks.get(name) ?? ''}${isComplete ? 'c' : 'i'}`)
    }
  }
  return blocks
}
