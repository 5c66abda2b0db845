/** The tokens of JSON, scanned one at a time with the exact place of what is wrong in them. Linear, without recursion. */

import { localize } from '../text/localize.ts'
import { type EmbeddedProblem, lastVisible } from './embedded-problem.ts'

/** What can be wrong with a JSON text. */
export type JsonProblemKind =
  | 'empty'
  | 'unexpected-end'
  | 'unclosed-string'
  | 'extra-closer'
  | 'mismatched-closer'
  | 'second-value'
  | 'leading-text'
  | 'trailing-text'
  | 'not-json'
  | 'code-fence'
  | 'trailing-comma'
  | 'unexpected-comma'
  | 'missing-comma'
  | 'missing-colon'
  | 'missing-value'
  | 'wrong-quotes'
  | 'unquoted-key'
  | 'unquoted-string'
  | 'foreign-word'
  | 'comment'
  | 'bad-escape'
  | 'control-character'
  | 'bad-number'
  | 'invisible-character'
  | 'unexpected-character'
  | 'too-deep'

/** A mistake in a JSON text. */
export type JsonProblem = EmbeddedProblem<JsonProblemKind>

/** The end of a token, or what is wrong with it. */
export type TokenEnd =
  | { readonly end: number; readonly problem?: undefined }
  | { readonly end?: undefined; readonly problem: JsonProblem }

const quote = 0x22
const backslash = 0x5c
const simpleEscapes = '"\\/bfnrt'

/** Scans the string that opens at `start`. */
export function stringEnd(text: string, start: number): TokenEnd {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return { end: at + 1 }
    if (code < 0x20) return { problem: controlCharacter(text, start, at) }
    if (code !== backslash) continue
    const width = escapeWidth(text, at)
    if (width > 0) at += width - 1
    else if (at + 1 < text.length) return { problem: badEscape(text, at) }
  }
  const related = { range: { start, end: start + 1 }, message: localize`The string opens here` }
  const message = localize`Unexpected end of JSON: a string is not closed`
  return { problem: { kind: 'unclosed-string', range: lastVisible(text), message, related } }
}

/** The length of the valid escape sequence at `at`, or 0. */
function escapeWidth(text: string, at: number): number {
  const escaped = text.charAt(at + 1)
  if (escaped !== 'u') return escaped !== '' && simpleEscapes.includes(escaped) ? 2 : 0
  for (let digit = at + 2; digit < at + 6; digit++) {
    if (!isHexDigit(text.charCodeAt(digit))) return 0
  }
  return 6
}

function badEscape(text: string, at: number): JsonProblem {
  if (text.charAt(at + 1) !== 'u') {
    const end = at + (isHighSurrogate(text.charCodeAt(at + 1)) && at + 2 < text.length ? 3 : 2)
    const shown =
      text.charCodeAt(at + 1) < 0x20
        ? localize`a line break or control character`
        : `\`${text.slice(at, end)}\``
    const message = localize`${shown} is not a JSON escape sequence; write a backslash as \`\\\\\``
    return { kind: 'bad-escape', range: { start: at, end }, message }
  }
  let end = at + 2
  while (end < at + 6 && isHexDigit(text.charCodeAt(end))) end++
  const message = localize`\`\\u\` needs four hexadecimal digits`
  return { kind: 'bad-escape', range: { start: at, end }, message }
}

function controlCharacter(text: string, start: number, at: number): JsonProblem {
  const related = { range: { start, end: start + 1 }, message: localize`The string opens here` }
  const code = text.charCodeAt(at)
  const isLineBreak = code === 0x0a || code === 0x0d
  if (isLineBreak && !text.includes('"', at)) {
    return { kind: 'unclosed-string', range: { start, end: at }, message: localize`The string is not closed` }
  }
  const message = isLineBreak
    ? localize`A JSON string cannot contain a line break; write \`\\n\``
    : localize`A JSON string cannot contain the control character ${codePoint(code)}; write ${escapeOf(code)}`
  return { kind: 'control-character', range: { start: at, end: at + 1 }, message, related }
}

function escapeOf(code: number): string {
  return code === 0x09 ? '`\\t`' : `\`\\u${code.toString(16).padStart(4, '0')}\``
}

/** Scans the number that begins at `start` with a digit, a sign or a point. */
export function numberEnd(text: string, start: number): TokenEnd {
  let at = text.charAt(start) === '-' ? start + 1 : start
  const whole = at
  at = digitsEnd(text, at)
  let isValid = at > whole && (at === whole + 1 || text.charAt(whole) !== '0')
  if (isValid && text.charAt(at) === '.') {
    const fraction = at + 1
    at = digitsEnd(text, fraction)
    isValid = at > fraction
  }
  if (isValid && (text.charAt(at) === 'e' || text.charAt(at) === 'E')) {
    const sign = text.charAt(at + 1)
    const exponent = sign === '+' || sign === '-' ? at + 2 : at + 1
    at = digitsEnd(text, exponent)
    isValid = at > exponent
  }
  const end = numberLikeEnd(text, start)
  if (isValid && at === end) return { end }
  const message = localize`\`${excerpt(text.slice(start, end))}\` is not a valid JSON number`
  return { problem: { kind: 'bad-number', range: { start, end }, message } }
}

function digitsEnd(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

/** Everything that a writer would take for one number: digits, letters, points and signs. */
function numberLikeEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && (isWordCharacter(text.charCodeAt(at)) || '.+-'.includes(text.charAt(at)))) at++
  return at
}

/** The end of the word (letters, digits, `_`, `$`) at `start`; `start` itself if there is none. */
export function wordEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && isWordCharacter(text.charCodeAt(at))) at++
  return at
}

/** The end of the comment at `start`, or undefined if there is none: `//`, `#` and block comments. */
export function commentEnd(text: string, start: number): number | undefined {
  if (text.startsWith('/*', start)) {
    const close = text.indexOf('*/', start + 2)
    return close === -1 ? text.length : close + 2
  }
  if (text.charAt(start) !== '#' && !text.startsWith('//', start)) return undefined
  let at = start
  while (at < text.length && text.charCodeAt(at) !== 0x0a && text.charCodeAt(at) !== 0x0d) at++
  return at
}

/** True for letters, digits, `_`, `$` and every other character that is neither ASCII, a space nor a quote. */
export function isWordCharacter(code: number): boolean {
  if (code < 0x80) return isDigit(code) || isLetter(code) || code === 0x5f || code === 0x24
  return !isInvisible(code) && !isCurlyQuote(code)
}

/** True for `0` to `9`. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** True for the quotation marks that word processors put in place of `"` and `'`. */
export function isCurlyQuote(code: number): boolean {
  return (code >= 0x2018 && code <= 0x201f) || code === 0xab || code === 0xbb
}

/** True for characters that look like white space, or like nothing, and are not white space in JSON. */
export function isInvisible(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a && code !== 0x0d
  if (code >= 0x7f && code <= 0xa0) return true
  if (code >= 0x2000 && code <= 0x200f) return true
  return [0xad, 0x2028, 0x2029, 0x202f, 0x205f, 0x2060, 0x3000, 0xfeff].includes(code)
}

/** A character as people look it up: `U+00A0`. */
export function codePoint(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** `words`, short enough for a message and without characters that would break it. */
export function excerpt(words: string): string {
  const longest = 40 // fits a line of a problem list
  const printable = words.slice(0, longest).replace(/[\u0000-\u001f`]/g, ' ')
  return words.length > longest ? `${printable}…` : printable
}
