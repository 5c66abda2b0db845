/** How many values JSON may have to be looked at in detail: a value takes up to 64 bytes of memory, and two characters of text. */

import { localize } from '../text/localize.ts'
import { isWhiteSpace } from './embedded-problem.ts'
import { stringClose } from './json-string.ts'
import type { JsonProblem } from './json-token.ts'

/** Values of one text that are read into memory, keys included. No arguments of a tool come near it. */
export const jsonValuesAtMost = 1_000_000

/** UTF-16 code units of a text of many values that are read: each keystroke in it reads them all. */
export const longestJson = 4_000_000

/** That `text` is too long, or has more than {@link jsonValuesAtMost} values; undefined if it is neither. Long strings may be longer. */
export function sizeProblem(text: string): JsonProblem | undefined {
  if (text.length <= jsonValuesAtMost || !hasManySeparators(text)) return undefined
  if (text.length > longestJson) return tooLong()
  return hasMoreValues(text) ? tooManyValues() : undefined
}

function tooLong(): JsonProblem {
  const message = localize`JSON of more than ${longestJson} characters is not examined`
  return { kind: 'too-deep', range: { start: 0, end: 1 }, message }
}

/** What is said of a text with too many values. */
export function tooManyValues(): JsonProblem {
  const message = localize`JSON of more than ${jsonValuesAtMost} values is not examined`
  return { kind: 'too-deep', range: { start: 0, end: 1 }, message }
}

/**
 * A quick look, left to the engine where there is little to find, as in long strings: JSON has no more values than commas,
 * colons, and opening brackets, and one. Text that is not JSON may have more, but its reading ends at the first value too many.
 */
function hasManySeparators(text: string): boolean {
  let separators = 0
  for (const separator of ',:[{') {
    for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
      if (++separators > manySeparators) return true
    }
  }
  return false
}

const manySeparators = 20_000 // far fewer than values are allowed: each one found takes a call

/** Counts strings, words, numbers and brackets that open. One pass, without memory. */
function hasMoreValues(text: string): boolean {
  let values = 0
  let isInWord = false
  for (let at = 0; at < text.length && values <= jsonValuesAtMost; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      values++
      isInWord = false
      at = stringClose(text, at)
    } else if (code === openBrace || code === openBracket) {
      values++
      isInWord = false
    } else if (isWhiteSpace(code) || code === comma || code === colon || isCloser(code)) {
      isInWord = false
    } else if (!isInWord) {
      values++
      isInWord = true
    }
  }
  return values > jsonValuesAtMost
}

function isCloser(code: number): boolean {
  return code === closeBrace || code === closeBracket
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
