/** Mistakes in JSON that are no matter of brackets and commas: text, comments, fences, quotes and words of other languages. */

import { localizable, localize, localized } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { firstLine } from './embedded-problem.ts'
import { codePoint, excerpt, isCurlyQuote, type JsonProblem, type JsonProblemKind } from './json-token.ts'

/** Words of other languages that are where JSON has a literal, with what JSON writes. */
const foreignWords: ReadonlyMap<string, string> = new Map([
  ['True', '`true`'],
  ['False', '`false`'],
  ['None', '`null`'],
  ['nil', '`null`'],
  ['NULL', '`null`'],
  ['TRUE', '`true`'],
  ['FALSE', '`false`'],
  ['undefined', localizable`\`null\`, or leave the key out`],
  ['NaN', localizable`\`null\` or a string`],
  ['Infinity', localizable`\`null\` or a string`],
])

/** A problem about the word `word` of another language, if it is one; a sign may be before it in `[start, end)`. */
export function foreignWord(text: string, start: number, end: number, word: string): JsonProblem | undefined {
  const replacement = foreignWords.get(word)
  if (!replacement) return undefined
  const message = localize`\`${text.slice(start, end)}\` is not JSON; write ${localized(replacement)}`
  return problemAt('foreign-word', { start, end }, message)
}

/** At text that lacks its quotes. */
export function unquotedString(text: string, start: number, end: number): JsonProblem {
  const message = localize`\`${excerpt(text.slice(start, end))}\` is not JSON; put text in double quotes`
  return problemAt('unquoted-string', { start, end }, message)
}

/** At text in the place of the JSON value: an explanation before it, or no JSON at all. */
export function prose(text: string, at: number): JsonProblem {
  const fence = text.indexOf('```', at)
  const opener = nearest(text.indexOf('{', at), text.indexOf('[', at))
  if (fence !== -1 && (opener === undefined || fence < opener)) {
    return problemAt(
      'leading-text',
      firstLine(text, at, fence),
      localize`Text before the JSON, which is in a code fence`,
    )
  }
  if (opener !== undefined && opener > at) {
    return problemAt('leading-text', firstLine(text, at, opener), localize`Text before the JSON`)
  }
  return problemAt('not-json', firstLine(text, at, text.length), localize`The text is not JSON`)
}

function nearest(first: number, second: number): number | undefined {
  if (first === -1) return second === -1 ? undefined : second
  return second === -1 ? first : Math.min(first, second)
}

/** At quotes that are not JSON's, or undefined. */
export function wrongQuotes(text: string, at: number): JsonProblem | undefined {
  const character = text.charAt(at)
  if (character !== "'" && character !== '`' && !isCurlyQuote(text.charCodeAt(at))) return undefined
  const shown = character === '`' ? "'" : character
  const message = localize`JSON strings and keys must be in double quotes, not in \`${shown}\``
  return problemAt('wrong-quotes', quoted(text, at), message)
}

/** From the quote at `start` to the quote that closes it on its line, or the quote alone. */
function quoted(text: string, start: number): Range {
  const opening = text.charAt(start)
  const line = firstLine(text, start, text.length)
  for (let at = start + 1; at < line.end; at++) {
    const isClosing =
      text.charAt(at) === opening || (isCurlyQuote(text.charCodeAt(at)) && opening !== "'" && opening !== '`')
    if (isClosing) return { start, end: at + 1 }
  }
  return { start, end: start + 1 }
}

/** At the backticks of a code fence. */
export function codeFence(text: string, at: number): JsonProblem {
  const range = firstLine(text, at, text.length)
  return problemAt('code-fence', range, localize`The JSON is in a Markdown code fence; remove the fence`)
}

/** At a comment. */
export function comment(start: number, end: number): JsonProblem {
  return problemAt('comment', { start, end }, localize`Comments are not allowed in JSON`)
}

/** At a character that looks like white space and is not. */
export function invisible(text: string, at: number): JsonProblem {
  const code = text.charCodeAt(at)
  const name =
    code === 0xfeff ? localize`A byte order mark` : localize`The invisible character ${codePoint(code)}`
  return problemAt(
    'invisible-character',
    { start: at, end: at + 1 },
    localize`${name} is not whitespace in JSON`,
  )
}

/** At a character that nothing explains. */
export function unexpectedCharacter(text: string, at: number, wanted: string): JsonProblem {
  const character = characterAt(text, at)
  const message = localize`Expected ${wanted} instead of \`${excerpt(character)}\``
  return problemAt('unexpected-character', { start: at, end: at + character.length }, message)
}

/** The character at `at`, both halves of a surrogate pair. */
export function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** A problem without a second place. */
export function problemAt(kind: JsonProblemKind, range: Range, message: string): JsonProblem {
  return { kind, range, message }
}
