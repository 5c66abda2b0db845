/**
 * The one reader of Jinja tags: where they are, how they trim, and the words inside. It goes on after a mistake and keeps
 * the first one of each tag: editors need the rest of the template, and rendering stops there. Offsets are UTF-16 code units.
 */
import type { Range } from '../text/range.ts'

/** A word of an expression. */
export interface JinjaToken {
  readonly kind: 'name' | 'string' | 'number' | 'operator'
  /** A name, number, or operator as written; a string as its value. */
  readonly value: string
  /** Of a number. */
  readonly number?: number
  /** True for a number with a point or an exponent. */
  readonly isFloat?: boolean
  readonly at: number
  readonly end: number
  /** How many brackets are open around it; a bracket itself counts as outside. */
  readonly depth: number
}

/** What keeps a tag from being read, in the words of Python's Jinja2. */
export interface JinjaFault {
  readonly message: string
  readonly at: number
}

/** A sign that trims white space next to a tag, or keeps it. */
export type JinjaTrim = '' | '-' | '+'

/** A tag. `{% raw %}` and its end are tags of their own kind; the text between them has no tags. */
export interface JinjaTagTokens {
  readonly kind: 'output' | 'statement' | 'comment' | 'raw' | 'endraw'
  /** With its delimiters; to the end of the template if it is not closed. */
  readonly range: Range
  /** Between the delimiters, without the signs that trim white space. */
  readonly inside: Range
  readonly opening: JinjaTrim
  readonly closing: JinjaTrim
  /** Of outputs and statements. */
  readonly tokens: readonly JinjaToken[]
  /** False if its end, or for `raw` the end of its block, is missing. Then it is the last tag. */
  readonly isClosed: boolean
  /** True if it is not closed because a string in it is not. */
  readonly hasOpenString: boolean
  /** True if it reaches beyond what may be read of tags: its end was not looked for, and it is the last tag. */
  readonly isCut: boolean
  /** The first mistake in it. */
  readonly fault: JinjaFault | undefined
}

