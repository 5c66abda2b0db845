/** A query with one more condition, as if the user had written it. */
import { queryValue } from './complete-query.ts'
import { parseQuery, queryName } from './parse-query.ts'
import type { Query, QueryTerm } from './query.ts'

/** What a column must be: between two numbers, bounds included, or a value. */
export type ColumnCondition =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'value'; readonly value: string }

/**
 * The query `text` with `condition` for the column `name`, in the place of a condition that it has for that column. What is not a
 * query is replaced as a whole.
 */
export function queryWithTerm(text: string, name: string, condition: ColumnCondition): string {
  const term = `${queryName(name)}${conditionText(condition)}`
  const parsed = parseQuery(text)
  if (parsed.kind === 'mistake') return term
  const { query } = parsed
  if (query.kind === 'any') return `(${text.trim()}) ${term}`
  const own = ownTerms(query).filter(({ field }) => field === name)
  const [first] = own
  if (!first) return `${text.trim()} ${term}`.trimStart()
  let result = text
  for (const { span } of [...own].reverse())
    result = result.slice(0, span.from) + (span === first.span ? term : '') + result.slice(span.to)
  return result.replaceAll(/ {2,}/g, ' ').trim()
}

/** The terms that must all hold. */
function ownTerms(query: Query): readonly QueryTerm[] {
  if (query.kind === 'term') return [query]
  return query.kind === 'all' ? query.of.filter((it) => it.kind === 'term') : []
}

function conditionText(condition: ColumnCondition): string {
  if (condition.kind === 'value') return `:${queryValue(condition.value)}`
  const { from, to } = condition
  return from === to ? `=${from}` : `:${from}..${to}`
}
