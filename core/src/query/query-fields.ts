/** The fields of the query language (S7): one entry each. Any other name is a column. */
import type { JsonValue } from '../embedded/yaml-header.ts'
import { sourceForms } from '../forms/form-registry.ts'
import { closestWord } from '../rules/closest-word.ts'
import { localizable, localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import { conflict, decisions } from '../vocabulary/decisions.ts'
import {
  type ColumnValue,
  calledTools,
  columnNamed,
  exactValueOf,
  isStandardColumn,
} from './dataset-columns.ts'
import { type NeededWords, wordsNeededFor } from './needed-words.ts'
import { isInRange, type TermValue, type ValueTest } from './query.ts'
import type { SampleReview, SampleText, SampleView } from './sample-view.ts'
import { type TextPattern, textPattern, wildcardMatcher } from './text-pattern.ts'

/** True for a sample that meets a condition. */
export type SampleTest = (sample: SampleView) => boolean

/** What a term means. */
export interface TermMeaning {
  readonly test: SampleTest
  /** Set if the term is about the values of a column only. */
  readonly ofColumn?: { readonly name: string; readonly test: ValueTest }
  /** Words of which the bytes of a sample that matches have at least one; absent if that is not known. */
  readonly needs?: NeededWords
  /** Set if the term is about names, such as those of problems: true for a name that it wants. */
  readonly wants?: (name: string) => boolean
  /** What the term looks for in texts, and in which. */
  readonly looksFor?: { readonly pattern: TextPattern; isIn(text: SampleText): boolean }
}

/** A field of the language. */
export interface QueryField {
  readonly name: string
  /** One line for help and completion, to be `localized`. */
  readonly summary: string
  /** The values that it can have; absent if it takes any. */
  readonly values?: readonly string[]
  /** The meaning of a term with this field, or why it has none. */
  meaningOf(value: TermValue, known: KnownNames): TermMeaning | { readonly problem: string }
}

/** Names that a query can use. */
export interface KnownNames {
  /** The fields that samples of the dataset have; without them, any name may be a field. */
  readonly columns?: readonly string[] | undefined
  /** The codes and names of problems: `problemNames`. Without them, any name may be a problem. */
  readonly problems?: readonly string[] | undefined
}

/** The field for problems. Its values are those of {@link KnownNames}. */
export const problemFieldName = 'problem'

const traits: Readonly<Record<string, SampleTest>> = {
  reasoning: ({ texts }) => texts.some(({ kind }) => kind === 'reasoning'),
  calls: ({ texts }) => texts.some(({ kind }) => kind === 'call'),
  images: ({ value }) => value !== undefined && hasImage(value),
  pair: ({ branches }) => branches.length > 1,
  note: ({ review }) => review !== undefined && review.notes > 0,
}

const states: Readonly<Record<string, SampleTest>> = {
  broken: ({ form }) => form === 'broken',
  undecided: ({ review }) => review?.decision === undefined,
  stale: ({ review }) => review?.isStale === true,
}

/** The fields, in the order in which they are listed. */
export const queryFields: readonly QueryField[] = [
  inTexts('user', localizable`Text in messages of the user`, ({ kind }) => kind === 'user'),
  inTexts('assistant', localizable`Text of the assistant that users see`, ({ kind }) => kind === 'assistant'),
  inTexts('system', localizable`Text in system messages`, ({ kind }) => kind === 'system'),
  inTexts('developer', localizable`Text in developer messages`, ({ kind }) => kind === 'developer'),
  inTexts('tool', localizable`Text in messages of tools`, ({ kind }) => kind === 'tool'),
  inTexts('reasoning', localizable`Text in hidden reasoning`, ({ kind }) => kind === 'reasoning'),
  inTexts('call', localizable`Text in the arguments of a tool call`, ({ kind }) => kind === 'call'),
  inTexts('reply', localizable`Text in a tool reply`, ({ kind }) => kind === 'tool'),
  byName('calls', localizable`A call of that tool; \`*\` stands for any part of the name`, (sample) => [
    ...calledTools(sample),
  ]),
  problemField(),
  oneOf('has', localizable`A trait of the sample`, traits),
  oneOf('is', localizable`A state of the sample`, states),
  oneOfNames(
    byName('decision', localizable`The decision of the review`, ({ review }) =>
      review?.decision === undefined ? [] : [review.decision],
    ),
    [...decisions, conflict],
  ),
  inReview('label', localizable`A review label`, ({ labels }) => labels),
  inReview('reviewer', localizable`Who decided on the sample in the review`, ({ reviewers }) => reviewers),
  inNotes('note', localizable`Text in a note of the review`),
  oneOfNames(
    byName('form', localizable`The form of the sample`, ({ form }) => [form]),
    [...sourceForms, 'broken'],
  ),
]

/** The fields and columns that depend on the review file, and those of which some values do. */
const reviewFields: ReadonlySet<string> = new Set([
  ...['decision', 'label', 'labels', 'reviewer', 'note', 'notes', 'is', 'has'],
])

/** The fields and columns that depend on the problems of samples. */
const problemFields: ReadonlySet<string> = new Set([problemFieldName, 'errors', 'warnings'])

/** True if a query about the field or column named `name` needs the rules. */
export function isProblemField(name: string): boolean {
  return problemFields.has(name)
}

/** True if a query about the field or column named `name` may need the review file. */
export function isReviewField(name: string): boolean {
  return reviewFields.has(name)
}

const fieldsByName: ReadonlyMap<string, QueryField> = new Map(queryFields.map((it) => [it.name, it]))

/** The field named `name`, if it is one of the language. */
export function queryFieldNamed(name: string): QueryField | undefined {
  return fieldsByName.get(name)
}

/** The meaning of a text without a field: it may be anywhere in the sample. */
export function anywhere(value: TermValue): TermMeaning | { readonly problem: string } {
  const pattern = textPattern(value)
  if ('problem' in pattern) return pattern
  return {
    test: (sample) => sample.someText((text) => pattern.test(text)),
    needs: wordsNeededFor(value),
    looksFor: { pattern, isIn: () => true },
  }
}

/** The meaning of a term about the column `name`. */
export function aboutColumn(name: string, value: TermValue): TermMeaning | { readonly problem: string } {
  const column = columnNamed(name)
  const holds = valueTest(value)
  if ('problem' in holds) return holds
  if (column.kind === 'number' && value.kind === 'text' && !isNumberPattern(value.text))
    return { problem: localize`\`${name}\` is a number. Expected a number or a range such as \`2..5\`` }
  const isNumeric = value.kind === 'numbers'
  return {
    test: (sample) => holds.test(isNumeric ? column.valueOf(sample) : exactValueOf(column, sample)),
    needs: isStandardColumn(name) ? undefined : wordsNeededFor(value),
    ...((isStandardColumn(name) || !mayBeRounded(value)) && {
      ofColumn: { name, test: { holds: holds.test, ...(isNumeric && { range: value }) } },
    }),
  }
}

/** True for a number in which `*` stands for any part. */
function isNumberPattern(text: string): boolean {
  return /^[\d*]*(?:\.[\d*]*)?$/.test(text) && /[\d*]/.test(text)
}

/** True for a text that the digits of a rounded integer may match, which the values of columns do not have. */
function mayBeRounded(value: TermValue): boolean {
  if (value.kind === 'numbers') return false
  return /\d{16}|\*\d+$|\d\$/.test(value.kind === 'text' ? value.text : value.source)
}

function valueTest(
  value: TermValue,
): { readonly test: (found: ColumnValue) => boolean } | { readonly problem: string } {
  if (value.kind === 'numbers') {
    return { test: (found) => typeof found === 'number' && isInRange(found, value) }
  }
  const matches = valueMatcher(value)
  if ('problem' in matches) return matches
  return {
    test: (found) => {
      if (typeof found === 'object') return found.some(matches.test)
      return found !== undefined && matches.test(String(found))
    },
  }
}

function inTexts(name: string, summary: string, isIn: (text: SampleText) => boolean): QueryField {
  return {
    name,
    summary,
    meaningOf: (value) => {
      const pattern = textPattern(value)
      if ('problem' in pattern) return pattern
      return {
        test: ({ texts }) => texts.some((it) => isIn(it) && pattern.test(it.text)),
        needs: wordsNeededFor(value),
        looksFor: { pattern, isIn },
      }
    },
  }
}

function byName(
  name: string,
  summary: string,
  valuesOf: (sample: SampleView) => readonly string[],
): QueryField {
  return byMatch(name, summary, (isMatch) => (sample) => valuesOf(sample).some(isMatch))
}

/** As {@link byName}, of names that many samples share. */
function inReview(
  name: string,
  summary: string,
  valuesOf: (review: SampleReview) => readonly string[],
): QueryField {
  return byMatch(name, summary, (isMatch) => {
    const hasMatch = perValue((review: SampleReview) => valuesOf(review).some(isMatch))
    return ({ review }) => review !== undefined && hasMatch(review)
  })
}

/** A field with names that a value of a query matches or not. */
function byMatch(
  name: string,
  summary: string,
  testOf: (isMatch: (name: string) => boolean) => SampleTest,
): QueryField {
  return {
    name,
    summary,
    meaningOf: (value) => {
      const matches = valueMatcher(value)
      if ('problem' in matches) return matches
      return { test: testOf(matches.test), wants: matches.test }
    },
  }
}

function problemField(): QueryField {
  const field = byName(
    problemFieldName,
    localizable`A problem with that code or of that rule; \`*\` for any`,
    ({ problems }) => problems.flatMap(({ code, rule }) => [code, rule]),
  )
  return {
    ...field,
    meaningOf: (value, known) => {
      const meaning = field.meaningOf(value, known)
      const { problems } = known
      if ('problem' in meaning || value.kind !== 'text' || !problems) return meaning
      if (problems.some((it) => meaning.wants?.(it))) return meaning
      const meant = closestWord(value.text, problems)
      return {
        problem:
          meant === undefined
            ? localize`Unknown problem \`${value.text}\``
            : localize`Unknown problem \`${value.text}\`. Did you mean \`${meant}\`?`,
      }
    },
  }
}

function inNotes(name: string, summary: string): QueryField {
  return {
    name,
    summary,
    meaningOf: (value) => {
      const pattern = textPattern(value)
      if ('problem' in pattern) return pattern
      const isNoted = perValue((review: SampleReview) => review.noteTexts.some((it) => pattern.test(it)))
      return { test: ({ review }) => review !== undefined && isNoted(review) }
    },
  }
}

function oneOf(name: string, summary: string, tests: Readonly<Record<string, SampleTest>>): QueryField {
  const values = Object.keys(tests)
  return {
    name,
    summary,
    values,
    meaningOf: (value) => {
      const word = value.kind === 'text' ? value.text.toLowerCase() : undefined
      const test = word !== undefined && Object.hasOwn(tests, word) ? tests[word] : undefined
      return test ? { test } : { problem: unknownValueText(name, values) }
    },
  }
}

/** `field`, with the only names that samples have; a value that matches none of them is a mistake. */
function oneOfNames(field: QueryField, names: readonly string[]): QueryField {
  return {
    ...field,
    meaningOf: (value, known) => {
      const meaning = field.meaningOf(value, known)
      if ('problem' in meaning || names.some((it) => meaning.wants?.(it))) return meaning
      return { problem: unknownValueText(field.name, names) }
    },
  }
}

function unknownValueText(name: string, values: readonly string[]): string {
  const expected = values.map((it) => `\`${it}\``).join(', ')
  return localize`Unknown value of \`${name}\`. Expected one of ${expected}`
}

/** Compares whole values. */
function valueMatcher(value: TermValue): { test(value: string): boolean } | { readonly problem: string } {
  return value.kind === 'text' ? { test: wildcardMatcher(value.text) } : textPattern(value)
}

/** True if a part of a message, or a column of the sample, is an image (F4, F12). */
function hasImage(value: JsonValue): boolean {
  const open: JsonValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) {
      const { type, image, images } = next as Readonly<Record<string, JsonValue>>
      if (type === 'image' || type === 'image_url' || type === 'input_image') return true
      if (typeof image === 'string' || (Array.isArray(images) && images.length > 0)) return true
    }
    for (const it of Object.values(next)) if (it !== null && it !== undefined) open.push(it)
  }
  return false
}
