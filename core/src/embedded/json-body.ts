/** JSON in a body: valid or not, and if not, why. Valid bodies cost one `JSON.parse`. */

import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { isWhiteSpace, type RelatedPlace } from './embedded-problem.ts'
import { jsonProblem } from './json-diagnosis.ts'
import { type JsonProblem, type JsonProblemKind, stringEnd } from './json-token.ts'

export type { JsonProblem, JsonProblemKind }

/** What kind of value a JSON text holds. */
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** One JSON value, or the first mistake. */
export type JsonBody =
  | { readonly ok: true; readonly type: JsonType; readonly problem?: undefined }
  | { readonly ok: false; readonly problem: JsonProblem }

/**
 * Checks that `text` is one JSON value, exactly as `JSON.parse` sees it.
 * Some engines refuse deep nesting; that is reported as such and not as a mistake of grammar.
 */
export function jsonBody(text: string): JsonBody {
  try {
    JSON.parse(text)
    return { ok: true, type: typeOf(text) }
  } catch (error) {
    // The engine's own message names neither place nor cause reliably, so the text is read a second time.
    const problem = jsonProblem(text)
    if (problem) return { ok: false, problem }
    return { ok: false, problem: error instanceof SyntaxError ? unexplained(text) : tooDeep(text) }
  }
}

/** The type of a valid JSON text, from its first character. */
function typeOf(text: string): JsonType {
  let at = 0
  while (isWhiteSpace(text.charCodeAt(at))) at++
  switch (text.charAt(at)) {
    case '{':
      return 'object'
    case '[':
      return 'array'
    case '"':
      return 'string'
    case 't':
    case 'f':
      return 'boolean'
    case 'n':
      return 'null'
    default:
      return 'number'
  }
}

/** The two readings disagree, which a property test rules out; the engine's word counts. */
function unexplained(text: string): JsonProblem {
  return { kind: 'not-json', range: { start: 0, end: text.length }, message: localize`The text is not JSON` }
}

function tooDeep(text: string): JsonProblem {
  const message = localize`The JSON is nested too deeply to be read`
  return { kind: 'too-deep', range: { start: 0, end: Math.min(1, text.length) }, message }
}

/** A key that an object has twice. `JSON.parse` lets the last one win. */
export interface DuplicateJsonKey {
  readonly key: string
  /** The later key, quotes included. */
  readonly range: Range
  /** Where the key stands first. */
  readonly related: RelatedPlace
}

/** The keys that repeat an earlier key of their object, in text order. `text` must be valid JSON. */
export function duplicateJsonKeys(text: string): readonly DuplicateJsonKey[] {
  const duplicates: DuplicateJsonKey[] = []
  const open: Map<string, Range>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '{' || character === '[') open.push(new Map())
    else if (character === '}' || character === ']') open.pop()
    if (character !== '"') continue
    const end = stringEnd(text, at).end ?? text.length
    if (isKey(text, end)) {
      const duplicate = noteKey(open.at(-1), { start: at, end }, text)
      if (duplicate) duplicates.push(duplicate)
    }
    at = end - 1
  }
  return duplicates
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
    related: { range: first, message: localize`\`${decoded}\` stands here first` },
  }
}
