/** The columns that every dataset has (S5), and those that its samples bring along. */
import { isCallMessage } from '../conversation/conversation.ts'
import { isNameOfReasoning } from '../conversation/message-visibility.ts'
import { exactValue, numberText } from '../datasets/exact-json.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { isLarge } from '../forms/json-source/rounded-numbers.ts'
import { markupIn } from '../forms/samples/markup.ts'
import { tellingKeys } from '../forms/samples/sample-columns.ts'
import { localizable } from '../text/localize.ts'
import { perText, perValue } from '../text/memo.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { framings } from '../vocabulary/dialects.ts'
import { roleOf } from '../vocabulary/roles.ts'
import type { SampleView } from './sample-view.ts'

/** The value of a column for a sample; undefined if the sample has none. */
export type ColumnValue = string | number | boolean | readonly string[] | undefined

/** A column. */
export interface Column {
  readonly name: string
  /** One line for help and completion, to be `localized`. */
  readonly summary: string
  /** `texts` for lists of texts. Fields of samples may have values of other kinds. */
  readonly kind: 'number' | 'text' | 'texts'
  valueOf(sample: SampleView): ColumnValue
  /** The value that texts are compared with; an integer that reading rounds is the text of its digits. Absent if it is {@link valueOf} always. */
  exactOf?(sample: SampleView): ColumnValue
}

/** The columns of S5, in the order in which they are listed. */
export const standardColumns: readonly Column[] = [
  number('line', localizable`The line of the sample, or its place in a list from 0`, ({ place }) => place),
  text('form', localizable`The form of the sample, or \`broken\``, ({ form }) => form),
  number('messages', localizable`Messages of the transcript`, ({ messages }) => messages.length),
  number('turns', localizable`User messages that an answer follows`, turnsOf),
  number('chars', localizable`UTF-16 code units of all bodies`, charsOf),
  number('tokens', localizable`Tokens`, ({ tokens }) => tokens),
  number('calls', localizable`Tool calls`, ({ messages }) => messages.filter(isCallMessage).length),
  number('tools', localizable`Distinct names of tools that are called`, (sample) => calledTools(sample).size),
  number('errors', localizable`Problems that are errors`, (sample) => problemsOf(sample, 'error')),
  number('warnings', localizable`Problems that are warnings`, (sample) => problemsOf(sample, 'warning')),
  number('trained', localizable`Tokens that count in the loss, by a chat template`, ({ trained }) => trained),
  text('decision', localizable`The decision of the review`, ({ review }) => review?.decision),
  {
    name: 'labels',
    summary: localizable`The labels of the review`,
    kind: 'texts',
    valueOf: ({ review }) => review?.labels,
  },
  number('notes', localizable`Notes of the review`, ({ review }) => review?.notes),
]

const byName: ReadonlyMap<string, Column> = new Map(standardColumns.map((it) => [it.name, it]))

/** The column named `name`: a standard one, or the field of samples at that dotted path. */
export function columnNamed(name: string): Column {
  return byName.get(name) ?? fieldColumn(name)
}

/** As {@link columnNamed}, for what lists values: none of a field that may hold text of the conversation. */
export function listedColumn(name: string): Column {
  const column = columnNamed(name)
  if (isStandardColumn(name)) return column
  const isListed = ({ value, mapping }: SampleView) =>
    isSideField(name, mapping) && isSideValue(fieldAt(value, name))
  return {
    ...column,
    valueOf: (sample) => (isListed(sample) ? column.valueOf(sample) : undefined),
    exactOf: (sample) => (isListed(sample) ? exactValueOf(column, sample) : undefined),
  }
}

/** The value of a column for a sample, in which no integer is rounded. */
export function exactValueOf(column: Column, sample: SampleView): ColumnValue {
  return column.exactOf ? column.exactOf(sample) : column.valueOf(sample)
}

/** True for the name of a column that every dataset has. */
export function isStandardColumn(name: string): boolean {
  return byName.has(name)
}

/** The names of the tools that a sample calls, without `functions.`. */
export function calledTools({ messages }: SampleView): ReadonlySet<string> {
  const names = messages.filter(isCallMessage).map(({ to = '' }) => to.replace(/^functions\./, ''))
  return new Set(names)
}

/** The value of the field at a dotted path. A key that contains dots itself is found as well. */
export function fieldAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const object = value as Readonly<Record<string, JsonValue>>
  if (Object.hasOwn(object, path)) return object[path]
  const dot = path.indexOf('.')
  if (dot < 0) return undefined
  const key = path.slice(0, dot)
  return Object.hasOwn(object, key) ? fieldAt(object[key], path.slice(dot + 1)) : undefined
}

