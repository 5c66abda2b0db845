/**
 * Says why a text is not JSON: the first place that cannot be right, and in plain words what is wrong there.
 * One pass with an explicit stack of open brackets, so nesting costs memory and never the call stack.
 */

import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { firstLine, isWhiteSpace, lastVisible } from './embedded-problem.ts'
import {
  characterAt,
  codeFence,
  comment,
  foreignWord,
  invisible,
  problemAt,
  prose,
  unexpectedCharacter,
  unquotedString,
  wrongQuotes,
} from './json-stray-text.ts'
import {
  commentEnd,
  excerpt,
  isDigit,
  isInvisible,
  isWordCharacter,
  type JsonProblem,
  numberEnd,
  stringEnd,
  type TokenEnd,
  wordEnd,
} from './json-token.ts'

/** What the grammar allows next. */
type Expectation =
  | 'value'
  | 'item-or-close'
  | 'item'
  | 'key-or-close'
  | 'key'
  | 'colon'
  | 'comma-or-close'
  | 'end'

/** Where the scan is. `open` holds the offsets of the brackets that are not closed yet, outermost first. */
interface Scan {
  readonly text: string
  readonly open: number[]
  at: number
  expectation: Expectation
  /** The token before `at`. */
  previous: Range
}

/** The first mistake in `text`, or undefined if it is one JSON value. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const scan: Scan = { text, open: [], at: 0, expectation: 'value', previous: { start: 0, end: 0 } }
  for (;;) {
    while (isWhiteSpace(text.charCodeAt(scan.at))) scan.at++
    if (scan.at >= text.length) return atEndOfText(scan)
    const problem = step(scan)
    if (problem) return problem
  }
}

const deepest = 1_000_000 // brackets that are remembered; brackets are all that a text can have so many of

function step(scan: Scan): JsonProblem | undefined {
  switch (scan.expectation) {
    case 'value':
    case 'item':
    case 'item-or-close':
      return atValue(scan)
    case 'key':
    case 'key-or-close':
      return atKey(scan)
    case 'colon':
      return atColon(scan)
    case 'comma-or-close':
      return atComma(scan)
    case 'end':
      return behindValue(scan)
  }
}

// Where a value must be.
//
//   {"city": "Tokyo"}
//            ^
function atValue(scan: Scan): JsonProblem | undefined {
  const { text, at } = scan
  const character = text.charAt(at)
  if (character === '{' || character === '[') {
    if (scan.open.length === deepest) {
      const message = localize`JSON nested more than ${deepest} levels deep is not checked`
      return problemAt('too-deep', { start: at, end: at + 1 }, message)
    }
    scan.open.push(at)
    return proceed(scan, at + 1, character === '{' ? 'key-or-close' : 'item-or-close')
  }
  if (character === ']' && scan.expectation === 'item-or-close') return close(scan)
  if (character === '"') return valueToken(scan, stringEnd(text, at))
  const afterSign = text.charCodeAt(at + 1)
  if (
    isDigit(text.charCodeAt(at)) ||
    ('-+.'.includes(character) && (isDigit(afterSign) || afterSign === 0x2e))
  ) {
    return valueToken(scan, numberEnd(text, at))
  }
  return atWord(scan) ?? undefined
}

function atWord(scan: Scan): JsonProblem | undefined {
  const { text, at } = scan
  const signless = '-+'.includes(text.charAt(at)) ? at + 1 : at
  const end = wordEnd(text, signless)
  const word = text.slice(signless, end)
  if (signless === at && (word === 'true' || word === 'false' || word === 'null'))
    return valueToken(scan, { end })
  const foreign = foreignWord(text, at, end, word)
  if (foreign) return foreign
  const isOutermost = scan.open.length === 0
  if (end > signless) return isOutermost ? prose(text, at) : unquotedString(text, at, end)
  return strayCharacter(scan) ?? (isOutermost ? prose(text, at) : unexpectedCharacter(text, at, 'a value'))
}

// Where a key must be.
//
//   {"city": "Tokyo", "days": 3}
//    ^                ^
function atKey(scan: Scan): JsonProblem | undefined {
  const { text, at } = scan
  const character = text.charAt(at)
  if (character === '}') return scan.expectation === 'key-or-close' ? close(scan) : trailingComma(scan)
  if (character === '"') {
    const { end, problem } = stringEnd(text, at)
    return problem ?? proceed(scan, end, 'colon')
  }
  const end = wordEnd(text, at)
  if (end > at) {
    const message = localize`The key \`${excerpt(text.slice(at, end))}\` needs double quotes`
    return problemAt('unquoted-key', { start: at, end }, message)
  }
  return strayCharacter(scan) ?? unexpectedCharacter(text, at, localize`a key in double quotes`)
}

function atColon(scan: Scan): JsonProblem | undefined {
  if (scan.text.charAt(scan.at) === ':') return proceed(scan, scan.at + 1, 'value')
  const end = commentEnd(scan.text, scan.at)
  if (end !== undefined) return comment(scan.at, end)
  return problemAt('missing-colon', scan.previous, localize`The key is missing \`:\` and a value`)
}

// After a value inside brackets.
//
//   {"city": "Tokyo", "days": [1, 2]}
//                   ^           ^  ^^
function atComma(scan: Scan): JsonProblem | undefined {
  const { text, at, previous } = scan
  const character = text.charAt(at)
  const isObject = text.charAt(innermost(scan)) === '{'
  if (character === ',') return proceed(scan, at + 1, isObject ? 'key' : 'item')
  if (character === (isObject ? '}' : ']')) return close(scan)
  if (character === '}' || character === ']') return mismatchedCloser(scan)
  const end = commentEnd(text, at)
  if (end !== undefined) return comment(at, end)
  if (isInvisible(text.charCodeAt(at))) return invisible(text, at)
  const isQuoteInside =
    text.charAt(previous.end - 1) === '"' && previous.end === at && isWordCharacter(text.charCodeAt(at))
  const wanted = localize`\`,\` or \`${isObject ? '}' : ']'}\``
  const message = isQuoteInside
    ? localize`Expected ${wanted}; a quote inside a string is written \`\\"\``
    : localize`Expected ${wanted} before \`${excerpt(characterAt(text, at))}\``
  return problemAt('missing-comma', { start: at, end: at + characterAt(text, at).length }, message)
}

// After the one value that a text may hold.
//
//   {"city": "Tokyo"} {"city": "Kyoto"}
//                     ^
function behindValue({ text, at }: Scan): JsonProblem {
  const character = text.charAt(at)
  if (character === '}' || character === ']') {
    return problemAt(
      'extra-closer',
      { start: at, end: at + 1 },
      localize`Unmatched \`${character}\` after the JSON value`,
    )
  }
  if (character === ',') {
    return problemAt(
      'unexpected-comma',
      { start: at, end: at + 1 },
      localize`Unexpected \`,\` after the JSON value`,
    )
  }
  if (text.startsWith('```', at)) return codeFence(text, at)
  const end = commentEnd(text, at)
  if (end !== undefined) return comment(at, end)
  if (isInvisible(text.charCodeAt(at))) return invisible(text, at)
  const rest = firstLine(text, at, text.length)
  if (beginsValue(text, at))
    return problemAt('second-value', rest, localize`Unexpected second JSON value; only one is allowed`)
  return problemAt('trailing-text', rest, localize`Text after the JSON value`)
}

function beginsValue(text: string, at: number): boolean {
  if ('{["-'.includes(text.charAt(at)) || isDigit(text.charCodeAt(at))) return true
  return ['true', 'false', 'null'].includes(text.slice(at, wordEnd(text, at)))
}

function atEndOfText({ text, open, expectation }: Scan): JsonProblem | undefined {
  if (expectation === 'end') return undefined
  const opener = open.at(-1)
  if (opener === undefined)
    return problemAt('empty', { start: 0, end: text.length }, localize`There is no JSON here`)
  const shown = 20 // more closing brackets than this help no one
  const bracket = text.charAt(opener)
  const what = bracket === '{' ? localize`an object` : localize`an array`
  const message =
    open.length <= shown
      ? localize`Unexpected end of JSON: ${what} is still open and \`${closersOf(text, open)}\` is missing`
      : localize`Unexpected end of JSON: ${what} is still open`
  const related = { range: { start: opener, end: opener + 1 }, message: localize`\`${bracket}\` opens here` }
  return { kind: 'unexpected-end', range: lastVisible(text), message, related }
}

function closersOf(text: string, open: readonly number[]): string {
  return open
    .map((offset) => (text.charAt(offset) === '{' ? '}' : ']'))
    .reverse()
    .join('')
}

/** The mistakes that look the same wherever a value or a key must be. */
function strayCharacter(scan: Scan): JsonProblem | undefined {
  const { text, at } = scan
  const character = text.charAt(at)
  if (text.startsWith('```', at)) return codeFence(text, at)
  const end = commentEnd(text, at)
  if (end !== undefined) return comment(at, end)
  const quotes = wrongQuotes(text, at)
  if (quotes) return quotes
  if (character === ',') return commaProblem(scan)
  if (character === '}' || character === ']') return closerProblem(scan)
  return isInvisible(text.charCodeAt(at)) ? invisible(text, at) : undefined
}

