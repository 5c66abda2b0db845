/** Edits words of tool definitions: a message shows them as TypeScript, and the sample has them as JSON. */
import type { JsonPlace } from '../conversation/conversation.ts'
import { field, isObject, isTooDeep } from '../conversation/json-input.ts'
import { shownTools, toolKeys, toolList } from '../embedded/request-tools.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { placeOfText } from '../text/text-place.ts'
import type { JsonEdits } from './json-edits.ts'
import { shownText, type TextChange, textChanges } from './text-change.ts'

const deepest = 200 // levels of a sample; this file recurses
const mostChanges = 100 // each is looked for in all strings

/**
 * Replaces the words that an edit from `before` to `after` replaces, wherever the tools have them that `before` shows in `value`.
 * False if the edit is more than that. Whether the tools are shown as `after` then is for the caller to see.
 */
export function editToolWords(
  edits: JsonEdits,
  value: JsonValue,
  { before, after }: { readonly before: string; readonly after: string },
): boolean {
  const changes = textChanges(before, after)
  const words = new Map(changes.map(({ from, to, text }) => [before.slice(from, to), text]))
  const isOfWords = changes.every(({ from, to, text }) => {
    return to > from && words.get(before.slice(from, to)) === text
  })
  if (!isOfWords || words.size > mostChanges || isTooDeep(value, deepest)) return false
  return [...toolPlaces(value, before)].every((place) => {
    return [...stringPlaces(place)].every(({ text, ...it }) => edits.change(it, replacements(text, words)))
  })
}

/** Where the tools are that `shown` shows. */
function* toolPlaces(value: JsonValue, shown: string): Iterable<JsonPlace> {
  if (isObject(value)) {
    const { requestTools } = shownTools(toolList(value))
    if (requestTools && shownText(requestTools.body) === shown) {
      for (const key of toolKeys) if (field(value, key) !== undefined) yield { parent: value, key }
      return
    }
  }
  if (typeof value !== 'object' || value === null) return
  for (const it of Object.values(value)) yield* toolPlaces(it as JsonValue, shown)
}

function* stringPlaces(place: JsonPlace): Iterable<JsonPlace & { readonly text: string }> {
  const { parent, key } = place
  const value = (parent as JsonObject)[key]
  if (typeof value === 'string') yield { ...place, text: value }
  if (typeof value !== 'object' || value === null) return
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
  for (const it of keys) yield* stringPlaces({ parent: value, key: it })
}

/** The places of `words` in `text`, in order, not overlapping. */
function replacements(text: string, words: ReadonlyMap<string, string>): readonly TextChange[] {
  const found = [...words].flatMap(([old, next]) => {
    const changes: TextChange[] = []
    for (let from = placeOfText(text, old); from !== -1; from = placeOfText(text, old, from + old.length))
      changes.push({ from, to: from + old.length, text: next })
    return changes
  })
  let end = 0
  return found
    .sort((one, other) => one.from - other.from || other.to - one.to)
    .filter(({ from, to }) => {
      if (from < end) return false
      end = to
      return true
    })
}
