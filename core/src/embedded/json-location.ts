/** Where an offset is in a JSON text, however unfinished that is: for completion and hover. */
import { getLocation } from 'jsonc-parser'
import { lineStartAt } from '../text/line-breaks.ts'
import type { Range } from '../text/range.ts'
import { jsonNestingLimit, jsonTree } from './json-tree.ts'

/** A place in a JSON text. */
export interface JsonLocation {
  /** The way from the outermost value to the one at the place; at a key, to the object that has it. */
  readonly path: readonly (string | number)[]
  /** True where a key is or may be written. */
  readonly isKey: boolean
  /** The key or scalar at the place as written, quotes included, up to where it may be replaced; empty between tokens. */
  readonly range: Range
  /** True if a `:` follows the key, or a `,` or closing bracket the value. */
  readonly isFollowed: boolean
  /** True if another key or value follows without a comma before it. */
  readonly needsComma: boolean
}

const longestText = 200_000 // code units; beyond that, no one writes by hand

/** The location of `offset` in `text`; undefined for texts that are too large or too deep to be read on each keystroke. */
export function jsonLocation(text: string, offset: number): JsonLocation | undefined {
  if (text.length > longestText || jsonTree(text).problem) return undefined
  const { path, isAtPropertyKey } = getLocation(text, offset)
  if (path.length > jsonNestingLimit) return undefined
  const range = tokenAround(text, offset, isAtPropertyKey)
  // The library takes the place after an empty object for one inside it.
  const before = text.slice(Math.max(0, range.start - longestGap), range.start).trimEnd()
  if (isAtPropertyKey && before.endsWith('}')) return undefined
  const rest = /^\s*/.exec(text.slice(range.end, range.end + longestGap))?.[0].length ?? 0
  const next = text.charAt(range.end + rest)
  return {
    path: isAtPropertyKey ? path.slice(0, -1) : path,
    isKey: isAtPropertyKey,
    range,
    isFollowed: isAtPropertyKey ? next === ':' : next === ',' || next === '}' || next === ']',
    needsComma: next !== '' && !',:}]'.includes(next),
  }
}

const longestGap = 1000 // white space between tokens

/** The string or bare word around `offset`; a string that nothing closes ends with its word. A key after the place stays. */
function tokenAround(text: string, offset: number, isKey: boolean): Range {
  const lineStart = lineStartAt(text, offset)
  let open: number | undefined
  let last: Range | undefined
  for (let at = lineStart; at < offset; at++) {
    const character = text.charAt(at)
    if (character === '\\' && open !== undefined) at++
    else if (character === '"') {
      if (open !== undefined) last = { start: open, end: at + 1 }
      open = open === undefined ? at : undefined
    }
  }
  if (open !== undefined) return { start: open, end: stringEnd(text, offset) }
  const isString = last !== undefined && last.end === offset
  let start = last && isString ? last.start : offset
  while (!isString && start > lineStart && wordCharacter.test(text.charAt(start - 1))) start--
  const behind = /^[\w.+-]*/.exec(text.slice(offset, offset + longestGap))
  const own =
    !isKey && text.charAt(offset) === '"' && start === offset ? stringEnd(text, offset + 1) : undefined
  if (own !== undefined) return { start: offset, end: own }
  return { start, end: offset + (isString ? 0 : (behind?.[0].length ?? 0)) }
}

const wordCharacter = /[\w.+-]/

/** After the closing quote on the same line if nothing but words is before it, else after the word. */
function stringEnd(text: string, from: number): number {
  const rest = /^(?:[^"\\\r\n:,{}[\]]|\\.)*"/.exec(text.slice(from, from + longestGap))
  if (rest) return from + rest[0].length
  const word = /^[\w.-]*/.exec(text.slice(from, from + longestGap))
  return from + (word?.[0].length ?? 0)
}
