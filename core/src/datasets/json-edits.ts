/** Edits of the JSON of a sample by the places of its values, also inside of strings that hold JSON: all else stays byte for byte. */

import type { JsonPlace, JsonWords } from '../conversation/conversation.ts'
import { noteNodes } from '../conversation/json-places.ts'
import type { JsonNode } from '../embedded/json-tree.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { exactValue } from './exact-json.ts'
import { changedString } from './json-words.ts'
import { JsonMerge, type ListItem, memberOf, treeOf } from './merge-json.ts'
import { type TextChange, textChanges } from './text-change.ts'

/** A JSON text: that of the sample, or of a value in one of its strings. */
interface JsonDocument {
  readonly text: string
  readonly root: JsonNode
  readonly merge: JsonMerge
  /** The string that holds it. */
  readonly holder: JsonWords | undefined
  /** The JSON of values that are rewritten. */
  readonly replaced: Map<JsonNode, string>
  /** What changes in strings. */
  readonly changes: Map<JsonNode, TextChange[]>
  /** Elements and properties that go. */
  readonly removed: Set<JsonNode>
  /** Elements that come, by the list and the index of the element before which they are. */
  readonly inserted: Map<JsonNode, Map<number, string[]>>
}

/** A value and the text that it is in. */
export interface FoundValue {
  readonly document: JsonDocument
  readonly node: JsonNode
}

/** Collects edits of one sample. */
export class JsonEdits {
  readonly #documents: JsonDocument[] = []
  readonly #nodes = new Map<object, FoundValue>()

  /** @param embedded the values that are JSON in strings of `value`, which was parsed of `json` */
  constructor(json: string, value: JsonValue, embedded: ReadonlyMap<object, JsonWords> = new Map()) {
    this.#add(json, value, undefined)
    for (const [inner, words] of embedded) {
      const text = stretchOf(words)
      if (text !== undefined) this.#add(text, inner as JsonValue, words)
    }
  }

  /** The value at a place; undefined if it isn't in the text. */
  at({ parent, key }: JsonPlace): FoundValue | undefined {
    const found = this.#nodes.get(parent)
    const node = typeof key === 'number' ? found?.node.children?.[key] : memberOf(found?.node, key)
    return found && node && { document: found.document, node }
  }

  /** The JSON of an object or a list; undefined if it isn't in the text. */
  source(value: JsonValue): string | undefined {
    const found = this.#found(value)
    return found?.document.text.slice(found.node.offset, found.node.offset + found.node.length)
  }

  /** Makes `json` of an object or a list that {@link source} knows. */
  rewrite(value: JsonValue, json: string): void {
    const found = this.#found(value)
    found?.document.replaced.set(found.node, json)
  }

  /** Changes a string. Offsets are those of its value. False if there is none at the place. */
  change(place: JsonPlace, changes: readonly TextChange[]): boolean {
    const found = this.at(place)
    if (found?.node.type !== 'string') return false
    const { changes: known } = found.document
    known.set(found.node, [...(known.get(found.node) ?? []), ...changes])
    return true
  }

  /** Changes a value that is shown as its JSON text. False if one of the texts is not JSON. */
  merge(place: JsonPlace, before: string, after: string): boolean {
    const found = this.at(place)
    if (!found) return false
    const { document, node } = found
    if (node.type === 'null' && before === '') {
      document.replaced.set(node, document.merge.written(after))
      return true
    }
    const [base, next] = [exactValue(before), exactValue(after)]
    if (base === undefined || next === undefined) return false
    document.replaced.set(node, document.merge.text(node, base, next))
    return true
  }

  /** Takes an element out of its list, or a property out of its object. */
  remove(place: JsonPlace): boolean {
    const found = this.at(place)
    if (!found) return false
    const { document, node } = found
    document.removed.add(typeof place.key === 'number' ? node : (node.parent ?? node))
    return true
  }

  /** Puts `value` before the element `index` of `list`. */
  insert(list: object, index: number, value: JsonValue): boolean {
    const found = this.#nodes.get(list)
    if (found?.node.type !== 'array') return false
    const { inserted, merge } = found.document
    const own = inserted.get(found.node) ?? new Map<number, string[]>()
    own.set(index, [...(own.get(index) ?? []), merge.written(value)])
    inserted.set(found.node, own)
    return true
  }

