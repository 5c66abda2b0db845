/** Numbers as Python reads and rounds them. */
import { stripped } from './python-text.ts'
import { float, isFloat, numberOf, type PythonValue, typeName } from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'
import { typeFault } from './template-problem.ts'

const finest = 323 // places of the smallest float
const coarsest = -308

/** `value | round(places, method)`. @throws TemplateFault */
export function rounded(
  value: PythonValue,
  places: PythonValue,
  method: string,
  budget: TemplateBudget,
): PythonValue {
  const number = numberOf(value)
  const count = isFloat(places) ? undefined : numberOf(places)
  if (number === undefined) throw typeFault(`type ${typeName(value)} doesn't define __round__ method`)
  if (count === undefined) throw typeFault(`'${typeName(places)}' object cannot be interpreted as an integer`)
  if (method === 'ceil' || method === 'floor') return float(roundedTo(Math[method], value, count))
  if (method !== 'common') throw typeFault('method must be common, ceil or floor')
  if (!isFloat(value)) return count >= 0 ? number : nearest(number, count, budget)
  const result = nearest(number, count, budget)
  if (Number.isFinite(number) && !Number.isFinite(result))
    throw typeFault('rounded value too large to represent')
  return float(result)
}

function roundedTo(round: (value: number) => number, value: PythonValue, places: number): number {
  const [number, scale] = [numberOf(value) ?? 0, 10 ** places]
  if (scale === 0) throw typeFault('float division by zero')
  if (Number.isFinite(scale)) return round(number * scale) / scale
  if (isFloat(value)) throw typeFault('int too large to convert to float')
  return number
}

/** By the exact value of the number; one in the middle goes to the even digit. */
function nearest(value: number, places: number, budget: TemplateBudget): number {
  if (!Number.isFinite(value) || places > finest) return value
  if (places < coarsest) return 0 * value
  let [whole, bits] = [Math.abs(value), 0n]
  for (; !Number.isInteger(whole); whole *= 2) bits++
  budget.spend(4 + ((Number(bits) + 4 * Math.abs(places)) >>> 4)) // numbers of so many bits are divided
  const power = 10n ** BigInt(Math.abs(places))
  const [top, bottom] = places < 0 ? [BigInt(whole), power << bits] : [BigInt(whole) * power, 1n << bits]
  const [quotient, twice] = [top / bottom, (top % bottom) * 2n]
  const isUp = twice > bottom || (twice === bottom && quotient % 2n === 1n)
  const digits = Number(`${isUp ? quotient + 1n : quotient}e${-places}`)
  return value < 0 || Object.is(value, -0) ? -digits : digits
}

// Linear: each digit can be read in one way.
const floatForm = /^[-+]?(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?$/
const specialForm = /^([-+]?)(?:(inf|infinity)|nan)$/i

/** `float(text)`; undefined if `text` isn't a number. */
export function parsedFloat(text: string): number | undefined {
  const digits = stripped(text, undefined, 'both')
  if (floatForm.test(digits)) return Number(digits.replaceAll('_', ''))
  const special = specialForm.exec(digits)
  if (!special) return undefined
  const [, sign, infinity] = special
  if (infinity === undefined) return Number.NaN
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

const integerForm = /^([-+]?)(?:0([bBoOxX])_?)?([\da-z](?:_?[\da-z])*)$/i
const prefixes: ReadonlyMap<string, number> = new Map([
  ['b', 2],
  ['o', 8],
  ['x', 16],
])

/** `int(text, base)`, or `int(float(text))` where that fails; undefined if `text` isn't a number. */
export function parsedInteger(text: string, base: number): number | undefined {
  const whole = wholeNumber(stripped(text, undefined, 'both'), base)
  const number = whole ?? parsedFloat(text)
  return number === undefined || !Number.isFinite(number) ? undefined : Math.trunc(number)
}

function wholeNumber(text: string, base: number): number | undefined {
  const found = integerForm.exec(text)
  if (!found) return undefined
  const [, sign, prefix, written = ''] = found
  const own = prefix === undefined ? undefined : prefixes.get(prefix.toLowerCase())
  const isPrefixed = own !== undefined && (base === own || base === 0)
  const digits = (isPrefixed ? written : text.replace(/^[-+]/, '')).replaceAll('_', '')
  const radix = isPrefixed ? own : base === 0 ? 10 : base
  if (!Number.isInteger(radix) || radix < 2 || radix > 36) return undefined
  if (base === 0 && !isPrefixed && /^0+[1-9]/.test(digits)) return undefined
  if (!isOf(digits, radix)) return undefined
  const number = Number.parseInt(digits, radix)
  return sign === '-' ? -number || 0 : number
}

function isOf(digits: string, radix: number): boolean {
  const letters = radix > 10 ? `a-${(radix - 1).toString(36)}` : ''
  const last = Math.min(radix - 1, 9)
  // Linear: one class.
  return new RegExp(`^[0-${last}${letters}]+$`, 'i').test(digits)
}
