/** What the extension host and the page of a dataset say to each other. There is no place for text that end users do not see. */

/** How many messages a role has. */
export interface RoleCount {
  readonly role: string
  readonly count: number
}

/** A sample in the list. */
export interface Row {
  /** Among the samples of the file, from 0. */
  readonly place: number
  /** Of its line from 1, or in its list from 0. */
  readonly number: number
  /** Bytes. */
  readonly size: number
  /** The file that it is in, and its number there, where there are several files. */
  readonly origin?: string
  readonly content: GoodRow | BadRow
}

/** A sample that has a conversation. */
export interface GoodRow {
  readonly kind: 'good'
  /** The first words that an end user sees. */
  readonly words: string
  readonly roles: readonly RoleCount[]
  /** Absent until they are counted, and where nobody can. */
  readonly tokens?: number
  readonly errors: number
  readonly warnings: number
  readonly losses: number
  /** Of the worst problem. */
  readonly code?: string
  readonly form: string
}

/** A sample that cannot be read. */
export interface BadRow {
  readonly kind: 'bad'
  readonly message: string
  /** Where the mistake is in the file, from 1. */
  readonly line: number
  readonly column: number
}

/** Which samples are listed. */
export type Filter = 'all' | 'problems' | 'unreadable'

/** The filters, in the order in which they are offered. */
export const filters: readonly Filter[] = ['all', 'problems', 'unreadable']

/** What is looked for. */
export interface Query {
  /** Found anywhere in a sample, whatever the case of letters; empty for all. */
  readonly text: string
  readonly filter: Filter
}

/** How far a dataset is read, or looked through. */
export interface Progress {
  /** Bytes or samples done, of all. */
  readonly done: number
  readonly total: number
}

/** What samples are: lines, numbered from 1, elements of a list, or rows of a table, from 0. */
export type SampleKind = 'lines' | 'list' | 'rows'

/** From the extension host to the page. */
export type ToDatasetPage =
  | {
      readonly kind: 'open'
      readonly name: string
      readonly samples: SampleKind
      /** Another one as soon as the file changed: what the page knows of rows is of no use then. */
      readonly generation: number
    }
  | {
      readonly kind: 'count'
      readonly generation: number
      /** Samples that are listed. */
      readonly listed: number
      /** Samples of the file, so far. */
      readonly total: number
      /** Absent when everything is done. */
      readonly progress?: Progress
      /** Why the file could be read only so far. */
      readonly problem?: string
    }
  | {
      readonly kind: 'rows'
      readonly generation: number
      /** Among those listed. */
      readonly first: number
      readonly rows: readonly Row[]
    }
  /** Samples are judged in another way now: rows that the page knows are of no use. */
  | { readonly kind: 'stale'; readonly generation: number }
  | { readonly kind: 'failed'; readonly message: string }

/** From the page to the extension host. */
export type FromDatasetPage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'want'; readonly first: number; readonly count: number }
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'open'; readonly number: number; readonly as: 'text' | 'preview' }
  | { readonly kind: 'compare'; readonly numbers: readonly [number, number] }
  | { readonly kind: 'showSource'; readonly number: number }

/** What a page remembers over a reload. */
export interface DatasetPageState {
  readonly query: Query
  /** Row at the top. */
  readonly top: number
  /** Row with the focus. */
  readonly active: number
}

const mostRows = 200 // of one answer: more than any screen shows

/** Checks what came from a page; undefined for what is no message. */
export function fromDatasetPage(value: unknown): FromDatasetPage | undefined {
  if (!isRecord(value)) return undefined
  switch (value.kind) {
    case 'ready':
      return { kind: 'ready' }
    case 'want': {
      const { first, count } = value
      if (!isCount(first) || !isCount(count)) return undefined
      return { kind: 'want', first, count: Math.min(count, mostRows) }
    }
    case 'query': {
      const query = queryIn(value.query)
      return query && { kind: 'query', query }
    }
    case 'open':
      if (!isCount(value.number) || (value.as !== 'text' && value.as !== 'preview')) return undefined
      return { kind: 'open', number: value.number, as: value.as }
    case 'showSource':
      return isCount(value.number) ? { kind: 'showSource', number: value.number } : undefined
    case 'compare': {
      const [one, other] = Array.isArray(value.numbers) ? value.numbers : []
      return isCount(one) && isCount(other) ? { kind: 'compare', numbers: [one, other] } : undefined
    }
    default:
      return undefined
  }
}

/** Checks what a page remembered. */
export function datasetPageState(value: unknown): DatasetPageState {
  const state = isRecord(value) ? value : {}
  return {
    query: queryIn(state.query) ?? { text: '', filter: 'all' },
    top: isCount(state.top) ? state.top : 0,
    active: isCount(state.active) ? state.active : 0,
  }
}

function queryIn(value: unknown): Query | undefined {
  if (!isRecord(value) || typeof value.text !== 'string') return undefined
  const filter = filters.find((it) => it === value.filter)
  return filter && { text: value.text.slice(0, 1000), filter }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