  /** Puts a property at the end of an object, or before its property `before`. */
  put(object: object, key: string, value: JsonValue): boolean {
    const found = this.#nodes.get(object)
    if (found?.node.type !== 'object') return false
    const { document, node } = found
    const { inserted, merge } = document
    const [property] = node.children ?? []
    const [keyNode, valueNode] = property?.children ?? []
    const colon =
      keyNode && valueNode ? document.text.slice(keyNode.offset + keyNode.length, valueNode.offset) : ':'
    const own = inserted.get(node) ?? new Map<number, string[]>()
    const end = node.children?.length ?? 0
    own.set(end, [...(own.get(end) ?? []), merge.written(key) + colon + merge.written(value)])
    inserted.set(node, own)
    return true
  }

  /** The nodes of the elements of a list. */
  elements(list: object): readonly JsonNode[] {
    return this.#nodes.get(list)?.node.children ?? []
  }

  /** The JSON of the sample after all edits. */
  result(): string {
    let text = ''
    // What is inside comes after what holds it.
    for (const document of this.#documents.toReversed()) {
      text = rendered(document)
      const { holder } = document
      if (!holder || text === document.text) continue
      const from = holder.from ?? 0
      const changes = textChanges(document.text, text)
      this.change(
        holder,
        changes.map((it) => ({ from: from + it.from, to: from + it.to, text: it.text })),
      )
    }
    return text
  }

  #found(value: JsonValue): FoundValue | undefined {
    return typeof value === 'object' && value !== null ? this.#nodes.get(value) : undefined
  }

  #add(text: string, value: JsonValue, holder: JsonWords | undefined): void {
    const root = treeOf(text)
    const document: JsonDocument = {
      text,
      root,
      merge: new JsonMerge(text, root),
      holder,
      replaced: new Map(),
      changes: new Map(),
      removed: new Set(),
      inserted: new Map(),
    }
    this.#documents.push(document)
    const nodes = new Map<object, JsonNode>()
    noteNodes(root, value, nodes)
    for (const [it, node] of nodes) this.#nodes.set(it, { document, node })
  }
}

/** The text at `words`; undefined if that is not a string. */
export function stretchOf({ parent, key, from = 0, to, fixed }: JsonWords): string | undefined {
  if (fixed !== undefined) return fixed
  const value = (parent as JsonObject)[key]
  return typeof value === 'string' ? value.slice(from, to ?? value.length) : undefined
}

function rendered(document: JsonDocument): string {
  const { text, root, replaced, changes, removed, inserted } = document
  const touched = new Set<JsonNode>()
  for (const node of [...replaced.keys(), ...changes.keys(), ...removed, ...inserted.keys()])
    for (let it: JsonNode | undefined = node; it && !touched.has(it); it = it.parent) touched.add(it)
  if (touched.size === 0) return text
  return (
    text.slice(0, root.offset) + renderedNode(root, document, touched) + text.slice(root.offset + root.length)
  )
}

function renderedNode(node: JsonNode, document: JsonDocument, touched: ReadonlySet<JsonNode>): string {
  const { text, merge, replaced, changes, removed, inserted } = document
  const { offset, length, type, children = [] } = node
  const written = replaced.get(node)
  if (written !== undefined) return written
  if (!touched.has(node)) return text.slice(offset, offset + length)
  const own = changes.get(node)
  if (own) {
    const sorted = [...own].sort((one, other) => one.from - other.from || one.to - other.to)
    return changedString(text, node, sorted, (it) => merge.written(it))
  }
  const added = inserted.get(node)
  const isSplit = type !== 'property' && (added !== undefined || children.some((it) => removed.has(it)))
  if (!isSplit) {
    let result = ''
    let copied = offset
    for (const child of children) {
      result += text.slice(copied, child.offset) + renderedNode(child, document, touched)
      copied = child.offset + child.length
    }
    return result + text.slice(copied, offset + length)
  }
  const items: ListItem[] = []
  for (let index = 0; index <= children.length; index++) {
    for (const it of added?.get(index) ?? []) items.push({ text: it, index: undefined })
    const child = children[index]
    if (child && !removed.has(child)) items.push({ text: renderedNode(child, document, touched), index })
  }
  return merge.joined(node, items)
}
