/** Values as text: `str`, `repr`, numbers, and what Python calls white space. */
import { withEach } from '../text/long-text.ts'
import { perText } from '../text/memo.ts'
import {
  Callable,
  Escaped,
  Fields,
  isFloat,
  isList,
  Missing,
  numberOf,
  type PythonValue,
  Stream,
  Tuple,
  typeName,
} from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'

/** What `{{ value }}` writes. */
export function str(value: PythonValue, budget: TemplateBudget): string {
  if (value instanceof Escaped) return value.text
  if (value instanceof Missing) return ''
  return typeof value === 'string' ? value : repr(value, budget)
}

/** What `escape` gives: text with entities for what has a meaning in HTML. */
export function escaped(value: PythonValue, budget: TemplateBudget): Escaped {
  if (value instanceof Escaped) return value
  const text = str(value, budget)
  budget.spendCharacters(text.length)
  const result = withEach(text, [
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['>', '&gt;'],
    ["'", '&#39;'],
    ['"', '&#34;'],
  ])
  budget.spendText(result.length)
  return new Escaped(result)
}

/** As Python would write it in a program. A value that is in several places counts as often: written out, it is as long. */
export function repr(value: PythonValue, budget: TemplateBudget): string {
  const parts: string[] = []
  write(value)
  return parts.join('')

  function write(item: PythonValue): void {
    budget.spend(1)
    if (isList(item)) writeItems('[', item, ']')
    else if (item instanceof Tuple) writeItems('(', item.items, item.items.length === 1 ? ',)' : ')')
    else if (item instanceof Map) {
      let opening = '{'
      for (const [key, own] of item) {
        parts.push(opening)
        write(key)
        parts.push(': ')
        write(own)
        opening = ', '
      }
      parts.push(item.size === 0 ? '{}' : '}')
    } else {
      if (typeof item === 'string') budget.spendText(2 * item.length)
      if (item instanceof Escaped) budget.spendText(2 * item.text.length)
      const text = reprOfSingle(item)
      budget.spendText(text.length)
      parts.push(text)
    }
  }

  function writeItems(opening: string, items: readonly PythonValue[], closing: string): void {
    parts.push(opening)
    for (const [index, item] of items.entries()) {
      if (index > 0) parts.push(', ')
      write(item)
    }
    parts.push(closing)
  }
}

/** {@link repr} of a value that has no others inside. */
function reprOfSingle(value: PythonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'string') return reprOfText(value)
  if (value instanceof Escaped) return `Markup(${reprOfText(value.text)})`
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  const number = numberOf(value)
  if (number !== undefined) return isFloat(value) ? reprOfFloat(number) : integerText(number)
  if (value instanceof Missing) return 'Undefined'
  if (value instanceof Callable) return `<function ${value.name}>`
  if (value instanceof Stream) return '<generator object>'
  return value instanceof Fields ? `<${value.typeName}>` : typeName(value)
}

/** An integer, also where JavaScript would write an exponent. */
export function integerText(value: number): string {
  return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
}

/** The shortest text that reads as the same float. */
export function reprOfFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (value !== 0 && (power < -4 || power >= 16)) {
    const sign = power < 0 ? '-' : '+'
    return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`
  }
  if (Number.isInteger(value)) return `${BigInt(value)}.0`
  if (power >= 0) return String(value)
  const [sign, mantissa] = digits.startsWith('-') ? ['-', digits.slice(1)] : ['', digits]
  return `${sign}0.${'0'.repeat(-power - 1)}${mantissa.replace('.', '')}`
}

const special: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }
const unprintable = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

/** A text as Python would write it in a program. */
export function reprOfText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(unprintable, (character) => {
    const known = special[character]
    if (known !== undefined) return known
    const code = character.codePointAt(0) ?? 0
    if (code < 0x100) return `\\x${hex(code, 2)}`
    return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
  })
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}

/** What `strip()` removes: JavaScript counts U+FEFF as well, and not the separators U+001C to U+001F and U+0085. */
export const pythonSpace =
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
const spaces = new Set(pythonSpace)

/** True for a character that Python counts as white space. */
export function isSpace(character: string): boolean {
  return spaces.has(character)
}

/** `text` without the characters of `removed` at its ends. */
export function stripped(text: string, removed: string | undefined, side: 'left' | 'right' | 'both'): string {
  const set = removed === undefined ? spaces : charactersIn(removed)
  // Without a surrogate among what is removed, no half of a pair can be.
  if (removed !== undefined && /[\ud800-\udfff]/.test(removed)) return strippedCharacters(text, set, side)
  let from = 0
  let to = text.length
  if (side !== 'right') while (from < to && set.has(text[from] as string)) from++ // inside
  if (side !== 'left') while (to > from && set.has(text[to - 1] as string)) to-- // inside
  return text.slice(from, to)
}

const charactersIn = perText((text): ReadonlySet<string> => new Set(text), { texts: 16, length: 256 })

function strippedCharacters(text: string, set: ReadonlySet<string>, side: 'left' | 'right' | 'both'): string {
  const characters = [...text]
  let from = 0
  let to = characters.length
  if (side !== 'right') while (from < to && set.has(characters[from] as string)) from++ // inside
  if (side !== 'left') while (to > from && set.has(characters[to - 1] as string)) to-- // inside
  return characters.slice(from, to).join('')
}
