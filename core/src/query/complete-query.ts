/** What can be written where the cursor is in a query: fields, and the values that a field has. */
import { localized } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import { standardColumns } from './dataset-columns.ts'
import { longestQuery, queryName } from './parse-query.ts'
import { problemFieldName, queryFieldNamed, queryFields } from './query-fields.ts'
import { problemNames } from './sample-judge.ts'

/** What is known of a dataset. */
export interface KnownFields {
  /** The names of the fields of its samples, besides the standard columns. */
  readonly fields: readonly string[]
  /** True if a field or column has numbers only. */
  isNumber(name: string): boolean
  /** The values that a field or column has, the most frequent first. */
  valuesOf(name: string): readonly string[]
}

/** What can take the place of the word at the cursor. */
export interface QueryProposal {
  readonly text: string
  /** One line about it, in the language of the user; empty if there is nothing to say. */
  readonly summary: string
}

/** Proposals for a stretch of the query. */
export interface QueryCompletion {
  readonly span: Span
  readonly proposals: readonly QueryProposal[]
}

const mostProposals = 50

/** Proposals for the cursor at `offset` in the query `text`. */
export function completeQuery(text: string, offset: number, known: KnownFields): QueryCompletion {
  const end = Math.min(offset, text.length, longestQuery)
  const from = wordStart(text, end)
  const word = text.slice(from, end)
  const [whole, bare, quoted] =
    /^(?:([\p{L}_][\p{L}\p{N}_.-]{0,199})|"((?:[^"\\]|\\.){1,200})")[:=]/su.exec(word) ?? []
  if (whole === undefined) return { span: { from, to: end }, proposals: fieldsLike(word, known) }
  const name = bare ?? (quoted ?? '').replaceAll(/\\(["\\])/g, '$1')
  const start = from + whole.length
  const value = text.slice(start, end).replace(/^"/, '').toLowerCase()
  const ofLanguage = name === problemFieldName ? problemNames : queryFieldNamed(name)?.values
  const values = ofLanguage ?? known.valuesOf(name)
  const isWhole = values.some((it) => it.toLowerCase() === value)
  const proposals = values
    .filter((it) => !isWhole && it.toLowerCase().includes(value))
    .slice(0, mostProposals)
    .map((it) => ({ text: queryValue(it), summary: '' }))
  return { span: { from: start, to: end }, proposals }
}

/** `value` as the value of a field: in quotation marks if it could be read in another way. */
export function queryValue(value: string): string {
  const isPlain = /^[\p{L}\p{N}_.*@+-]+$/u.test(value) && !value.includes('..')
  return isPlain ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Where the term begins that `end` is in: after a space, a bracket, or a minus; a quotation mark holds spaces together. */
function wordStart(text: string, end: number): number {
  let start = 0
  let isQuoted = false
  for (let at = 0; at < end; at++) {
    const it = text[at] ?? ''
    if (isQuoted) {
      if (it === '\\') at++
      else if (it === '"') isQuoted = false
    } else if (it === '"') isQuoted = true
    else if (/[\s()]/.test(it) || (it === '-' && at === start)) start = at + 1
  }
  return start
}

function fieldsLike(word: string, { fields, isNumber }: KnownFields): readonly QueryProposal[] {
  const wanted = word.toLowerCase()
  const named = [
    ...queryFields.map(({ name, summary }) => ({ text: `${name}:`, summary: localized(summary) })),
    ...standardColumns
      .filter(({ kind }) => kind === 'number')
      .map(({ name, summary }) => ({ text: `${name}>=`, summary: localized(summary) })),
    ...fields.map((name) => ({ text: `${queryName(name)}${isNumber(name) ? '>=' : ':'}`, summary: '' })),
  ]
  const isWanted = (text: string) =>
    text !== wanted && (text.startsWith(wanted) || text.startsWith(`"${wanted}`))
  return named.filter(({ text }) => isWanted(text.toLowerCase())).slice(0, mostProposals)
}
