/** Lists and mappings in brackets, read tolerantly: what is at an offset in `["browser", ` and the like. */

import type { Range } from '../text/range.ts'
import type { HeaderPath } from './yaml-header.ts'

/** What an offset inside brackets is about. */
export interface FlowPlace {
  /** From the value with the brackets to the list, mapping or key that the offset is in. */
  readonly path: HeaderPath
  /** `value` also for items of lists. */
  readonly position: 'key' | 'value'
  /** The word at the offset; empty between words. */
  readonly range: Range
  readonly isInList: boolean
  /** Keys of the same mapping, or items of the same list, without quotes and without the word at the offset. */
  readonly siblings: readonly string[]
}

/** A word or quoted string inside brackets. */
interface FlowWord extends Range {
  isKey: boolean
}

/** An open bracket. */
interface Frame {
  readonly opener: string
  readonly words: FlowWord[]
  /** The key whose value is being written. */
  key: string | undefined
}

/** A step through a bracketed value: called before the character or word at `at` is taken in. */
type Visit = (frames: readonly Frame[], at: number, end: number) => void

/**
 * The end of the bracketed value that opens at `start`; where no bracket closes it, the end of the last line that is
 * indented more than `column`, the column of the key in front of it.
 */
export function flowEnd(text: string, start: number, column: number): number {
  return scanFlow(text, { start, column }, () => {})
}

/** What is at `offset` in the value that opens with a bracket at `start`, before `offset`. */
export function flowPlace(
  text: string,
  start: number,
  column: number,
  offset: number,
): FlowPlace | undefined {
  let frame: Frame | undefined
  let path: HeaderPath = []
  let key: string | undefined
  let range: Range = { start: offset, end: offset }
  const end = scanFlow(text, { start, column, cursor: offset }, (frames, at, wordEnd) => {
    const isPast = at >= offset
    const isWordAt = at < wordEnd && at <= offset && offset <= wordEnd
    if (frame || !(isPast || isWordAt)) return
    frame = frames.at(-1)
    path = pathOf(frames)
    key = frame?.key
    if (isWordAt) range = { start: at, end: wordEnd }
  })
  if (!frame || (offset > end - 1 && isClosed(text, end))) return undefined
  const isInList = frame.opener === '['
  const isKey = !isInList && key === undefined
  const siblings = frame.words
    .filter((word) => (isInList || word.isKey) && word.start !== range.start)
    .map((word) => withoutQuotes(text.slice(word.start, word.end)))
  return { path, position: isKey ? 'key' : 'value', range, isInList, siblings }
}

function isClosed(text: string, end: number): boolean {
  return text.charAt(end - 1) === ']' || text.charAt(end - 1) === '}'
}

function pathOf(frames: readonly Frame[]): HeaderPath {
  const path: (string | number)[] = []
  for (const [index, { opener, key }] of frames.entries()) {
    if (opener === '[') path.push(0)
    else if (key !== undefined) path.push(key)
    else if (index < frames.length - 1) path.push('')
  }
  return path
}

/**
 * The end of the word at `offset`, for a word that ends at `end` if its quote is closed. A quote that has just been
 * typed swallows what follows, so where separators follow the cursor, the word ends at the first.
 */
function endAtCursor(text: string, offset: number, end: number): number {
  let at = offset
  while (at < end && !' \t\r\n,]}"\''.includes(text.charAt(at))) at++
  return ',]}'.includes(text.charAt(at)) ? at : end
}

/** What to scan. */
interface FlowScan {
  /** The offset of the first bracket. */
  readonly start: number
  /** The column of the key in front of it. */
  readonly column: number
  /** Where the writer is, if that matters. */
  readonly cursor?: number
}

function scanFlow(text: string, { start, column, cursor = -1 }: FlowScan, visit: Visit): number {
  const frames: Frame[] = []
  let at = start
  while (at < text.length) {
    const character = text.charAt(at)
    if (isLineBreak(character) && !isContinued(text, at, column)) break
    if (character === '#' && ' \t\r\n'.includes(text.charAt(at - 1))) at = lineEndOf(text, at)
    else if (isLineBreak(character) || character === ' ' || character === '\t') at++
    else {
      const whole = '[]{},:'.includes(character) ? at : wordEnd(text, at)
      const end = at < cursor && cursor < whole ? endAtCursor(text, cursor, whole) : whole
      visit(frames, at, end)
      at = end > at ? addWord(frames, at, end) : punctuation(text, frames, at)
      if (frames.length === 0) return at
    }
  }
  visit(frames, text.length, text.length)
  return at
}

function addWord(frames: readonly Frame[], start: number, end: number): number {
  frames.at(-1)?.words.push({ start, end, isKey: false })
  return end
}

function punctuation(text: string, frames: Frame[], at: number): number {
  const character = text.charAt(at)
  const frame = frames.at(-1)
  if (character === '[' || character === '{') frames.push({ opener: character, words: [], key: undefined })
  else if (character === ']' || character === '}') frames.pop()
  else if (frame && character === ',') frame.key = undefined
  else if (frame && frame.opener === '{') nameKey(text, frame)
  return at + 1
}

/** At a colon: the last word is a key. */
function nameKey(text: string, frame: Frame): void {
  const word = frame.words.at(-1)
  if (!word || frame.key !== undefined) return
  word.isKey = true
  frame.key = withoutQuotes(text.slice(word.start, word.end))
}

/** The end of the quoted string or plain word at `start`. Unclosed quotes end with their line. */
function wordEnd(text: string, start: number): number {
  const quote = text.charAt(start)
  const isQuoted = quote === '"' || quote === "'"
  let at = start + 1
  for (; at < text.length; at++) {
    const character = text.charAt(at)
    if (isLineBreak(character)) break
    if (isQuoted && character === quote) return at + 1
    if (isQuoted) continue
    if (' \t,[]{}'.includes(character)) break
    if (character === ':' && ' \t\r\n,]}'.includes(text.charAt(at + 1))) break
  }
  return at
}

/** True if the line after the line break at `at` still belongs to the brackets: blank, indented or a closer. */
function isContinued(text: string, at: number, column: number): boolean {
  let next = text.startsWith('\r\n', at) ? at + 2 : at + 1
  const lineStart = next
  while (text.charAt(next) === ' ' || text.charAt(next) === '\t') next++
  const first = text.charAt(next)
  if (isLineBreak(first) || first === ']' || first === '}') return true
  return first !== '' && next - lineStart > column
}

function lineEndOf(text: string, start: number): number {
  let at = start
  while (at < text.length && !isLineBreak(text.charAt(at))) at++
  return at
}

function isLineBreak(character: string): boolean {
  return character === '\n' || character === '\r'
}

/** `word` without the quotes around it, of which the closing one may be missing. */
export function withoutQuotes(word: string): string {
  const quote = word.charAt(0)
  if (quote !== '"' && quote !== "'") return word
  return word.endsWith(quote) && word.length > 1 ? word.slice(1, -1) : word.slice(1)
}
