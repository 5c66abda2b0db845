/** Cuts a template into text and the tokens of its tags, as Jinja2 does with `trim_blocks` and `lstrip_blocks`. */
import { TemplateFault } from './template-problem.ts'

/** A token. `value` is the text, name, operator, or the content of a string; of a number, its value. */
export interface TemplateToken {
  readonly kind: 'text' | 'name' | 'string' | 'number' | 'operator' | 'open' | 'close' | 'end'
  readonly value: string
  /** Of a number. */
  readonly number?: number
  /** True for a number with a point or an exponent. */
  readonly isFloat?: boolean
  /** Offset in the source. */
  readonly at: number
}

const tagStart = /\{[{%#]/g
const rawStart = /\{%[-+]?\s*raw\s*(-?)%\}/y
const space = /\s*/y
const name = /[\p{ID_Start}_][\p{ID_Continue}]*/uy
const based = /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+/y
const decimal = /\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+)?/y
const whole = /\d[\d_]*/y
const operators = ['**', '//', '==', '!=', '>=', '<=', ...'+-/*%~[](){}><=.:|,;']
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The tokens of `source`, whose line breaks are `\n`. @throws TemplateFault */
export function templateTokens(source: string): readonly TemplateToken[] {
  const tokens: TemplateToken[] = []
  const end = source.endsWith('\n') ? source.length - 1 : source.length
  let at = 0
  let startsLine = true
  while (at < end) {
    tagStart.lastIndex = at
    const found = tagStart.exec(source)
    const tag = found && found.index < end ? found.index : end
    const sign = source[tag + 2]
    const isValue = source[tag + 1] === '{'
    if (tag < end && (sign === '-' || sign === '+' || !isValue)) {
      if (sign === '-') addText(at, at + source.slice(at, tag).trimEnd().length)
      else addText(at, isValue || sign === '+' ? tag : beforeIndent(at, tag, startsLine))
    } else addText(at, tag)
    if (tag === end) break
    at = readTag(tag)
    startsLine = source[at - 1] === '\n'
  }
  tokens.push({ kind: 'end', value: '', at: end })
  return tokens

  function addText(from: number, to: number): void {
    if (to > from) tokens.push({ kind: 'text', value: source.slice(from, to), at: from })
  }

  /** Where the line's indentation before the tag begins, if there is nothing else before it. */
  function beforeIndent(from: number, tag: number, isLineStart: boolean): number {
    const text = source.slice(from, tag)
    const line = text.lastIndexOf('\n') + 1
    if (line === 0 && !isLineStart) return tag
    return text.slice(line).trim() === '' ? from + line : tag
  }

  /** Reads what begins at `tag`; returns where the text behind it begins. */
  function readTag(tag: number): number {
    if (source[tag + 1] === '#') {
      const close = source.indexOf('#}', tag + 2)
      if (close === -1 || close + 2 > end)
        throw new TemplateFault('syntax', 'Missing end of comment tag', tag)
      return afterTag(close + 2, source[close - 1] ?? '', true)
    }
    rawStart.lastIndex = tag
    const raw = rawStart.exec(source)
    if (raw) return readRaw(tag, raw[1] === '-' ? skipSpace(rawStart.lastIndex) : rawStart.lastIndex)
    const isValue = source[tag + 1] === '{'
    const sign = source[tag + 2]
    tokens.push({ kind: 'open', value: isValue ? '{{' : '{%', at: tag })
    return readInside(tag, tag + (sign === '-' || sign === '+' ? 3 : 2), isValue)
  }

  function readRaw(tag: number, from: number): number {
    for (let at = source.indexOf('{%', from); at !== -1; at = source.indexOf('{%', at + 2)) {
      const sign = source[at + 2] === '-' || source[at + 2] === '+' ? source[at + 2] : ''
      const word = skipSpace(at + 2 + (sign === '' ? 0 : 1))
      if (!source.startsWith('endraw', word)) continue
      const close = skipSpace(word + 'endraw'.length)
      const closeSign = source[close] === '-' || source[close] === '+' ? source[close] : ''
      if (!source.startsWith('%}', close + (closeSign === '' ? 0 : 1))) continue
      const text = source.slice(from, at)
      if (sign === '-') addText(from, from + text.trimEnd().length)
      else addText(from, sign === '+' ? at : beforeIndent(from, at, source[from - 1] === '\n'))
      return afterTag(close + (closeSign === '' ? 2 : 3), closeSign ?? '', true)
    }
    throw new TemplateFault('syntax', 'Missing end of raw directive', tag)
  }

  /** Where the text goes on behind a tag that ends at `to`, with `sign` before its end. */
  function afterTag(to: number, sign: string, isTrimmed: boolean): number {
    if (sign === '-') return skipSpace(to)
    return isTrimmed && sign !== '+' && source[to] === '\n' ? to + 1 : to
  }

  function skipSpace(from: number): number {
    space.lastIndex = from
    space.test(source)
    return space.lastIndex
  }

  /** Tokens of a tag up to its end. */
  function readInside(tag: number, from: number, isValue: boolean): number {
    const close = isValue ? '}}' : '%}'
    const open: string[] = []
    let at = from
    while (true) {
      at = skipSpace(at)
      if (at >= end) throw new TemplateFault('syntax', `Missing \`${close}\``, tag)
      if (open.length === 0) {
        const sign = source[at] === '-' || (source[at] === '+' && !isValue) ? (source[at] as string) : ''
        if (source.startsWith(close, at + sign.length)) {
          tokens.push({ kind: 'close', value: close, at })
          return afterTag(at + sign.length + 2, sign, !isValue)
        }
      }
      at = readToken(at, open)
    }
  }

  function readToken(at: number, open: string[]): number {
    const character = source[at] ?? ''
    if (character === '"' || character === "'") return readString(at, character)
    const isDigit = character >= '0' && character <= '9'
    if (isDigit) return readNumber(at)
    name.lastIndex = at
    const word = name.exec(source)?.[0]
    if (word !== undefined) {
      tokens.push({ kind: 'name', value: word, at })
      return at + word.length
    }
    const operator = operators.find((it) => source.startsWith(it, at))
    if (operator === undefined) throw new TemplateFault('syntax', `unexpected char '${character}'`, at)
    const closes = closing[operator]
    if (closes !== undefined) open.push(closes)
    else if (operator === ')' || operator === ']' || operator === '}') {
      const expected = open.pop()
      if (expected !== operator) {
        const rest = expected === undefined ? '' : `, expected '${expected}'`
        throw new TemplateFault('syntax', `unexpected '${operator}'${rest}`, at)
      }
    }
    tokens.push({ kind: 'operator', value: operator, at })
    return at + operator.length
  }

  function readNumber(at: number): number {
    based.lastIndex = at
    const inBase = based.exec(source)?.[0]
    const isMember = source[at - 1] === '.'
    const form = isMember ? whole : decimal
    form.lastIndex = at
    const text = inBase ?? form.exec(source)?.[0] ?? '0'
    const isFloat = inBase === undefined && /[.eE]/.test(text)
    tokens.push({ kind: 'number', value: text, number: Number(text.replaceAll('_', '')), isFloat, at })
    return at + text.length
  }

  function readString(at: number, quote: string): number {
    let to = at + 1
    while (to < end && source[to] !== quote) to += source[to] === '\\' ? 2 : 1
    if (to >= end) throw new TemplateFault('syntax', `unexpected char '${quote}'`, at)
    tokens.push({ kind: 'string', value: unescaped(source.slice(at + 1, to), at), at })
    return to + 1
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

function unescaped(text: string, at: number): string {
  if (!text.includes('\\')) return text
  return text.replace(escaped, (all, two, four, eight, octal, other: string | undefined) => {
    if (other !== undefined) {
      if (other === 'x' || other === 'u' || other === 'U')
        throw new TemplateFault('syntax', `truncated \\${other} escape`, at)
      return escapes[other] ?? all
    }
    const code = octal === undefined ? Number.parseInt(two ?? four ?? eight, 16) : Number.parseInt(octal, 8)
    if (code > 0x10ffff) throw new TemplateFault('syntax', 'illegal Unicode character', at)
    return String.fromCodePoint(code)
  })
}
