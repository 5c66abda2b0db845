/** New cases: their names and values, and how they are put into a file of cases. */
import { yamlEdits } from '../embedded/yaml-edit.ts'
import { type JsonObject, type JsonValue, readMapping } from '../embedded/yaml-header.ts'
import { applyEdits } from '../rules/apply-fix.ts'
import { type Input, type InputType, misfitOf } from '../semantics/inputs.ts'
import type { Range, TextEdit } from '../text/range.ts'
import { largestCases } from './cases.ts'

const beginnings: Readonly<Record<InputType, JsonValue>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  object: {},
}

/** Values for a new case: for each input that needs one the first that is allowed, or an empty one. */
export function newCaseValues(inputs: readonly Input[]): JsonObject {
  const needed = inputs.filter(({ isRequired }) => isRequired)
  return Object.fromEntries(
    needed.map(({ name, type, values }) => [name, values?.[0] ?? beginnings[type ?? 'string']]),
  )
}

/** `name`, with a number after it if it is one of `taken`. */
export function freeCaseName(name: string, taken: readonly string[]): string {
  let free = name
  for (let number = 2; taken.includes(free); number++) free = `${name}-${number}`
  return free
}

/** The edits that add the case `name` to `text`, a file of cases; undefined if that cannot be read, or already has the case. */
export function caseEdits(text: string, name: string, values: JsonObject): readonly TextEdit[] | undefined {
  const before = readMapping(text, largestCases)
  if (!before.isEmpty && (!before.value || Object.hasOwn(before.value, name))) return undefined
  const edits = yamlEdits(before, { [name]: values })
  const after = edits && readMapping(applyEdits(text, edits), largestCases)
  const isRight =
    after?.problems.length === before.problems.length &&
    after.entries.length === before.entries.length + 1 &&
    JSON.stringify(after.value) === JSON.stringify({ ...before.value, [name]: values })
  return isRight ? edits : undefined
}

/** Where the first value of the case `name` is in `text`, a file of cases, without its quotes; else where the case is. */
export function firstValueRange(text: string, name: string): Range | undefined {
  const found = readMapping(text, largestCases).entries.find(({ key }) => String(key) === name)
  const value = found?.children[0]
  if (!value) return found?.range
  const { start, end } = value.valueRange
  const isQuoted = value.type === 'string' && `"'`.includes(text.charAt(start))
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end }
}

/** The values that a row of a dataset has for `inputs`: its columns of the same names, where they fit. */
export function valuesFromRow(inputs: readonly Input[], row: JsonObject): JsonObject {
  const columns = inputs.flatMap((input): readonly [string, JsonValue][] => {
    const value = Object.hasOwn(row, input.name) ? row[input.name] : undefined
    return value === undefined || misfitOf(input, value, input.name) ? [] : [[input.name, value]]
  })
  return Object.fromEntries(columns)
}
