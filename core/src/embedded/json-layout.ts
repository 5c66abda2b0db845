/** JSON on several lines or on one: only the white space between tokens changes. For valid JSON; linear, without recursion. */

import { isWhiteSpace } from './embedded-problem.ts'
import { stringEnd } from './json-token.ts'
import type { JsonValue } from './yaml-header.ts'

/** How lines are broken and indented. */
export interface JsonLayoutOptions {
  readonly eol: string
  /** What one level is indented with. */
  readonly indent: string
}

/** A layout may have this many code units. Deep nesting indents so far that its layout grows with the square of the text. */
export const longestJsonLayout = 4_000_000

/** `text` with each member and item on a line of its own; undefined beyond {@link longestJsonLayout}. */
export function jsonOnLines(text: string, options: JsonLayoutOptions): string | undefined {
  if (!fitsOnLines(text, options)) return undefined
  const parts: string[] = []
  const { eol, indent } = options
  forEachPart(text, (part, depth) => {
    if (depth !== undefined) parts.push(eol, indent.repeat(depth))
    parts.push(part)
  })
  return parts.join('')
}

/** True if the layout of `text` is no longer than {@link longestJsonLayout}. */
export function fitsOnLines(text: string, { eol, indent }: JsonLayoutOptions): boolean {
  let length = 0
  forEachPart(text, (part, depth) => {
    if (depth !== undefined) length += eol.length + depth * indent.length
    length += part.length
  })
  return length <= longestJsonLayout
}

/** `value` with each member and item on a line of its own, indented by two spaces; on one line if most of that would be indentation. */
export function jsonOf(value: JsonValue): string {
  return isIndentedFar(value) ? JSON.stringify(value) : JSON.stringify(value, undefined, 2)
}

/** True if lines would be indented by more than {@link mostColumns} on average, and by more than a little together. */
function isIndentedFar(value: JsonValue): boolean {
  let lines = 0
  let columns = 0
  let level = [value]
  for (let indent = 2; level.length > 0; indent += 2) {
    const next: JsonValue[] = []
    for (const it of level) {
      if (typeof it !== 'object' || it === null) continue
      const members = Array.isArray(it) ? (it as readonly JsonValue[]) : Object.values(it)
      lines += members.length
      columns += indent * members.length
      for (const member of members) if (typeof member === 'object' && member !== null) next.push(member)
    }
    level = next
  }
  return columns > smallIndentation && columns > mostColumns * lines
}

const mostColumns = 40
const smallIndentation = 2 ** 16

/** `text` without white space between tokens. */
export function jsonOnOneLine(text: string): string {
  const parts: string[] = []
  forEachToken(text, (from, to) => parts.push(text.slice(from, to)))
  return parts.join('')
}

/** Calls `add` with what a layout consists of, and the level of the line that a part begins, if it begins one. */
function forEachPart(text: string, add: (part: string, depth: number | undefined) => void): void {
  let depth = 0
  let beginsLine = false
  let last = ''
  forEachToken(text, (from, to) => {
    const token = text.slice(from, to)
    const isCloser = token === '}' || token === ']'
    const isEmpty = isCloser && (last === '{' || last === '[')
    if (isCloser) depth--
    add(token === ':' ? ': ' : token, (beginsLine || isCloser) && !isEmpty ? depth : undefined)
    const isOpener = token === '{' || token === '['
    if (isOpener) depth++
    beginsLine = isOpener || token === ','
    last = token
  })
}

/** Calls `take` with the place of every token: brackets and signs one by one, strings and words whole. */
function forEachToken(text: string, take: (from: number, to: number) => void): void {
  for (let at = 0; at < text.length; ) {
    const from = at++
    if (isWhiteSpace(text.charCodeAt(from))) continue
    const character = text.charAt(from)
    if (character === '"') at = stringEnd(text, from).end ?? text.length
    else if (!signs.includes(character)) while (at < text.length && !endsWord(text, at)) at++
    take(from, at)
  }
}

const signs = '{}[],:'

function endsWord(text: string, at: number): boolean {
  return isWhiteSpace(text.charCodeAt(at)) || signs.includes(text.charAt(at))
}
