/** The language that samples are found with (S7), as a tree. */
import type { Span } from '../text/range.ts'
import type { ColumnValue } from './dataset-columns.ts'

/** What a sample must be like. */
export type Query =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Query[] }
  | { readonly kind: 'not'; readonly of: Query }
  | QueryTerm

/** One condition. */
export interface QueryTerm {
  readonly kind: 'term'
  /** Undefined for a text that may be anywhere. */
  readonly field: string | undefined
  readonly value: TermValue
  /** Where it is in the query. UTF-16 code units. */
  readonly span: Span
}

/** What a field is compared with. */
export type TermValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'regex'; readonly source: string; readonly ignoresCase: boolean }
  | NumberRange

/** Numbers between two bounds. */
export interface NumberRange {
  readonly kind: 'numbers'
  /** -Infinity if there is no lower bound. */
  readonly from: number
  /** Infinity if there is no upper bound. */
  readonly to: number
  readonly includesFrom: boolean
  readonly includesTo: boolean
}

/** Why a text is not a query. */
export interface QueryMistake {
  readonly message: string
  /** Where in the text. UTF-16 code units. */
  readonly span: Span
}

/** What a value must be. */
export interface ValueTest {
  holds(value: ColumnValue): boolean
  /** Set if it is only about numbers, within this range: whole columns are compared with it at once. */
  readonly range?: NumberRange
}

/** True for a number within `range`. */
export function isInRange(number: number, { from, to, includesFrom, includesTo }: NumberRange): boolean {
  return (includesFrom ? number >= from : number > from) && (includesTo ? number <= to : number < to)
}

/** The terms of `query`, in their order. */
export function* termsOf(query: Query): IterableIterator<QueryTerm> {
  if (query.kind === 'term') yield query
  else if (query.kind === 'not') yield* termsOf(query.of)
  else for (const it of query.of) yield* termsOf(it)
}
