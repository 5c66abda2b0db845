/** A JSON value whose form is to be found (F6). What clues ask for is looked for once, however many of them ask. */

import { field, isEmpty, isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { conversationKeys } from './samples/sample-columns.ts'

/** A sample as clues look at it. */
export class JsonSample {
  readonly value: JsonValue
  /** The value, if it is an object. */
  readonly object: JsonObject | undefined
  /** The key of the list of messages; undefined for a value that is that list, and where there is none. */
  readonly listKey: string | undefined
  /** The messages or items: the list that the value is or has; the value alone if there is none. */
  readonly items: readonly JsonValue[]
  /** True for a value that is or has a list of messages. */
  readonly hasList: boolean
  #itemKeys: ReadonlySet<string> | undefined
  #partTypes: ReadonlySet<string> | undefined

  constructor(value: JsonValue) {
    this.value = value
    this.object = isObject(value) ? value : undefined
    const found = this.object ? listIn(this.object) : undefined
    this.listKey = found?.key
    const list = Array.isArray(value) ? (value as readonly JsonValue[]) : found?.list
    this.hasList = list !== undefined
    this.items = list ?? [value]
  }

  /** The column that must hold messages, and holds a text or another list (F6); undefined where there are messages. */
  get refusedKey(): string | undefined {
    if (this.hasList) return undefined
    return conversationKeys.slice(0, sureKeys).find((key) => {
      const value = this.at(key)
      return typeof value === 'string' || Array.isArray(value)
    })
  }

  /** The column that must hold messages and is an empty list, if nothing else does: a conversation without messages. */
  get emptyKey(): string | undefined {
    if (this.hasList) return undefined
    return conversationKeys.slice(0, sureKeys).find((key) => {
      const value = this.object && field(this.object, key)
      return Array.isArray(value) && value.length === 0
    })
  }

  /** True for an object with a list of messages. */
  get hasMessages(): boolean {
    return this.listKey !== undefined
  }

  /** True if the value is an object with one of `keys`, whatever is there. */
  has(...keys: readonly string[]): boolean {
    const { object } = this
    return object !== undefined && keys.some((key) => Object.hasOwn(object, key))
  }

  /** The value of `key` unless it is empty; a string that is empty counts with `orEmptyText`. */
  at(key: string): JsonValue | undefined {
    const value = this.object && field(this.object, key)
    return isEmpty(value) ? undefined : value
  }

  /** True for a column with a text, of any length. */
  hasText(...keys: readonly string[]): boolean {
    return (
      this.object !== undefined && keys.some((key) => typeof this.object?.[key] === 'string' && this.has(key))
    )
  }

  /** True for columns of branches: texts, messages, or lists of them. */
  hasBranches(...keys: readonly string[]): boolean {
    const { object } = this
    if (!object) return false
    return keys.every((key) => {
      const value = field(object, key)
      return typeof value === 'string' || (typeof value === 'object' && value !== null)
    })
  }

  /** True for a sample with an item, an object, that `fits` that is an object. */
  hasItem(fits: (item: JsonObject) => boolean): boolean {
    return this.items.some((item) => isObject(item) && fits(item))
  }

  /** The first item, if it is an object. */
  get first(): JsonObject | undefined {
    const [first] = this.items
    return isObject(first) ? first : undefined
  }

  /** True if an item has something other than `null` at one of `keys`, which are neither `role` nor `content`. */
  hasItemKey(...keys: readonly string[]): boolean {
    this.#itemKeys ??= keysOf(this.items)
    const own = this.#itemKeys
    return own.size > 0 && keys.some((key) => own.has(key))
  }

  /** The types of the parts that items have as their `content`. */
  get partTypes(): ReadonlySet<string> {
    this.#partTypes ??= partTypesOf(this.items)
    return this.#partTypes
  }

  /** True for an item with a part that `fits`. */
  hasPart(fits: (part: JsonObject) => boolean): boolean {
    return this.hasItem(
      ({ content }) => Array.isArray(content) && content.some((part) => isObject(part) && fits(part)),
    )
  }
}

let last: JsonSample | undefined

/** `value` as clues look at it; what was asked for last is remembered, because detection and readers ask in turn. */
export function sampleOf(value: JsonValue): JsonSample {
  if (last?.value !== value) last = new JsonSample(value)
  return last
}

/** How many of the keys hold messages and nothing else. */
const sureKeys = 3

/** The list of messages of a sample: the first key with a list of objects, also as JSON in a string (F5, F6). */
function listIn(
  object: JsonObject,
): { readonly key: string; readonly list: readonly JsonValue[] } | undefined {
  for (const [nth, key] of conversationKeys.entries()) {
    const value = field(object, key)
    if (value === undefined || value === null) continue
    const list = typeof value === 'string' ? parsedList(value) : value
    if (!Array.isArray(list)) continue
    const [first] = list as readonly JsonValue[]
    if (!isObject(first)) continue
    const isSurelyOne = nth < sureKeys || ['role', 'from', 'type'].some((it) => Object.hasOwn(first, it))
    if (isSurelyOne) return { key, list }
  }
  return undefined
}

function parsedList(text: string): JsonValue | undefined {
  if (!/^\s*\[/.test(text)) return undefined
  try {
    return JSON.parse(text) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    return undefined
  }
}

const noKeys: ReadonlySet<string> = new Set()

function keysOf(items: readonly JsonValue[]): ReadonlySet<string> {
  let keys: Set<string> | undefined
  for (const item of items) {
    if (!isObject(item)) continue
    for (const key of Object.keys(item)) {
      if (key === 'role' || key === 'content' || keys?.has(key)) continue // nearly all keys
      const value = item[key]
      if (value === undefined || value === null) continue
      keys ??= new Set()
      keys.add(key)
    }
  }
  return keys ?? noKeys
}

function partTypesOf(items: readonly JsonValue[]): ReadonlySet<string> {
  let types: Set<string> | undefined
  for (const item of items) {
    const content = isObject(item) ? item.content : undefined
    if (!Array.isArray(content)) continue
    for (const part of content as readonly JsonValue[]) {
      if (!isObject(part) || typeof part.type !== 'string') continue
      types ??= new Set()
      types.add(part.type)
    }
  }
  return types ?? noKeys
}
