/**
 * Changes JSON text as little as a change of its value needs: what did not change keeps its spelling, its order and its
 * white space, and what is new is written as the rest is.
 */
import { type Node, parseTree } from 'jsonc-parser'
import type { JsonValue } from '../../../core/src/index.ts'

/**
 * `json` with what differs between `base` and `next`. The three may differ otherwise: what `base` and `next` have in common
 * stays in `json` as it is, also where that has something else, or more.
 */
export function mergedJson(json: string, base: JsonValue, next: JsonValue): string {
  const root = parseTree(json)
  if (!root) return JSON.stringify(next)
  const end = root.offset + root.length
  const merge = new Merge(json, styleOf(json, root))
  return json.slice(0, root.offset) + merge.text(root, base, next) + json.slice(end)
}

/** How somebody writes JSON. */
interface Style {
  readonly comma: string
  readonly colon: string
  /** True if everything outside of ASCII is escaped. */
  readonly isAscii: boolean
}

class Merge {
  readonly #json: string
  readonly #style: Style

  constructor(json: string, style: Style) {
    this.#json = json
    this.#style = style
  }

  text(node: Node, base: JsonValue | undefined, next: JsonValue): string {
    if (base !== undefined && isEqual(base, next)) return this.#source(node)
    if (node.type === 'object' && isObject(base) && isObject(next)) return this.#object(node, base, next)
    if (node.type === 'array' && Array.isArray(base) && Array.isArray(next)) {
      if (node.children?.length === base.length) return this.#array(node, base, next)
    }
    // A text that stands alone, where the form would have a list of one part, does so still.
    const text = node.type === 'string' && soleText(base) === node.value ? soleText(next) : undefined
    return written(text ?? next, this.#style)
  }

  #object(node: Node, base: JsonObject, next: JsonObject): string {
    const properties = node.children ?? []
    const lastOf = new Map(properties.map((property, index) => [keyOf(property), index]))
    const items: Item[] = []
    properties.forEach((property, index) => {
      const key = keyOf(property)
      const [keyNode, value] = property.children ?? []
      const [before, after] = [own(base, key), own(next, key)]
      if (before !== undefined && after === undefined) return
      // Of several of one name the last one counts.
      const isKept = after === undefined || lastOf.get(key) !== index || !keyNode || !value
      const text = isKept
        ? this.#source(property)
        : this.#json.slice(property.offset, value.offset) + this.text(value, before, after)
      items.push({ text, index })
    })
    for (const [key, value] of Object.entries(next)) {
      if (lastOf.has(key)) continue
      const before = own(base, key)
      if (before !== undefined && isEqual(before, value)) continue
      const { comma, colon } = this.#style
      items.push({
        text: written(key, this.#style) + colon + written(value, this.#style),
        index: undefined,
        comma,
      })
    }
    return this.#joined(node, items)
  }

  #array(node: Node, base: readonly JsonValue[], next: readonly JsonValue[]): string {
    const children = node.children ?? []
    const shorter = Math.min(base.length, next.length)
    let first = 0
    while (first < shorter && isEqual(base[first], next[first])) first++
    let same = 0
    while (same < shorter - first && isEqual(base.at(-1 - same), next.at(-1 - same))) same++
    const isPaired = base.length === next.length
    const items = next.map((value, at): Item => {
      const index =
        at < first || isPaired ? at : at >= next.length - same ? at - next.length + base.length : -1
      const child = children[index]
      return child
        ? { text: this.text(child, base[index], value), index }
        : { text: written(value, this.#style), index: undefined }
    })
    return this.#joined(node, items)
  }

  /** The brackets of `node` around `items`, with the separators that stand before them, or such as stand between others. */
  #joined(node: Node, items: readonly Item[]): string {
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

  #between(one: Node, other: Node): string {
    return this.#json.slice(one.offset + one.length, other.offset)
  }

  #source({ offset, length }: Node): string {
    return this.#json.slice(offset, offset + length)
  }
}

/** A property or an element of the result; `index` tells which one of the source it was. */
interface Item {
  readonly text: string
  readonly index: number | undefined
  readonly comma?: string
}

type JsonObject = Readonly<Record<string, JsonValue>>

function keyOf(property: Node): string {
  return String(property.children?.[0]?.value ?? '')
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function soleText(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value) || value.length !== 1 || !isObject(value[0])) return undefined
  const text = own(value[0], 'text')
  return typeof text === 'string' ? text : undefined
}

/** True if both are the same value; the order of keys does not count. */
export function isEqual(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isEqual(value, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  )
}

function styleOf(json: string, root: Node): Style {
  const isAscii = !/[\u0080-\uffff]/.test(json) && /\\u(?!00[01])[0-9a-f]{4}/i.test(json)
  return { comma: commaIn(json, root) ?? ',', colon: colonIn(json, root) ?? ':', isAscii }
}

function commaIn(json: string, node: Node): string | undefined {
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

function colonIn(json: string, node: Node): string | undefined {
  if (node.type === 'property') {
    const [key, value] = node.children ?? []
    return key && value ? json.slice(key.offset + key.length, value.offset) : undefined
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
  const text = JSON.stringify(value)
  return style.isAscii ? text.replaceAll(/[\u007f-\uffff]/g, escaped) : text
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