const tagStart = /\{[{%#]/g
const rawStart = /\{%([-+]?)\s*raw\s*(-?)%\}/y
// Linear: no run is followed by what it may match itself.
const rawEnd = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g
const space = /\s*/y
const name = /[\p{ID_Start}_][\p{ID_Continue}]*/uy
const based = /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+/y
const decimal = /\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?/y
const whole = /\d[\d_]*/y
const operators = ['**', '//', '==', '!=', '>=', '<=', ...'+-/*%~[](){}><=.:|,;']
const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The tags of `source` from `from`, which is not inside a tag, up to `end`, in order; at most `atMost` code units of them. Never throws; linear. */
export function* jinjaTags(
  source: string,
  {
    from = 0,
    end = source.length,
    atMost = Number.POSITIVE_INFINITY,
  }: { readonly from?: number; readonly end?: number; readonly atMost?: number } = {},
): IterableIterator<JinjaTagTokens> {
  let room = atMost // comments count as four
  // Linear: two characters.
  const starts = new RegExp(tagStart)
  for (let at = from; ; ) {
    starts.lastIndex = at
    const start = starts.exec(source)?.index ?? end
    if (start >= end) return
    const tag = tagAt(source, start, { end, limit: Math.min(end, start + room) })
    room -= tag.kind === 'comment' ? 4 : tag.range.end - start
    const closing = tag.kind === 'raw' ? endOfRaw(source, tag.range.end, end) : undefined
    if (tag.kind === 'raw' && !closing) {
      yield { ...tag, isClosed: false, fault: { message: 'Missing end of raw directive', at: start } }
      return
    }
    yield tag
    if (!tag.isClosed) return
    if (closing) yield closing
    at = (closing ?? tag).range.end
  }
}

const whatever = { tokens: [], isClosed: true, hasOpenString: false, isCut: false, fault: undefined }

/** @param ends `end` of the template, and `limit` of what is read of a tag other than a comment */
function tagAt(
  source: string,
  start: number,
  ends: { readonly end: number; readonly limit: number },
): JinjaTagTokens {
  const { end, limit } = ends
  const opening = trimAt(source, start + 2)
  const from = start + 2 + opening.length
  const character = source[start + 1]
  if (character === '#' && start < limit) return commentAt(source, { start, from, end, opening })
  const raw = character === '%' && start < limit ? matchAt(rawStart, source, start) : undefined
  if (raw) {
    const to = start + raw[0].length
    const closing = (raw[2] ?? '') as JinjaTrim
    const inside = { start: from, end: to - 2 - closing.length }
    return { ...whatever, kind: 'raw', range: { start, end: to }, inside, opening, closing }
  }
  const kind = character === '{' ? 'output' : 'statement'
  const { tokens, close, fault, hasOpenString } = new TagReader(source, limit, kind).read(start, from)
  const isCut = close === undefined && limit < end
  return {
    kind,
    range: { start, end: close?.range.end ?? end },
    inside: { start: from, end: close?.range.start ?? end },
    opening,
    closing: close?.trim ?? '',
    tokens,
    isClosed: close !== undefined,
    hasOpenString: hasOpenString && !isCut,
    isCut,
    fault: isCut ? { message: 'The tags are too long', at: start } : fault,
  }
}

function commentAt(
  source: string,
  { start, from, end, opening }: Readonly<Record<'start' | 'from' | 'end', number>> & { opening: JinjaTrim },
): JinjaTagTokens {
  const found = source.indexOf('#}', start + 2)
  const isClosed = found !== -1 && found + 2 <= end
  const close = isClosed ? found : end
  const closing = isClosed ? trimAt(source, found - 1) : ''
  return {
    kind: 'comment',
    range: { start, end: isClosed ? close + 2 : end },
    inside: { start: Math.min(from, close), end: Math.max(from, close - closing.length) },
    opening,
    closing,
    tokens: [],
    isClosed,
    hasOpenString: false,
    isCut: false,
    fault: isClosed ? undefined : { message: 'Missing end of comment tag', at: start },
  }
}

function endOfRaw(source: string, from: number, end: number): JinjaTagTokens | undefined {
  // Linear: as the original.
  const pattern = new RegExp(rawEnd)
  pattern.lastIndex = from
  const found = pattern.exec(source)
  if (!found || pattern.lastIndex > end) return undefined
  const range = { start: found.index, end: pattern.lastIndex }
  const [, opening = '', closing = ''] = found as unknown as readonly [string, JinjaTrim, JinjaTrim]
  const inside = { start: range.start + 2 + opening.length, end: range.end - 2 - closing.length }
  return { ...whatever, kind: 'endraw', range, inside, opening, closing }
}

function trimAt(source: string, at: number): JinjaTrim {
  const sign = source[at]
  return sign === '-' || sign === '+' ? sign : ''
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

interface TagContent {
  readonly tokens: readonly JinjaToken[]
  /** The sign that trims, and the end with it; undefined if there is none. */
  readonly close: { readonly range: Range; readonly trim: JinjaTrim } | undefined
  readonly hasOpenString: boolean
  readonly fault: JinjaFault | undefined
}

/** Reads the inside of one tag. */
class TagReader {
  readonly #source: string
  readonly #end: number
  readonly #closer: '}}' | '%}'
  readonly #tokens: JinjaToken[] = []
  /** What closes the brackets that are open. */
  readonly #open: string[] = []
  #fault: JinjaFault | undefined

  constructor(source: string, end: number, kind: 'output' | 'statement') {
    this.#source = source
    this.#end = end
    this.#closer = kind === 'output' ? '}}' : '%}'
  }

  /** The tag at `tag`, whose inside begins at `from`. */
  read(tag: number, from: number): TagContent {
    const source = this.#source
    let at = from
    for (;;) {
      space.lastIndex = at
      space.test(source) // moves on, at least by nothing
      at = space.lastIndex
      if (at >= this.#end) {
        this.#fail(`Missing \`${this.#closer}\``, tag)
        return this.#content(undefined, false)
      }
      const close = this.#open.length === 0 ? this.#closeAt(at) : undefined
      if (close && close.range.end <= this.#end) return this.#content(close, false)
      const next = this.#token(at)
      if (next === undefined) return this.#content(undefined, true)
      at = next
    }
  }

  #content(close: TagContent['close'], hasOpenString: boolean): TagContent {
    return { tokens: this.#tokens, close, hasOpenString, fault: this.#fault }
  }

  #fail(message: string, at: number): void {
    this.#fault ??= { message, at }
  }

  #closeAt(at: number): TagContent['close'] {
    const sign = trimAt(this.#source, at)
    // Jinja takes a plus sign before the end of statements only.
    const trim = sign === '+' && this.#closer === '}}' ? '' : sign
    if (!this.#source.startsWith(this.#closer, at + trim.length)) return undefined
    return { range: { start: at, end: at + trim.length + 2 }, trim }
  }

  /** Reads the token at `at`; where it ends, or undefined for a string without end. */
  #token(at: number): number | undefined {
    const character = this.#source.charAt(at)
    if (character === '"' || character === "'") return this.#string(at, character)
    if (character >= '0' && character <= '9') return this.#number(at)
    const word = matchAt(name, this.#source, at)?.[0]
    if (word !== undefined) return this.#add('name', word, at)
    const operator = operators.find((it) => this.#source.startsWith(it, at))
    if (operator === undefined) {
      this.#fail(`unexpected char '${character}'`, at)
      return this.#add('operator', character, at)
    }
    if (operator === ')' || operator === ']' || operator === '}') {
      const expected = this.#open.pop()
      const rest = expected === undefined ? '' : `, expected '${expected}'`
      if (expected !== operator) this.#fail(`unexpected '${operator}'${rest}`, at)
    }
    const end = this.#add('operator', operator, at)
    const closing = brackets[operator]
    if (closing !== undefined) this.#open.push(closing)
    return end
  }

  #add(kind: 'name' | 'operator', value: string, at: number): number {
    const end = at + value.length
    this.#tokens.push({ kind, value, at, end, depth: this.#open.length })
    return end
  }

  #number(at: number): number {
    const inBase = matchAt(based, this.#source, at)?.[0]
    const isMember = this.#source[at - 1] === '.'
    const value = inBase ?? matchAt(isMember ? whole : decimal, this.#source, at)?.[0] ?? '0'
    const isFloat = inBase === undefined && /[.eE]/.test(value)
    const end = at + value.length
    const depth = this.#open.length
    const number = Number(value.replaceAll('_', ''))
    this.#tokens.push({ kind: 'number', value, number, isFloat, at, end, depth })
    return end
  }

  #string(at: number, quote: string): number | undefined {
    let to = at + 1
    while (to < this.#end && this.#source[to] !== quote) to += this.#source[to] === '\\' ? 2 : 1
    if (to >= this.#end) {
      this.#fail(`unexpected char '${quote}'`, at)
      return undefined
    }
    const value = this.#unescaped(this.#source.slice(at + 1, to), at)
    this.#tokens.push({ kind: 'string', value, at, end: to + 1, depth: this.#open.length })
    return to + 1
  }

  #unescaped(text: string, at: number): string {
    if (!text.includes('\\')) return text
    return text.replace(escaped, (all, two, four, eight, octal, other: string | undefined) => {
      if (other !== undefined) {
        if (other === 'x' || other === 'u' || other === 'U') this.#fail(`truncated \\${other} escape`, at)
        return escapes[other] ?? all
      }
      const code = octal === undefined ? Number.parseInt(two ?? four ?? eight, 16) : Number.parseInt(octal, 8)
      if (code <= 0x10ffff) return String.fromCodePoint(code)
      this.#fail('illegal Unicode character', at)
      return all
    })
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}
const escaped = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g
