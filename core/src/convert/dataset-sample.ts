/** What a sample of a dataset holds: a line of a JSONL file, or an element of a JSON list. */

import { ConversionError, type Loss, LossList } from '../conversation/loss.ts'
import { mayRepeatKeys } from '../embedded/duplicate-json-keys.ts'
import { offsetInString, stringMember } from '../embedded/json-string.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
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

/** The conversation of a sample that holds it as one text, in the field `text`; undefined for one that holds messages. */
export function sampleText(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const object = value as Readonly<Record<string, JsonValue>>
  const text = Object.hasOwn(object, 'text') ? object.text : undefined
  if (typeof text !== 'string' || refusedKeys.some((key) => Object.hasOwn(object, key))) return undefined
  return fittingForm(value) === undefined ? text : undefined
}

/**
 * Where the text of the sample that is written as `json` stands in it: from offsets of UTF-16 code units in the text, to offsets
 * in `json`. Undefined for a sample without text.
 */
export function sampleTextPlaces(json: string): ((offset: number) => number) | undefined {
  const start = stringMember(json, 'text')
  return start === undefined ? undefined : (offset) => offsetInString(json, start, offset)
}

/** The keys that stand twice in an object of the sample that is written as `json`; reading its messages tells them too. */
export function repeatedKeys(json: string, value: JsonValue): readonly Loss[] {
  if (!mayRepeatKeys(json, value)) return []
  const losses = new LossList()
  noteRepeatedKeys(json, value, losses)
  return losses.all
}

/** The numbers of the sample that is written as `json` that are too large to be read exactly; reading its messages tells them too. */
export function roundedNumbers(json: string, value: JsonValue): readonly Loss[] {
  const losses = new LossList()
  noteRoundedNumbers(json, value, losses)
  return losses.all
}
