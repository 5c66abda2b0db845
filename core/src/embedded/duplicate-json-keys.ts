/** Keys that occur twice in an object of JSON. The parser lets the last one win and says nothing. */

import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { isWhiteSpace, type RelatedPlace } from './embedded-problem.ts'
import { stringEnd } from './json-token.ts'
import { hasMember } from './json-value.ts'

/** A key that an object has twice. `JSON.parse` lets the last one win. */
export interface DuplicateJsonKey {
  readonly key: string
  /** The later key, quotes included. */
  readonly range: Range
  /** Where the key occurs first. */
  readonly related: RelatedPlace
}

/**
 * False if no object in `text` has a key twice; `value` is what `JSON.parse` made of it. Says so of nearly every text without
 * such keys, in a fraction of the time that parsing took: there are as many colons after quotes as the value has keys.
 */
export function mayRepeatKeys(text: string, value: unknown): boolean {
  const colons = colonsBehindQuotes(text)
  return colons > 1 && colons !== keysIn(value)
}

/** At least the number of keys: a text may have a colon after its opening quote. */
function colonsBehindQuotes(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) <= 32) before--
    if (text.charCodeAt(before) === quote && !isEscaped(text, before)) count++
  }
  return count
}

/** True if the quote at `at` is one of the text in a string. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === backslash) before--
  return (at - before) % 2 === 1
}

/** The keys of all objects in `value`. */
function keysIn(value: unknown): number {
  let count = 0
  hasMember(value, (_, key) => {
    if (key !== undefined) count++
    return false
  })
  return count
}

const quote = 0x22
const backslash = 0x5c

/** The keys that repeat an earlier key of their object, in text order, found as they are asked for. `text` must be valid JSON. */
export function* duplicateJsonKeys(text: string): IterableIterator<DuplicateJsonKey> {
  const open: Map<string, Range>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '{' || character === '[') open.push(new Map())
    else if (character === '}' || character === ']') open.pop()
    if (character !== '"') continue
    const end = stringEnd(text, at).end ?? text.length
    if (isKey(text, end)) {
      const duplicate = noteKey(open.at(-1), { start: at, end }, text)
      if (duplicate) yield duplicate
    }
    at = end - 1
  }
}

function isKey(text: string, stringEnd: number): boolean {
  let at = stringEnd
  while (isWhiteSpace(text.charCodeAt(at))) at++
  return text.charAt(at) === ':'
}

function noteKey(
  keys: Map<string, Range> | undefined,
  range: Range,
  text: string,
): DuplicateJsonKey | undefined {
  const key = text.slice(range.start + 1, range.end - 1)
  const decoded = key.includes('\\') ? String(JSON.parse(`"${key}"`)) : key
  const first = keys?.get(decoded)
  if (!first) {
    keys?.set(decoded, range)
    return undefined
  }
  return {
    key: decoded,
    range,
    related: { range: first, message: localize`\`${decoded}\` first appears here` },
  }
}