function commaProblem({ at, expectation }: Scan): JsonProblem {
  const range = { start: at, end: at + 1 }
  if (expectation === 'value')
    return problemAt('missing-value', range, localize`A value is missing before \`,\``)
  return problemAt('unexpected-comma', range, localize`Unexpected \`,\`: there is no value before it`)
}

function closerProblem(scan: Scan): JsonProblem {
  const { text, at, open, expectation } = scan
  const closer = text.charAt(at)
  if (open.length === 0)
    return problemAt('extra-closer', { start: at, end: at + 1 }, localize`Unmatched \`${closer}\``)
  if (closer !== closersOf(text, [innermost(scan)])) return mismatchedCloser(scan)
  if (expectation === 'item' || expectation === 'key') return trailingComma(scan)
  return problemAt(
    'missing-value',
    { start: at, end: at + 1 },
    localize`A value is missing before \`${closer}\``,
  )
}

function mismatchedCloser(scan: Scan): JsonProblem {
  const opener = innermost(scan)
  const bracket = scan.text.charAt(opener)
  const related = { range: { start: opener, end: opener + 1 }, message: localize`\`${bracket}\` opens here` }
  const range = { start: scan.at, end: scan.at + 1 }
  const message = localize`\`${scan.text.charAt(scan.at)}\` cannot close \`${bracket}\``
  return { kind: 'mismatched-closer', range, message, related }
}

function trailingComma({ text, at, previous }: Scan): JsonProblem {
  return problemAt(
    'trailing-comma',
    previous,
    localize`A \`,\` before \`${text.charAt(at)}\` is not allowed in JSON`,
  )
}

function valueToken(scan: Scan, { end, problem }: TokenEnd): JsonProblem | undefined {
  return problem ?? proceed(scan, end, afterValue(scan))
}

function close(scan: Scan): undefined {
  scan.open.pop()
  return proceed(scan, scan.at + 1, afterValue(scan))
}

function afterValue(scan: Scan): Expectation {
  return scan.open.length === 0 ? 'end' : 'comma-or-close'
}

function proceed(scan: Scan, end: number, expectation: Expectation): undefined {
  scan.previous = { start: scan.at, end }
  scan.at = end
  scan.expectation = expectation
}

/** The offset of the innermost open bracket. Only asked where one is open. */
function innermost(scan: Scan): number {
  return scan.open.at(-1) ?? 0
}