/** Words in names of fields that are text of a conversation, which may be hidden. */
const textWord =
  /text|content|message|response|answer|reason|think|thought|rationale|trace|scratch|analysis|commentary|monolog|deliberat|solution|explanation|justification|critique|observation|^(?:instructions|developer|tool_?calls?|function_?calls?|arguments)$|(?:sys(?:tem)?|developer)_?prompt|tool_?(?:output|result|repl)/i

/** Words of names of what a model or a tool wrote, in snake case or camel case, unless another word of the name says that it is a measure of that. */
const writtenWord = /^(?:outputs?|completions?|trajector(?:y|ies)|steps|documents)$/
const measureWord = /^(?:n|num|number|count|total|ids?|type|format|tokens?|length|len|score|time|cost)$/

/** As a part of a name in camel case; apart from other letters it is a word. */
const chainOfThought = /CoT(?![a-z])/

/**
 * True for a field that describes a sample, by its dotted path. What may hold text of its conversation does not, so its values are not
 * listed: neither what is called so, nor what `mapping` reads as a part of the conversation.
 */
export function isSideField(path: string, mapping?: DatasetMapping): boolean {
  if (!describes(path)) return false
  const { kto_tag: _, ...read } = mapping?.columns ?? {}
  return !Object.values(read).includes(path) && (!path.includes('.') || path.split('.').every(describes))
}

// Asked for each field of each sample.
const describes = perText(
  (name) =>
    !tellingKeys.includes(name) &&
    !textWord.test(name) &&
    !chainOfThought.test(name) &&
    !isNameOfWritten(name) &&
    !isNameOfReasoning(name),
  { texts: 1000, length: 50_000 },
)

function isNameOfWritten(name: string): boolean {
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
  return words.some((it) => writtenWord.test(it)) && !words.some((it) => measureWord.test(it))
}

/**
 * False for a value of a field that was a part of a conversation, whatever the field is called: it has control tokens, private blocks,
 * tags of reasoning, or headers of Harmony that have lost their tokens.
 */
export function isSideValue(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.every((it: JsonValue) => typeof it !== 'string' || isSideText(it))
  return typeof value !== 'string' || isSideText(value)
}

function isSideText(value: string): boolean {
  const text = value.length > lookedAt ? value.slice(0, lookedAt) : value
  const hasTokens = text.includes('<|') && controlTokens.some((it) => text.includes(it))
  return !hasTokens && markupIn(text) === undefined
}

const lookedAt = 10_000 // UTF-16 code units: what a model wrote begins with such marks, and samples have large fields
const controlTokens = [...new Set(framings.flatMap(({ tokens }) => tokens.map(({ text }) => text)))]

function fieldColumn(path: string): Column {
  return {
    name: path,
    summary: '',
    kind: 'text',
    valueOf: (sample) => {
      const field = fieldAt(sample.value, path)
      return Array.isArray(field) ? exactField(sample, path) : plainValue(field)
    },
    exactOf: (sample) => exactField(sample, path),
  }
}

/** The field at `path`, with the digits of integers that are rounded in the value of the sample. */
function exactField(sample: SampleView, path: string): ColumnValue {
  const field = fieldAt(sample.value, path)
  const isExact = Array.isArray(field) ? !field.some(isRounded) : !isRounded(field)
  const exact = (isExact ? undefined : fieldAt(exactSample(sample), path)) ?? field
  if (!Array.isArray(exact)) return plainValue(exact)
  return exact.flatMap((it: JsonValue) => {
    const value = plainValue(it)
    return value === undefined ? [] : [String(value)]
  })
}

function isRounded(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && isLarge(value)
}

const exactSample = perValue(({ source }: SampleView) => exactValue(source))

function plainValue(field: JsonValue | undefined): Exclude<ColumnValue, readonly string[]> {
  const digits = numberText(field)
  if (digits !== undefined) return /^-?\d+$/.test(digits) ? digits : Number(digits)
  return typeof field === 'object' ? undefined : field
}

function number(name: string, summary: string, of: (sample: SampleView) => number | undefined): Column {
  return { name, summary, kind: 'number', valueOf: of }
}

function text(name: string, summary: string, of: Column['valueOf']): Column {
  return { name, summary, kind: 'text', valueOf: of }
}

function turnsOf({ messages }: SampleView): number {
  let turns = 0
  let isAsked = false
  for (const message of messages) {
    const role = roleOf(message.role)
    if (role === 'user') isAsked = true
    else if (role === 'assistant' && isAsked) {
      turns++
      isAsked = false
    }
  }
  return turns
}

function charsOf({ messages }: SampleView): number {
  let length = 0
  for (const { content } of messages) for (const part of content) length += part.text.length
  return length
}

function problemsOf({ problems }: SampleView, severity: string): number {
  return problems.filter((it) => it.severity === severity).length
}
