/** Questions about values from JSON or YAML. Nothing is assumed about their shape. */

import { jsonNestingLimit } from './json-tree.ts'
import type { JsonObject, JsonValue } from './yaml-data.ts'

/** True for an object that is not a list; `value` is what JSON or YAML gave. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own property `key`; a `__proto__` of the text is one too. */
export function field(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** True if `value` has more levels than a header can be trusted with. Recursion goes no deeper than `limit`. */
export function isTooDeep(value: JsonValue | undefined, limit = jsonNestingLimit): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit < 0) return true
  if (isList(value)) return value.some((it) => isTooDeep(it, limit - 1))
  for (const key in value) if (isTooDeep(value[key], limit - 1)) return true
  return false
}

/** Looks at a member of an object at its `key`, or at an element of a list, which has none. */
export type LookAtMember = (member: unknown, key: string | undefined) => boolean

/** True if `looksAt` says so of a member of an object in `value`, or of an element of a list. However deep, without recursion. */
export function hasMember(value: unknown, looksAt: LookAtMember): boolean {
  if (typeof value !== 'object' || value === null) return false
  const left: object[] = [value]
  for (let it = left.pop(); it; it = left.pop()) {
    if (Array.isArray(it)) {
      for (const member of it) {
        if (looksAt(member, undefined)) return true
        if (typeof member === 'object' && member !== null) left.push(member)
      }
      continue
    }
    for (const key in it) {
      const member = (it as Readonly<Record<string, unknown>>)[key]
      if (looksAt(member, key)) return true
      if (typeof member === 'object' && member !== null) left.push(member)
    }
  }
  return false
}

function isList(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** True if `value` has more than `limit` values and characters of text, those that aliases share counted as often as they are shown. */
export function isLargerThan(value: JsonValue | undefined, limit: number): boolean {
  let size = 0
  const add = (it: JsonValue | undefined): boolean => {
    size += typeof it === 'string' ? it.length + 1 : 1
    if (size > limit) return true
    if (typeof it !== 'object' || it === null) return false
    for (const [key, child] of Object.entries(it)) {
      size += key.length
      if (add(child)) return true
    }
    return false
  }
  return add(value)
}
