/**
 * Changes JSON text as little as a change of its value needs: what did not change keeps its spelling, its order and its
 * white space, and what is new is written as the rest is.
 */

import { ConversionError } from '../conversation/loss.ts'
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { reasoningFields } from '../forms/chat/chat-tools.ts'
import { localize } from '../text/localize.ts'
import { exactValue, isEqual, numberText } from './exact-json.ts'
import { editedStrings } from './json-words.ts'

/** The tree of `json`, which is valid. @throws ConversionError if it is nested too deep */
export function treeOf(json: string): JsonNode {
  const { root } = jsonTree(json)
  if (!root) throw new ConversionError(localize`The sample is nested too deeply`)
  return root
}

/**
 * `json` with what differs between `base` and `next`. The three may differ otherwise: what `base` and `next` have in common
 * stays in `json` as it is, also where that has something else, or more, or says it in another way that readers know: text as
 * parts, arguments as an object, reasoning under another name.
 */
export function mergedJson(json: string, base: JsonValue, next: JsonValue): string {
  const root = treeOf(json)
  const merge = new JsonMerge(json, root)
  return json.slice(0, root.offset) + merge.text(root, base, next) + json.slice(root.offset + root.length)
}

/** An element of a list that is written: from the source, in which it has an index, or a new one. */
export interface ListItem {
  readonly text: string
  readonly index: number | undefined
}

/** How someone writes JSON. */
interface Style {
  readonly comma: string
  readonly colon: string
  /** True if everything outside of ASCII is escaped. */
  readonly isAscii: boolean
}

/** Merges into one text. */
export class JsonMerge {
  readonly #json: string
  readonly #style: Style

  /** @param root the tree of `json` */
  constructor(json: string, root: JsonNode) {
    this.#json = json
    this.#style = styleOf(json, root)
  }

  /** The JSON of `node` with what differs between `base` and `next`. */
  text(node: JsonNode, base: JsonValue | undefined, next: JsonValue): string {
    if (base !== undefined && isEqual(base, next)) return this.source(node)
    const [before, after] = [wordsIn(base), wordsIn(next)]
    if (before !== undefined && after !== undefined) {
      const text = this.#words(node, before, after)
      if (text !== undefined) return text
    }
    if (node.type === 'object' && isObject(base) && isObject(next)) return this.#object(node, base, next)
    if (node.type === 'array' && Array.isArray(base) && Array.isArray(next)) {
      if (node.children?.length === base.length) return this.#array(node, base, next)
    }
    // A text that stands alone, where the form would have a list of one part, does so still.
    return this.written(node.type === 'string' && after !== undefined ? after : next)
  }

  /** The JSON of `node` as it is. */
  source({ offset, length }: JsonNode): string {
    return this.#json.slice(offset, offset + length)
  }

  /** `value` as JSON in the style of the rest. */
  written(value: JsonValue): string {
    return written(value, this.#style)
  }

  /** The brackets of `node` around `items`, with the separators that are before them, or those that are between others. */
  joined(node: JsonNode, items: readonly ListItem[]): string {
    const children = node.children ?? []
    const [first, second] = children
    const last = children.at(-1)
    const usual = first && second ? this.#between(first, second) : this.#style.comma
    const open = this.#json[node.offset] ?? ''
    const close = this.#json[node.offset + node.length - 1] ?? ''
    const head = first ? this.#json.slice(node.offset, first.offset) : open
    const tail = last ? this.#json.slice(last.offset + last.length, node.offset + node.length) : close
    let text = ''
    items.forEach((item, at) => {
      const child = item.index === undefined ? undefined : children[item.index]
      const before = item.index === undefined ? undefined : children[item.index - 1]
      if (at > 0) text += child && before ? this.#between(before, child) : usual
      text += item.text
    })
    return head + text + tail
  }

  #words(node: JsonNode, before: string, after: string): string | undefined {
    const parts = partsOf(node)
    if (parts) {
      const edited = this.#edited(node, parts.flatMap(wordsOfPart), before, after)
      if (edited !== undefined || parts.length === 0) return edited
      // Parts without words, such as an image: the words are a new part.
      if (before !== '' || parts.some((it) => wordsOfPart(it).length > 0)) return undefined
      const items = parts.map((it, index) => ({ text: this.source(it), index }))
      const part = { type: 'text', text: after }
      return this.joined(node, [...items, { text: this.written(part), index: undefined }])
    }
    if (node.type === 'string') return this.#edited(node, [node], before, after)
    // Arguments that are not in a string.
    const [base, next] = [exactValue(before), exactValue(after)]
    return base === undefined || next === undefined ? undefined : this.text(node, base, next)
  }

