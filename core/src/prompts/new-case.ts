/** A case to fill in, as YAML. */
import { blockOf } from '../embedded/yaml-edit.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { type Input, type InputType, misfitOf } from '../semantics/inputs.ts'

const beginnings: Readonly<Record<InputType, JsonValue>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
}

/** The case `name`, with a value for each input that needs one: the first that fits, or an empty one. */
export function newCaseText(inputs: readonly Input[], name: string): string {
  const values: Record<string, JsonValue> = {}
  for (const { name: input, isRequired, type, values: allowed } of inputs) {
    if (isRequired) values[input] = allowed?.[0] ?? beginnings[type ?? 'string']
  }
  return caseText(name, values)
}

/** The case `name` with these values. */
export function caseText(name: string, values: JsonObject): string {
  return blockOf({ [name]: values })
}

/** The values that a row of a dataset has for `inputs`: its columns of the same names, where they fit. */
export function valuesFromRow(inputs: readonly Input[], row: JsonObject): JsonObject {
  const values: Record<string, JsonValue> = {}
  for (const input of inputs) {
    const value = Object.hasOwn(row, input.name) ? row[input.name] : undefined
    if (value !== undefined && misfitOf(input, value, input.name) === undefined) values[input.name] = value
  }
  return values
}
