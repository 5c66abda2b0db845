/**
 * Regular expressions that a text brings along (`pattern` of a schema), matched in time linear in what they are matched with.
 * JavaScript's own engine backtracks: a hostile expression takes it forever, so none is ever handed to it.
 */
import type * as Re2 from 're2js'
import { perText } from '../text/memo.ts'
import type { Span } from '../text/range.ts'

/** An expression as schemas use them: it may match anywhere in a text. */
export interface LinearPattern {
  /** How much one character of a text can cost: the states of the automaton. */
  readonly size: number
  test(text: string): boolean
  /** Where it matches, from left to right, without overlaps and empty matches. UTF-16 code units. */
  spans(text: string): IterableIterator<Span>
}

/** How an expression matches. */
export interface LinearPatternOptions {
  readonly ignoresCase?: boolean
}

const longestSource = 2000 // code units; expressions of schemas are a line at most

/**
 * The expression `source`, which is JavaScript's with the flag `u`; undefined if it is not one, or not regular: lookaround and
 * references back to groups cannot be matched in linear time.
 */
export function linearPattern(
  source: string,
  { ignoresCase = false }: LinearPatternOptions = {},
): LinearPattern | undefined {
  return source.length > longestSource ? undefined : compiled(`${ignoresCase ? 'i' : ' '}${source}`).pattern
}

/** True if {@link linearPattern} has no expression for `source` because it is too long, or repeats or nests too much. */
export function isTooLargePattern(source: string): boolean {
  return source.length > longestSource || compiled(` ${source}`).isTooLarge
}

const compiled = perText(compile, { texts: 500, length: 1 << 16 })

// A call of `require` instead of an import: the engine is only evaluated once a schema has an expression.
declare const require: (name: 're2js') => typeof Re2

/** @param key the expression after `i` or a space: whether case is ignored */
function compile(key: string): { readonly pattern: LinearPattern | undefined; readonly isTooLarge: boolean } {
  const translated = new Translation(key.slice(1)).result()
  if (translated === undefined) return { pattern: undefined, isTooLarge: false }
  try {
    const { RE2JS } = require('re2js')
    const expression = RE2JS.compile(translated, key.startsWith('i') ? RE2JS.CASE_INSENSITIVE : 0)
    return {
      isTooLarge: false,
      pattern: {
        size: expression.programSize(),
        test: (text) => expression.matcher(text).find(),
        *spans(text) {
          const matcher = expression.matcher(text)
          while (matcher.find()) {
            const [from, to] = [matcher.start(), matcher.end()]
            if (from < to) yield { from, to }
          }
        },
      },
    }
  } catch (error) {
    // What the engine does not know is not checked.
    return { pattern: undefined, isTooLarge: error instanceof Error && isAboutSize(error.message) }
  }
}

/** True if the engine refuses an expression for its size: with more than 1000 repetitions in each other, or more levels. */
function isAboutSize(message: string): boolean {
  if (message.includes('nests too deeply')) return true
  const [, least, most] = /invalid repeat count: `\{(\d{1,9})(?:,(\d{0,9}))?\}`/.exec(message) ?? []
  return least !== undefined && (!most || Number(least) <= Number(most))
}

/** What `\s` means in JavaScript; RE2 knows the spaces of ASCII only. */
const spaces =
  '\\t\\n\\x{0b}\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const lineBreaks = '\\n\\r\\x{2028}\\x{2029}'

/** Long names of general categories, of which RE2 knows the short ones. */
const categories: ReadonlyMap<string, string> = new Map([
  ['Letter', 'L'],
  ['Uppercase_Letter', 'Lu'],
  ['Lowercase_Letter', 'Ll'],
  ['Mark', 'M'],
  ['Number', 'N'],
  ['Decimal_Number', 'Nd'],
  ['digit', 'Nd'],
  ['Punctuation', 'P'],
  ['punct', 'P'],
  ['Symbol', 'S'],
  ['Separator', 'Z'],
  ['Space_Separator', 'Zs'],
])

/** From the syntax of JavaScript to that of RE2, from left to right. */
class Translation {
  readonly #source: string
  #at = 0
  #isInClass = false

  constructor(source: string) {
    this.#source = source
  }

  result(): string | undefined {
    let text = ''
    while (this.#at < this.#source.length) {
      const piece = this.#piece()
      if (piece === undefined) return undefined
      text += piece
    }
    return text
  }

  #piece(): string | undefined {
    const character = this.#source.charAt(this.#at++)
    if (character === '\\') return this.#escape()
    if (this.#isInClass) {
      if (character === ']') this.#isInClass = false
      // RE2 would read `[:alpha:]` as a class of its own.
      return character === '[' ? '\\[' : character
    }
    if (character === '.') return `[^${lineBreaks}]`
    if (character !== '[') return character
    if (this.#take('^]')) return '[\\x{0}-\\x{10ffff}]'
    if (this.#take(']')) return '[^\\x{0}-\\x{10ffff}]'
    this.#isInClass = true
    return this.#take('^') ? '[^' : '['
  }

  #escape(): string | undefined {
    const character = this.#source.charAt(this.#at++)
    switch (character) {
      case 's':
        return this.#isInClass ? spaces : `[${spaces}]`
      case 'S':
        return this.#isInClass ? undefined : `[^${spaces}]`
      case 'u':
        return this.#codePoint()
      case 'x':
        return this.#hexadecimal(2)
      case 'c': {
        const letter = this.#source.charAt(this.#at++)
        return /^[A-Za-z]$/.test(letter) ? `\\x{${(letter.charCodeAt(0) % 32).toString(16)}}` : undefined
      }
      case '0':
        return /^\d/.test(this.#source.slice(this.#at, this.#at + 1)) ? undefined : '\\x{0}'
      case 'p':
      case 'P':
        return this.#property(character)
      case 'b':
        return this.#isInClass ? '\\x{8}' : '\\b'
      default:
        return /^[dDwWBtnrfv]$/.test(character) || /^[!-/:-@[-`{-~]$/.test(character)
          ? `\\${character}`
          : undefined
    }
  }

  /** After `\u`: four digits, two surrogates, or braces. */
  #codePoint(): string | undefined {
    const [braced, digits] = /^\{([\da-f]{1,6})\}/i.exec(this.#source.slice(this.#at, this.#at + 8)) ?? []
    if (braced !== undefined) {
      this.#at += braced.length
      return `\\x{${digits}}`
    }
    const [pair, high = '', low = ''] =
      /^(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/i.exec(this.#source.slice(this.#at, this.#at + 10)) ?? []
    if (pair === undefined) return this.#hexadecimal(4)
    this.#at += pair.length
    const code = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0
    return `\\x{${code.toString(16)}}`
  }

  #hexadecimal(length: number): string | undefined {
    const digits = this.#source.slice(this.#at, this.#at + length)
    if (digits.length < length || !/^[\da-f]+$/i.test(digits)) return undefined
    this.#at += length
    return `\\x{${digits}}`
  }

  /** After `\p`: a general category or a script, with or without saying so. */
  #property(letter: string): string | undefined {
    const [whole, name = ''] =
      /^\{(?:General_Category=|gc=|Script=|sc=)?([A-Za-z_]{1,40})\}/.exec(
        this.#source.slice(this.#at, this.#at + 64),
      ) ?? []
    if (whole === undefined) return undefined
    this.#at += whole.length
    return `\\${letter}{${categories.get(name) ?? name}}`
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }
}