  #edited(node: JsonNode, strings: readonly JsonNode[], before: string, after: string): string | undefined {
    const texts = editedStrings(this.#json, strings, { before, after }, (text) => this.written(text))
    if (!texts) return undefined
    let result = ''
    let copied = node.offset
    for (const [{ offset, length }, text] of [...texts].sort(([a], [b]) => a.offset - b.offset)) {
      result += this.#json.slice(copied, offset) + text
      copied = offset + length
    }
    return result + this.#json.slice(copied, node.offset + node.length)
  }

  #object(node: JsonNode, base: JsonObject, next: JsonObject): string {
    const properties = node.children ?? []
    const lastOf = new Map(properties.map((property, index) => [keyOf(property), index]))
    const { texts, said } = this.#otherNames(node, base, next, lastOf)
    const items: ListItem[] = []
    properties.forEach((property, index) => {
      const key = keyOf(property)
      const [keyNode, value] = property.children ?? []
      const other = texts.get(index)
      if (other !== undefined && value) {
        if (other !== null)
          items.push({ text: this.#json.slice(property.offset, value.offset) + other, index })
        return
      }
      const [before, after] = [own(base, key), own(next, key)]
      // A number that JavaScript can't hold, such as 1e400, is shown as `null`: taking that out does not mean the number.
      const isShown = !(before === null && value?.type === 'number')
      if (before !== undefined && after === undefined && isShown) return
      // Of several of one name the last one counts.
      const isKept = after === undefined || lastOf.get(key) !== index || !keyNode || !value
      const text = isKept
        ? this.source(property)
        : this.#json.slice(property.offset, value.offset) + this.text(value, before, after)
      items.push({ text, index })
    })
    for (const [key, value] of Object.entries(next)) {
      if (lastOf.has(key) || said.has(key)) continue
      const before = own(base, key)
      if (before !== undefined && isEqual(before, value)) continue
      items.push({ text: this.written(key) + this.#style.colon + this.written(value), index: undefined })
    }
    return this.joined(node, items)
  }

  /**
   * Values of properties that say under another name what `base` says, by their index; null for one that goes. `said` are the
   * names in `base` and `next` that are done with.
   */
  #otherNames(
    { children: properties = [] }: JsonNode,
    base: JsonObject,
    next: JsonObject,
    lastOf: ReadonlyMap<string, number>,
  ): { readonly texts: ReadonlyMap<number, string | null>; readonly said: ReadonlySet<string> } {
    const texts = new Map<number, string | null>()
    const said = new Set<string>()
    const valueAt = (key: string) => properties[lastOf.get(key) ?? -1]?.children?.[1]
    const put = (key: string, name: string, value: JsonNode, edited: string | null) => {
      texts.set(lastOf.get(key) ?? -1, edited ?? (own(next, name) === undefined ? null : this.source(value)))
      said.add(name)
    }
    for (const name of reasoningFields) {
      const before = own(base, name)
      if (typeof before !== 'string') continue
      for (const key of reasoningFields) {
        const value = valueAt(key)
        const after = own(next, name)
        if (value?.type !== 'string' || value.value === '') continue
        put(key, name, value, after === undefined ? null : this.text(value, before, after))
      }
    }
    const [content, refusal] = [valueAt('content'), valueAt('refusal')]
    const [before, after] = [own(base, 'content'), own(next, 'content')]
    if (
      refusal?.type === 'string' &&
      refusal.value !== '' &&
      typeof before === 'string' &&
      after !== before
    ) {
      const strings = [
        ...(content?.type === 'string' ? [content] : (partsOf(content) ?? []).flatMap(wordsOfPart)),
      ]
      const write = (text: string) => this.written(text)
      const change = { before, after: typeof after === 'string' ? after : '' }
      const edited = editedStrings(this.#json, [...strings, refusal], change, write)
      if (edited && content?.type === 'string')
        put('content', 'content', content, edited.get(content) ?? this.source(content))
      if (edited && content?.type !== 'array')
        put('refusal', 'content', refusal, edited.get(refusal) ?? this.source(refusal))
    }
    const [calls, nextCalls] = [own(base, 'tool_calls'), own(next, 'tool_calls')]
    const called = valueAt('function_call')
    if (called && !valueAt('tool_calls') && Array.isArray(calls) && calls.length === 1) {
      const [one, two] = [soleFunction(calls), soleFunction(nextCalls)]
      if (nextCalls === undefined) put('function_call', 'tool_calls', called, null)
      else if (one && two) put('function_call', 'tool_calls', called, this.text(called, one, two))
    }
    // A reasoning item may have its words in the summary alone.
    const summary = valueAt('summary')
    if (own(base, 'type') === 'reasoning' && summary && !(content?.children?.length ?? 0)) {
      const [old, now] = [own(base, 'content'), own(next, 'content')]
      if (old !== undefined && now !== undefined)
        put('summary', 'content', summary, this.text(summary, old, now))
    }
    return { texts, said }
  }

  #array(node: JsonNode, base: readonly JsonValue[], next: readonly JsonValue[]): string {
    const children = node.children ?? []
    const shorter = Math.min(base.length, next.length)
    let first = 0
    while (first < shorter && isEqual(base[first], next[first])) first++
    let same = 0
    while (same < shorter - first && isEqual(base.at(-1 - same), next.at(-1 - same))) same++
    const isPaired = base.length === next.length
    const items = next.map((value, at): ListItem => {
      const index =
        at < first || isPaired ? at : at >= next.length - same ? at - next.length + base.length : -1
      const child = children[index]
      return child
        ? { text: this.text(child, base[index], value), index }
        : { text: this.written(value), index: undefined }
    })
    return this.joined(node, items)
  }

  #between(one: JsonNode, other: JsonNode): string {
    return this.#json.slice(one.offset + one.length, other.offset)
  }
}

function soleFunction(calls: JsonValue | undefined): JsonValue | undefined {
  const [call] = Array.isArray(calls) && calls.length === 1 ? calls : []
  return isObject(call) ? own(call, 'function') : undefined
}

/** The words of a text, or of a list of one part with a text. */
function wordsIn(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return undefined
  const text = own(value[0], 'text')
  return typeof text === 'string' ? text : undefined
}

/** The parts of a content; undefined for anything else. */
function partsOf(node: JsonNode | undefined): readonly JsonNode[] | undefined {
  const parts = node?.type === 'array' ? (node.children ?? []) : undefined
  const isPart = (it: JsonNode) =>
    it.type === 'string' || memberOf(it, 'type') !== undefined || wordsOfPart(it).length > 0
  return parts?.every(isPart) ? parts : undefined
}

/** The string of a part that has its words; none for one that has no words. */
function wordsOfPart(part: JsonNode): readonly JsonNode[] {
  if (part.type === 'string') return [part]
  const text = memberOf(part, 'text')
  if (text?.type === 'string') return [text]
  const refusal = memberOf(part, 'refusal')
  return memberOf(part, 'type')?.value === 'refusal' && refusal?.type === 'string' ? [refusal] : []
}

/** The value of `key`; of several of one name the last one. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined
  return node.children?.findLast((it) => keyOf(it) === key)?.children?.[1]
}

/** The key of a property of an object. */
export function keyOf(property: JsonNode): string {
  return String(property.children?.[0]?.value ?? '')
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && numberText(value) === undefined
  )
}

