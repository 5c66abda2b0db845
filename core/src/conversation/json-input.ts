/** Reads JSON that anyone may have written: shapes are checked, never assumed; places of mistakes are reported. */

import { jsonProblem } from '../embedded/json-diagnosis.ts'
import { field, isObject, isTooDeep } from '../embedded/json-value.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import type { JsonPlace, MessageOrigin } from '../semantics/message.ts'
import { localize } from '../text/localize.ts'
import { shortened } from '../text/shortened.ts'
import type { LossList } from './loss.ts'
import { ConversionError } from './loss.ts'

export { field, isObject, isTooDeep }

/** A value of another type than expected: `key` of `parent`, or `parent` itself. The caller, who has the text, can find its place. */
export class ShapeError extends ConversionError {
  readonly parent: object
  readonly key: string | number | undefined

  constructor(message: string, parent: object, key?: string | number) {
    super(message)
    this.parent = parent
    this.key = key
  }
}

/** The value of `text`. @throws ConversionError with the place of the mistake */
export function parseJson(text: string): JsonValue {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  let value: JsonValue
  try {
    value = JSON.parse(body) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    const problem = jsonProblem(body)
    const offset = problem && problem.range.start + text.length - body.length
    throw new ConversionError(problem?.message ?? localize`This is not JSON`, offset)
  }
  return value
}

/** A field with a text; undefined for null and absence. @throws ShapeError for another type */
export function textField(object: JsonObject, key: string, where: string): string | undefined {
  const value = field(object, key)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string')
    throw new ShapeError(localize`${where}: \`${key}\` is ${nameOf(value)}, not a string`, object, key)
  return value
}

/** A field with a list; empty for null and absence. @throws ShapeError for another type */
export function listField(object: JsonObject, key: string, where: string): readonly JsonValue[] {
  const value = field(object, key)
  if (value === undefined || value === null) return []
  if (!Array.isArray(value))
    throw new ShapeError(localize`${where}: \`${key}\` is ${nameOf(value)}, not a list`, object, key)
  return value
}

/** `value` if it is an object. @throws ConversionError otherwise */
export function objectIn(value: JsonValue | undefined, where: string): JsonObject {
  if (isObject(value)) return value
  throw new ConversionError(localize`${where} is ${nameOf(value)}, not an object`)
}

/** The object at `key` of `parent`. @throws ShapeError if there is another value */
export function objectAt(
  parent: JsonObject | readonly JsonValue[],
  key: string | number,
  where: string,
): JsonObject {
  const value =
    typeof key === 'number' ? (parent as readonly JsonValue[])[key] : field(parent as JsonObject, key)
  if (isObject(value)) return value
  throw new ShapeError(localize`${where} is ${nameOf(value)}, not an object`, parent, key)
}

/** True for what says nothing: neither column nor side field (F1). */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Notes the fields of `object` that are not in `known`: they have no place in a transcript. Null and empty lists say nothing. */
export function noteUnknownFields(
  object: JsonObject,
  known: ReadonlySet<string>,
  where: string,
  losses: LossList,
): void {
  for (const key of Object.keys(object)) {
    const value = object[key]
    if (known.has(key) || value === undefined || value === null) continue
    if (Array.isArray(value) && value.length === 0) continue
    losses.addAt(
      'field',
      localize`${where}: a transcript cannot contain \`${shortened(key, 80)}\``,
      object,
      key,
    )
  }
}

/** The type of a value as people call it. */
export function nameOf(value: JsonValue | undefined): string {
  if (value === undefined) return localize`missing`
  if (value === null) return 'null'
  if (Array.isArray(value)) return localize`a list`
  switch (typeof value) {
    case 'object':
      return localize`an object`
    case 'string':
      return localize`a string`
    case 'number':
      return localize`a number`
    default:
      return localize`a boolean`
  }
}

/** The object whose training flags are about the message that was read from `origin`; undefined if there is none. */
export function flaggedObject({ item, pair }: MessageOrigin): JsonObject | undefined {
  const place = item ?? pair
  return place && objectAtPlace(place)
}

/** The object at a place of the JSON that a conversation was read from; undefined if another value is there. */
export function objectAtPlace({ parent, key }: JsonPlace): JsonObject | undefined {
  const value = (parent as Readonly<Record<string | number, JsonValue>>)[key]
  return isObject(value) ? (value as JsonObject) : undefined
}
