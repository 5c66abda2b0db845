/** A JSON value whose form is to be found. Its items are walked once, however many clues ask for their keys. */

import { field, isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'

/** A sample as clues look at it. */
export class JsonSample {
  readonly value: JsonValue
  /** The value, if it is an object. */
  readonly object: JsonObject | undefined
  /** The messages or items: the list that the value is or has under `messages`; the value alone if there is none. */
  readonly items: readonly JsonValue[]
  /** True for an object with a list under `messages`. */
  readonly hasMessages: boolean
  #itemKeys: ReadonlySet<string> | undefined

  constructor(value: JsonValue) {
    this.value = value
    this.object = isObject(value) ? value : undefined
    const list = this.object ? field(this.object, 'messages') : value
    this.hasMessages = this.object !== undefined && Array.isArray(list)
    this.items = Array.isArray(list) ? list : [value]
  }

  /** True if the value is an object with one of `keys`, whatever is there. */
  has(...keys: readonly string[]): boolean {
    const { object } = this
    return object !== undefined && keys.some((key) => Object.hasOwn(object, key))
  }

  /** True for a sample with an item, an object, that `fits` that is an object. */
  hasItem(fits: (item: JsonObject) => boolean): boolean {
    return this.items.some((item) => isObject(item) && fits(item))
  }

  /** True if an item has something other than `null` at one of `keys`, which are neither `role` nor `content`. */
  hasItemKey(...keys: readonly string[]): boolean {
    this.#itemKeys ??= keysOf(this.items)
    const own = this.#itemKeys
    return own.size > 0 && keys.some((key) => own.has(key))
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