function styleOf(json: string, root: JsonNode): Style {
  const isAscii = !/[\u0080-\uffff]/.test(json) && /\\u(?!00[01])[0-9a-f]{4}/i.test(json)
  return { comma: commaIn(json, root) ?? ',', colon: colonIn(json, root) ?? ':', isAscii }
}

function commaIn(json: string, node: JsonNode): string | undefined {
  const [first, second] = node.children ?? []
  if (first && second && node.type !== 'property') {
    const text = json.slice(first.offset + first.length, second.offset)
    return /[\r\n]/.test(text) ? ', ' : text
  }
  for (const child of node.children ?? []) {
    const found = commaIn(json, child)
    if (found !== undefined) return found
  }
  return undefined
}

function colonIn(json: string, node: JsonNode): string | undefined {
  if (node.type === 'property') {
    const [key, value] = node.children ?? []
    const text = key && value ? json.slice(key.offset + key.length, value.offset) : undefined
    return text !== undefined && /[\r\n]/.test(text) ? ': ' : text
  }
  for (const child of node.children ?? []) {
    const found = colonIn(json, child)
    if (found !== undefined) return found
  }
  return undefined
}

function written(value: JsonValue, style: Style): string {
  if (Array.isArray(value)) return `[${value.map((it) => written(it, style)).join(style.comma)}]`
  if (isObject(value)) {
    const properties = Object.entries(value).map(
      ([key, it]) => written(key, style) + style.colon + written(it, style),
    )
    return `{${properties.join(style.comma)}}`
  }
  const text = numberText(value) ?? JSON.stringify(value)
  return style.isAscii ? text.replaceAll(/[\u007f-\uffff]/g, escaped) : text
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
