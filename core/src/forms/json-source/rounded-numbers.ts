/** Reports numbers of a JSON source that are read as other ones: the parser rounds those that have too many digits. */

import type { LossList } from '../../conversation/loss.ts'
import { stringEnd } from '../../embedded/json-token.ts'
import { hasMember } from '../../embedded/json-value.ts'
import type { JsonValue } from '../../embedded/yaml-header.ts'
import { quoted } from '../../rules/quoted.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'

/** Notes each number in `text` that is too large to be read as it is; `value` is what was parsed of it. Linear. */
export function noteRoundedNumbers(text: string, value: JsonValue, losses: LossList): void {
  let count = 0
  let next: Range | undefined
  for (const range of changedNumbers(text, value)) {
    const number = text.slice(range.start, range.end)
    if (count++ < listed) {
      const written = JSON.stringify(Number(number))
      const message = localize`${quoted(number)} is too large to be read exactly; it becomes ${quoted(written)}`
      losses.add('rounded-number', message, range)
    } else next ??= range
  }
  if (next)
    losses.add(
      'rounded-number',
      localize`${count - listed} more numbers are too large to be read exactly`,
      next,
    )
}

/** Where `text` has numbers that `value`, which was parsed of it, has as other ones. Linear. */
export function* changedNumbers(text: string, value: JsonValue): IterableIterator<Range> {
  if (!hasLargeNumber(value)) return
  for (const range of numbersIn(text)) {
    const number = text.slice(range.start, range.end)
    const read = Number(number)
    if (number !== JSON.stringify(read) && !isRead(number, read)) yield range
  }
}

const listed = 100 // enough for a reader, and a hostile source has millions

/** True if a number in `value` may be another one in its text: only large ones may. */
function hasLargeNumber(value: JsonValue): boolean {
  return hasMember([value], (it) => typeof it === 'number' && isLarge(it))
}

/** True for a number that may be another one in the text that it was read from. */
export function isLarge(number: number): boolean {
  return number > Number.MAX_SAFE_INTEGER || number < Number.MIN_SAFE_INTEGER
}

/** The numbers of `text`, which is valid JSON. */
function* numbersIn(text: string): IterableIterator<Range> {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = (stringEnd(text, at).end ?? text.length) - 1
    else if (code === minus || isDigit(code)) {
      const start = at
      while (isOfNumber(text.charCodeAt(at + 1))) at++
      yield { start, end: at + 1 }
    }
  }
}

/** True if `read` is written as what `number` says. The last digits of small fractions don't matter. */
function isRead(number: string, read: number): boolean {
  if (!Number.isFinite(read)) return false
  return !isLarge(read) || isSameDecimal(decimalOf(number), decimalOf(String(read)))
}

/** A number in decimal notation: its digits without zeros at the ends, and the power of ten of the last one. */
interface Decimal {
  readonly digits: string
  readonly power: number
}

function isSameDecimal(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.power === other.power
}

/** `number` without its sign: reading never changes that. */
function decimalOf(number: string): Decimal {
  const [mantissa = '', exponent = '0'] = number.replace(/^-/, '').split(/e/i)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = whole + fraction
  let [start, end] = [0, all.length]
  while (all[start] === '0') start++
  while (end > start && all[end - 1] === '0') end--
  return { digits: all.slice(start, end), power: Number(exponent) - fraction.length + all.length - end }
}

const quote = 0x22
const minus = 0x2d

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === minus || code === 0x2b || code === 0x2e || (code | 0x20) === 0x65
}
