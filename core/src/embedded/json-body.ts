/** JSON in a body: valid or not, and if not, why. Valid bodies cost one `JSON.parse`; very large ones are not examined. */

import { localize } from '../text/localize.ts'
import { onRelease } from '../text/memo.ts'
import { isWhiteSpace } from './embedded-problem.ts'
import { jsonProblem } from './json-diagnosis.ts'
import { sizeProblem } from './json-size.ts'
import type { JsonProblem, JsonProblemKind } from './json-token.ts'

export type { JsonProblem, JsonProblemKind }

/** What kind of value a JSON text holds. */
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** One JSON value, or the first mistake. */
export type JsonBody =
  | { readonly ok: true; readonly type: JsonType; readonly problem?: undefined }
  | { readonly ok: false; readonly problem: JsonProblem }

/**
 * Checks that `text` is one JSON value, exactly as `JSON.parse` sees it.
 * Some engines refuse deep nesting; that is reported as such and not as a mistake of grammar. So is a text with too many
 * values, whose grammar is not examined: a keystroke in it must stay quick.
 */
export function jsonBody(text: string): JsonBody {
  if (text.length < rememberedFrom) return checked(text)
  if (text !== lastText) {
    lastBody = checked(text)
    lastText = text
  }
  return lastBody
}

const rememberedFrom = 10_000 // code units; several rules and features ask for the same body, one after the other
let lastText: string | undefined
let lastBody: JsonBody = { ok: true, type: 'null' }

onRelease(() => {
  lastText = undefined
})

/**
 * The value of `text`; undefined if it is not JSON, which {@link jsonBody} explains, or has more values than are read into
 * memory, which {@link sizeProblem} does.
 */
export function jsonValue(text: string): unknown {
  if (sizeProblem(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // What is wrong with it is found out by the code that reports it.
    return undefined
  }
}

function checked(text: string): JsonBody {
  const tooLarge = sizeProblem(text)
  if (tooLarge) return { ok: false, problem: tooLarge }
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
