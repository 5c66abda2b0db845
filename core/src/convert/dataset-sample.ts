/** What a sample of a dataset holds: a line of a JSONL file, or an element of a JSON list. */

import { parseJson } from '../conversation/json-input.ts'
import { placesIn } from '../conversation/json-places.ts'
import { type Loss, LossList } from '../conversation/loss.ts'
import { mayRepeatKeys } from '../embedded/duplicate-json-keys.ts'
import { offsetInString, stringMember } from '../embedded/json-string.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { sessionForm } from '../forms/detect-form.ts'
import { type HeldText, textsOf } from '../forms/held-text.ts'
import { noteRepeatedKeys } from '../forms/json-source/repeated-keys.ts'
import { noteRoundedNumbers } from '../forms/json-source/rounded-numbers.ts'
import { sessionEntries } from '../forms/samples/agent-session.ts'

/** The value of a sample that is written as `json`. @throws ConversionError with the offset of the mistake */
export function parseSample(json: string): JsonValue {
  try {
    return JSON.parse(json) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    const entries = sessionForm(json) === undefined ? undefined : sessionEntries(json)
    return entries ?? parseJson(json) // which knows the place of the mistake
  }
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
