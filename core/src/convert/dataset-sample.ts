/** What a sample of a dataset holds: a line of a JSONL file, or an element of a JSON list. */

import type { JsonValue } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import { readConversation } from './convert.ts'
import { ConversionError } from './loss.ts'

/** The value of a sample that is written as `json`. @throws ConversionError with the offset of the mistake */
export function parseSample(json: string): JsonValue {
  try {
    return JSON.parse(json) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    readConversation(json, { from: 'json' }) // which knows the place of the mistake
    throw new ConversionError(localize`This is not JSON`)
  }
}

/** The conversation of a sample that holds it as one text, in the field `text`; undefined for one that holds messages. */
export function sampleText(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const object = value as Readonly<Record<string, JsonValue>>
  if (Object.hasOwn(object, 'messages') || Object.hasOwn(object, 'input')) return undefined
  const text = Object.hasOwn(object, 'text') ? object.text : undefined
  return typeof text === 'string' ? text : undefined
}
