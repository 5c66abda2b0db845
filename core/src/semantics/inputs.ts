/**
 * What the header declares under `inputs`: the values that a prompt is filled with. One reader for rules, features, and filling.
 */

import { isReserved } from '../embedded/jinja-scope.ts'
import { isObject } from '../embedded/json-value.ts'
import { type HeaderEntry, type JsonValue, valueAt, type YamlHeader } from '../embedded/yaml-header.ts'
import { inBackticks } from '../text/in-backticks.ts'
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import { shortened } from '../text/shortened.ts'

/** The types of values, as JSON Schema names them. */
const inputTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const

/** A type of values. */
export type InputType = (typeof inputTypes)[number]

/** The key of the header that declares inputs. */
export const inputsKey = 'inputs'
/** The key of the header that has cases. */
export const casesKey = 'cases'

/** An input. */
export interface Input {
  readonly name: string
  /** Undefined if any value fits. */
  readonly type: InputType | undefined
  readonly description: string | undefined
  /** The value where a case gives none; undefined if there is none. */
  readonly default: JsonValue | undefined
  /** False if a case may leave it out: it has a default, or says `required: false`. */
  readonly isRequired: boolean
  /** The only values that fit; undefined if all of the type do. */
  readonly values: readonly JsonValue[] | undefined
  /** Where it is declared. */
  readonly entry: HeaderEntry
}

/** The inputs that `header` declares, in order; undefined without the key. A key that appears twice counts once. */
export const inputsOf = perValue((header: YamlHeader): readonly Input[] | undefined => {
  const declared = header.value && valueAt(header, [inputsKey])
  if (!declared || (declared.type !== 'object' && declared.type !== 'null')) return undefined
  const inputs = new Map<string, Input>()
  for (const entry of declared.children) {
    const name = String(entry.key)
    if (!inputs.has(name)) inputs.set(name, inputIn(name, entry))
  }
  return [...inputs.values()]
})

function inputIn(name: string, entry: HeaderEntry): Input {
  const says = isObject(entry.value) ? entry.value : {}
  const type = inputTypes.find((it) => it === says.type)
  const hasDefault = says.default !== undefined
  return {
    name,
    type,
    description: typeof says.description === 'string' ? says.description : undefined,
    default: says.default,
    isRequired: !hasDefault && says.required !== false,
    values: Array.isArray(says.values) ? says.values : undefined,
    entry,
  }
}

/** True if a template can name it: a word of letters, digits, and `_` that Jinja has no other use for. */
export function isInputName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u.test(name) && !isReserved(name)
}

/** True if it can be part of the name of a file: letters, digits, `_`, `-`, and spaces between them. */
export function isCaseName(name: string): boolean {
  return /^[\p{L}\p{N}_-](?:[\p{L}\p{N}_ -]{0,62}[\p{L}\p{N}_-])?$/u.test(name)
}

/** Why `value`, which the sentence calls `name`, does not fit `input`; undefined if it fits. */
export function misfitOf({ type, values }: Input, value: JsonValue, name: string): string | undefined {
  if ((type === 'integer' || type === 'number') && isTooLong(value))
    return localize`${name} is too large to be read exactly; put it in quotes, and declare the input with \`type: string\``
  if (type !== undefined && !isOfType(value, type))
    return localize`${name} must be ${withArticle(type)}, not ${withArticle(typeOf(value))}`
  if (values && !isAmong(values, value))
    return localize`${name} must be one of ${values
      .slice(0, 10)
      .map((it) => inBackticks(shownValue(it)))
      .join(', ')}`
  return undefined
}

/** The strings among the values that fit `input`. */
export const stringsOf = perValue(({ values = [] }: Input): readonly string[] =>
  values.filter((it) => typeof it === 'string'),
)

/** True for a string that is written as it is in a template: in a body, and between quotes of either kind. */
export function isPlainString(value: string): boolean {
  return /^[^"'\\<\r\n]{0,80}$/.test(value)
}

/** True for the text of an integer that would be rounded if it were read as a number. */
function isTooLong(value: JsonValue): boolean {
  return typeof value === 'string' && /^[-+]?\d+$/.test(value) && !Number.isSafeInteger(Number(value))
}

function isOfType(value: JsonValue, type: InputType): boolean {
  const actual = typeOf(value)
  return actual === type || (type === 'number' && actual === 'integer')
}

function typeOf(value: JsonValue): InputType | 'null' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  const type = typeof value
  return type === 'string' || type === 'boolean' ? type : 'object'
}

function withArticle(type: InputType | 'null'): string {
  if (type === 'null') return '`null`'
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}

function isAmong(values: readonly JsonValue[], value: JsonValue): boolean {
  return writtenOut(values).has(keyOf(value))
}

const writtenOut = perValue((values: readonly JsonValue[]): ReadonlySet<string> => new Set(values.map(keyOf)))

/** Equal for equal values only. */
function keyOf(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : `${typeof value} ${value}`
}

const longestShown = 40 // code units; fits a line of a list of problems

/** A value in one line. */
export function shownValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return shortened(text.replace(/\s+/g, ' '), longestShown)
}

/** Why an input cannot get a name. */
export function nameTaken(): string {
  return localize`An input or a variable of a template already has this name`
}

/** Why the input `name` cannot get another name. */
export function usesUnknown(name: string): string {
  return localize`A template cannot be read to its end, so not every use of \`${name}\` is known`
}
