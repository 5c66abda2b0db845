/** What a sample of a dataset holds: a line of a JSONL file, or an element of a JSON list. */

import type { JsonPlace } from '../conversation/conversation.ts'
import { field, isEmpty, isObject } from '../conversation/json-input.ts'
import { placesIn } from '../conversation/json-places.ts'
import { ConversionError, type Loss, LossList } from '../conversation/loss.ts'
import { mayRepeatKeys } from '../embedded/duplicate-json-keys.ts'
import { offsetInString, stringMember } from '../embedded/json-string.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { sessionForm } from '../forms/detect-form.ts'
import { fittingForm } from '../forms/form-registry.ts'
import { noteRepeatedKeys } from '../forms/json-source/repeated-keys.ts'
import { noteRoundedNumbers } from '../forms/json-source/rounded-numbers.ts'
import { sessionEntries } from '../forms/samples/agent-session.ts'
import { localize } from '../text/localize.ts'
import { readConversation } from './convert.ts'

/** The value of a sample that is written as `json`. @throws ConversionError with the offset of the mistake */
export function parseSample(json: string): JsonValue {
  try {
    return JSON.parse(json) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    const entries = sessionForm(json) === undefined ? undefined : sessionEntries(json)
    if (entries) return entries
    readConversation(json, { from: 'json' }) // which knows the place of the mistake
    throw new ConversionError(localize`This is not JSON`)
  }
}

/** Keys that nothing but messages may be under (F6). */
const refusedKeys = ['messages', 'conversations', 'conversation', 'input']

/** A conversation that a sample holds as text. */
export interface HeldText {
  readonly text: string
  /** Where it is: in the field `text`, or in a piece for each of `segments`, which say what is trained. */
  readonly pieces: readonly JsonPlace[]
}

/** The conversation of a sample that holds it as text, in `text` or `segments`; undefined for one that holds messages (F6, F24). */
export function sampleText(value: JsonValue): HeldText | undefined {
  if (!isObject(value) || refusedKeys.some((key) => !isEmpty(field(value, key)))) return undefined
  const found = typeof field(value, 'text') === 'string' ? textIn(value) : segmentsIn(value)
  return found && fittingForm(value) === undefined ? found : undefined
}

function textIn(value: JsonObject): HeldText {
  return { text: String(value.text), pieces: [{ parent: value, key: 'text' }] }
}

/** Texts that are joined: each of an object with `text`, or a string. */
function segmentsIn(value: JsonObject): HeldText | undefined {
  const list = field(value, 'segments')
  if (!Array.isArray(list) || list.length === 0) return undefined
  const segments: readonly JsonValue[] = list
  const pieces: JsonPlace[] = []
  let text = ''
  for (const [index, it] of segments.entries()) {
    const piece = isObject(it) ? field(it, 'text') : it
    if (typeof piece !== 'string') return undefined
    text += piece
    pieces.push(isObject(it) ? { parent: it, key: 'text' } : { parent: segments, key: index })
  }
  return { text, pieces }
}

/** The texts of the pieces of `text`. */
export function textsOf({ pieces }: HeldText): readonly string[] {
  return pieces.map(({ parent, key }) => String((parent as JsonObject)[key])) // of which each is a string
}

/**
 * Where the text of the sample that is written as `json` is in it: from offsets of UTF-16 code units in the text, to offsets in
 * `json`.
 */
export function sampleTextPlaces(
  json: string,
  value: JsonValue,
  text: HeldText,
): ((offset: number) => number) | undefined {
  const [first, ...others] = text.pieces
  if (others.length === 0 && first?.parent === value) {
    const start = stringMember(json, 'text')
    return start === undefined ? undefined : (offset) => offsetInString(json, start, offset)
  }
  const places = placesIn(json, value)
  const starts = text.pieces.map(({ parent, key }) => places.of(parent, key)?.start ?? 0)
  const lengths = textsOf(text).map(({ length }) => length)
  return (offset) => {
    let [index, left] = [0, offset]
    while (index < lengths.length - 1 && left >= (lengths[index] ?? 0)) left -= lengths[index++] ?? 0
    return offsetInString(json, starts[index] ?? 0, left)
  }
}

/** The keys that occur twice in an object of the sample that is written as `json`; reading its messages reports them too. */
export function repeatedKeys(json: string, value: JsonValue): readonly Loss[] {
  if (!mayRepeatKeys(json, value)) return []
  const losses = new LossList()
  noteRepeatedKeys(json, value, losses)
  return losses.all
}

/** The numbers of the sample that is written as `json` that are too large to be read exactly; reading its messages reports them too. */
export function roundedNumbers(json: string, value: JsonValue): readonly Loss[] {
  const losses = new LossList()
  noteRoundedNumbers(json, value, losses)
  return losses.all
}
