/** Numbers as the reference writes them: it keeps `1.0` and `1e21` apart from `1`, which JavaScript does not. */

import { noteNodes } from '../../conversation/json-places.ts'
import { type JsonNode, jsonTree } from '../../embedded/json-tree.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'

/** The numbers of objects and lists as their source spells them, by key. */
const spellings = new WeakMap<object, ReadonlyMap<string, string>>()

/** A default that JavaScript may write otherwise than its source: one with a fraction, an exponent or many digits, or in a list. */
// Linear: every run is after the word and a colon, and ends where the next begins.
const telling = /"default"\s*:\s*(?:[[{]|-?\d*[.eE]|-0|-?\d{16})/

/**
 * Remembers how the numbers of `value`, which was parsed from `text`, are spelled, as far as defaults of a schema may need it.
 * Linear; nothing is done for texts without such defaults.
 */
export function noteNumberTexts(text: string, value: JsonValue): void {
  if (!telling.test(text)) return
  const mark = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const { root } = jsonTree(text.slice(mark))
  if (!root) return
  const nodes = new Map<object, JsonNode>()
  noteNodes(root, value, nodes)
  for (const [object, { type, children = [] }] of nodes) {
    const own = new Map<string, string>()
    for (const [index, child] of children.entries()) {
      const number = type === 'array' ? child : child.children?.[1]
      if (number?.type !== 'number') continue
      const from = mark + number.offset
      const key = type === 'array' ? String(index) : String(child.children?.[0]?.value)
      own.set(key, text.slice(from, from + number.length))
    }
    if (own.size > 0) spellings.set(object, own)
  }
}

/** The JSON text of the value at `key` of `parent`, numbers as the reference writes them. Not for what is too deep to recurse into. */
export function jsonTextAt(parent: JsonObject | readonly JsonValue[], key: string): string {
  const value = (parent as JsonObject)[key]
  if (typeof value === 'number') return numberText(value, spellings.get(parent)?.get(key))
  if (Array.isArray(value)) {
    const list: readonly JsonValue[] = value
    return `[${list.map((_, index) => jsonTextAt(list, String(index))).join(',')}]`
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const object = value as JsonObject
  const members = Object.keys(object).map((name) => `${JSON.stringify(name)}:${jsonTextAt(object, name)}`)
  return `{${members.join(',')}}`
}

const mostInteger = 2n ** 64n - 1n
const leastInteger = -(2n ** 63n)

/** `value` as the reference writes it: whole numbers of 64 bits as they are, others as the shortest fraction that is read the same. */
function numberText(value: number, spelling: string | undefined): string {
  if (spelling === undefined ? Number.isSafeInteger(value) : isInteger(spelling))
    return spelling ?? `${value}`
  return fractionText(value)
}

function isInteger(spelling: string): boolean {
  if (!/^-?\d+$/.test(spelling) || spelling === '-0' || spelling.length > 20) return false
  const value = BigInt(spelling)
  return value >= leastInteger && value <= mostInteger
}

/** A number as the `ryu` library writes it: with an exponent only if the point is more than 16 digits to the right, or 5 to the left. */
function fractionText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const [, sign = '', first = '', rest = '', power = ''] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? []
  const digits = first + rest
  const point = Number(power) + 1 // how many digits stand before the point
  if (point > 16 || point <= -5) return `${sign}${first}${rest === '' ? '' : `.${rest}`}e${Number(power)}`
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}.0`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
