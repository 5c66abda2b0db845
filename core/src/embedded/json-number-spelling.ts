/** Numbers as the reference of Harmony writes them: it keeps `1.0` and `1e21` apart from `1`, which JavaScript does not. */

import type { JsonObject, JsonValue } from './yaml-data.ts'

/** The numbers of objects and lists as their source spells them, by key. */
const spellings = new WeakMap<object, ReadonlyMap<string, string>>()

/** Remembers how the numbers of `owner`, an object or a list, are spelled: by key or index. */
export function noteNumberSpellings(owner: object, byKey: ReadonlyMap<string, string>): void {
  spellings.set(owner, byKey)
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
  const point = Number(power) + 1 // how many digits are before the point
  if (point > 16 || point <= -5) return `${sign}${first}${rest === '' ? '' : `.${rest}`}e${Number(power)}`
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}.0`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
