/** Edits strings of JSON text in place: every escape and every part that is not edited stays as it is written. */
import { offsetInString } from '../embedded/json-string.ts'
import type { JsonNode } from '../embedded/json-tree.ts'
import { placeOfText } from '../text/text-place.ts'
import { isHigh, isLow, offsetsIn, shownText, type TextChange, textChanges } from './text-change.ts'

/** The JSON of `text`, a string, as the rest of a file writes strings. */
export type WriteString = (text: string) => string

/**
 * The JSON of each of `strings` that an edit from `before` to `after` changes; together they say `before`, or have it once.
 * Undefined if they do not, or if there is no string that a new text could go into.
 */
export function editedStrings(
  json: string,
  strings: readonly JsonNode[],
  { before, after }: { readonly before: string; readonly after: string },
  write: WriteString,
): ReadonlyMap<JsonNode, string> | undefined {
  const values = strings.map(({ value }) => String(value))
  const changes = changesIn(values, { before, after })
  if (!changes) return undefined
  return new Map(
    [...changes].map(([index, own]) => {
      const node = strings[index] as JsonNode // `changesIn` has indices of `values`
      return [node, changedString(json, node, own, write)]
    }),
  )
}

/**
 * What an edit from `before` to `after` changes in each of `values`, by their indices; together they say `before`, or have it
 * once. Undefined if they do not, or if there is none that a new text could go into.
 *
 * @param isFixed true for those that are not in the sample: a new text next to one does not go into it
 */
export function changesIn(
  values: readonly string[],
  { before, after }: { readonly before: string; readonly after: string },
  isFixed: (index: number) => boolean = () => false,
): ReadonlyMap<number, readonly TextChange[]> | undefined {
  const all = values.join('')
  const [shown, old] = [shownText(all), shownText(before)]
  const start = shown === old ? 0 : onlyPlace(shown, old)
  if (start === undefined || values.length === 0) return undefined
  const lineBreak = all.includes('\r\n') ? '\r\n' : all.includes('\r') && !all.includes('\n') ? '\r' : '\n'
  const offsetOf = offsetsIn(all)
  const changes = textChanges(old, shownText(after)).map(({ from, to, text }) => ({
    from: offsetOf(start + from),
    to: offsetOf(start + to),
    text: text.replaceAll('\n', lineBreak),
  }))
  const safe = changes.map((it) => apart(it, all))
  return shared(safe, values, isFixed)
}

/** An edit must not make one line break of two, nor one character of the halves of two. */
function apart(change: TextChange, all: string): TextChange {
  const { from, to, text } = change
  const next = text === '' ? all[to] : text[0]
  if (all[from - 1] === '\r' && next === '\n') return { from: from - 1, to, text: `\n${text}` }
  const isHalf = isHigh(all.charCodeAt(from - 1)) && isLow(all.charCodeAt(to))
  return isHalf && text === '' && to > from ? { from, to: to + 1, text: '\ufffd' } : change
}

function onlyPlace(text: string, part: string): number | undefined {
  const first = part === '' ? -1 : placeOfText(text, part)
  return first === -1 || placeOfText(text, part, first + 1) !== -1 ? undefined : first
}

/** `changes` of the joined `values` as changes of each: a new text goes into the first one that it touches and that can take it. */
function shared(
  changes: readonly TextChange[],
  values: readonly string[],
  isFixed: (index: number) => boolean,
): ReadonlyMap<number, readonly TextChange[]> {
  const result = new Map<number, TextChange[]>()
  const add = (index: number, change: TextChange) => {
    const own = result.get(index)
    if (own) own.push(change)
    else result.set(index, [change])
  }
  let index = 0
  let start = 0
  for (const { from, to, text } of changes) {
    const isInsertion = from === to
    // What is inserted between two goes to the first; what is removed, to those that have it.
    while (
      index < values.length - 1 &&
      (isInsertion && !isFixed(index) ? from > start + lengthOf(index) : from >= start + lengthOf(index))
    )
      start += lengthOf(index++)
    let left = text
    let at = from
    do {
      const end = Math.min(to, start + lengthOf(index))
      add(index, { from: at - start, to: end - start, text: left })
      left = ''
      at = end
      if (at < to) start += lengthOf(index++)
    } while (at < to && index < values.length)
  }
  return result

  function lengthOf(nth: number): number {
    return values[nth]?.length ?? 0
  }
}

/** The JSON of the string `node` after `changes` of its value, which are in order. */
export function changedString(
  json: string,
  { offset, length }: JsonNode,
  changes: readonly TextChange[],
  write: WriteString,
): string {
  let result = ''
  let copied = offset // of the JSON
  let [at, index] = [offset + 1, 0] // the same place in the JSON and in the value
  const moveTo = (target: number) => {
    at = offsetInString(json, at - 1, target - index)
    index = target
  }
  for (const { from, to, text } of changes) {
    moveTo(from)
    result += json.slice(copied, at) + write(text).slice(1, -1)
    moveTo(to)
    copied = at
  }
  return result + json.slice(copied, offset + length)
}
