/** What the extension host and the page of a dataset say to each other. There is no place for text that end users do not see. */
import {
  count,
  fieldsIn,
  flag,
  type MessageFields,
  messageIn,
  oneOf,
  type Reader,
  recordIn,
  textUpTo,
} from '../page-messages.ts'

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
  /** Absent until they are counted, and where they can't be. */
  readonly tokens?: number
  readonly errors: number
  readonly warnings: number
  readonly hints: number
  readonly losses: number
  /** Of the worst problem. */
  readonly code?: string
  readonly form: string
  /** What the query found in {@link words}. UTF-16 code units. */
  readonly marks?: readonly Marked[]
  /** What is in the columns that are shown, by their names. */
  readonly values?: readonly (readonly [column: string, value: string | number])[]
  /** The kinds of hidden text in which the query found something: their names, and nothing of what they say. */
  readonly hidden?: readonly HiddenKind[]
}

/** A stretch of a text: UTF-16 code units, half-open. */
export interface Marked {
  readonly from: number
  readonly to: number
}

/** A kind of text that may be hidden. */
export type HiddenKind = 'user' | 'assistant' | 'system' | 'developer' | 'tool' | 'reasoning' | 'call'

/** A sample that cannot be read. */
export interface BadRow {
  readonly kind: 'bad'
  readonly message: string
  /** Where the mistake is in the file, from 1. */
  readonly line: number
  readonly column: number
  /** Set if the sample could be read as a form that the user chooses. */
  readonly isUnknownForm?: true
}

/** A sample that cannot be read, with all that a sentence about it says. */
export interface UnreadSampleWords {
  readonly samples: SampleKind
  readonly number: number
  /** Its file and its number there, in the list of a folder. */
  readonly origin?: string | undefined
  readonly content: BadRow
}

/** Why a query is not understood, and where: UTF-16 code units in its text. */
export interface MistakenQuery extends Marked {
  readonly message: string
}

/** What can be written in a query. */
export interface Proposal {
  readonly text: string
  readonly summary: string
}

/** A column of the list: one of its own, or one of the dataset by its name. */
export interface ListedColumn {
  readonly name: string
  /** Pixels; absent for its usual width. */
  readonly width?: number
}

/** By what the list is sorted. */
export interface Sorting {
  /** The name of a column of the dataset. */
  readonly column: string
  readonly isDescending: boolean
}

/** How the list of a file looks. */
export interface Layout {
  readonly columns: readonly ListedColumn[]
  /** Absent for the order of the file. */
  readonly sort?: Sorting
}

/** The columns that only the list has. `@` is in no name that a query can have. */
export const ownColumns = ['@words', '@roles', '@problems'] as const

/** The layout of a list as long as it is not changed. */
export const usualLayout: Layout = {
  columns: ['@words', '@roles', 'tokens', '@problems'].map((name) => ({ name })),
}

/** The column of the dataset that a column of the list is about: it is sorted and filtered by that. */
export function datasetColumn(name: string): string | undefined {
  switch (name) {
    case '@words':
      return undefined
    case '@roles':
      return 'messages'
    case '@problems':
      return 'errors'
    default:
      return name
  }
}

/** What is known of a column of the dataset. */
export interface ColumnInfo {
  readonly name: string
  readonly summary: string
  /** The numbers of the column in bars of equal width; `to` is included in the last one. */
  readonly bars: readonly { readonly from: number; readonly to: number; readonly count: number }[]
  /** True if all numbers are whole. */
  readonly isWhole: boolean
  /** The most frequent values that are not numbers. */
  readonly values: readonly (readonly [value: string, count: number])[]
  /** Samples with another value. */
  readonly others: number
}

/** What samples are to be like, as chosen in a column. */
export type ColumnChoice =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'value'; readonly value: string }

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
  /** The query that `text` is has a mistake, so that the list stays as it was; or it has none. */
  | { readonly kind: 'query'; readonly text: string; readonly mistake?: MistakenQuery }
  /** What can be in the place of a stretch of the query, as an answer to `complete`. */
  | ({ readonly kind: 'proposals'; readonly id: number; readonly proposals: readonly Proposal[] } & Marked)
  /** What is known of columns so far. */
  | { readonly kind: 'columns'; readonly columns: readonly ColumnInfo[]; readonly progress?: Progress }
  | { readonly kind: 'layout'; readonly layout: Layout }
  /** The query to be in the box. */
  | { readonly kind: 'write'; readonly text: string }
  /** The queries of before, the last one first. */
  | { readonly kind: 'history'; readonly queries: readonly string[] }
  /** The focus moves to a row. */
  | { readonly kind: 'focus'; readonly index: number }
  /** Samples are judged in another way now: rows that the page knows are of no use. */
  | { readonly kind: 'stale'; readonly generation: number }
  | { readonly kind: 'failed'; readonly message: string }

/** What can be done with the sample that has the focus. */
const sampleActs = ['add', 'delete', 'duplicate', 'up', 'down', 'undo'] as const

/** One of {@link sampleActs}. */
export type SampleAct = (typeof sampleActs)[number]

/** From the page to the extension host. */
export type FromDatasetPage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'want'; readonly first: number; readonly count: number }
  | { readonly kind: 'query'; readonly text: string }
  | { readonly kind: 'layout'; readonly layout: Layout }
  /** The row with the focus, among those listed. */
  | { readonly kind: 'active'; readonly index: number }
  /** Add, delete, duplicate, or move the sample of the row with the focus, or undo that. */
  | { readonly kind: 'change'; readonly act: SampleAct }
  /** Copy the line of the row with the focus. */
  | { readonly kind: 'copyLine' }
  /** Ask how the file with the sample of this number is read. */
  | { readonly kind: 'chooseForm'; readonly number: number }
  /** Add what was chosen in a column to the query that is in the box. */
  | {
      readonly kind: 'choose'
      readonly text: string
      readonly column: string
      readonly choice: ColumnChoice
    }
  | { readonly kind: 'keepQuery'; readonly text: string }
  | { readonly kind: 'complete'; readonly id: number; readonly text: string; readonly offset: number }
  | { readonly kind: 'open'; readonly number: number; readonly as: 'text' | 'preview' }
  | { readonly kind: 'compare'; readonly numbers: readonly [number, number] }
  | { readonly kind: 'showSource'; readonly number: number }

/** What a page remembers over a reload. */
export interface DatasetPageState {
  readonly query: string
  /** Row at the top. */
  readonly top: number
  /** Row with the focus. */
  readonly active: number
}

const mostRows = 200 // of one answer: more than any screen shows

const query = textUpTo(20_000) // UTF-16 code units: more than a query may have
const name: Reader<string> = (value) => textUpTo(200)(value) || undefined

const fromPageFields: MessageFields<FromDatasetPage> = {
  ready: {},
  want: { first: count, count: (it) => count(Math.min(mostRows, count(it) ?? Number.NaN)) },
  query: { text: query },
  layout: { layout: layoutIn },
  active: { index: count },
  change: { act: oneOf(sampleActs) },
  copyLine: {},
  chooseForm: { number: count },
  choose: { text: query, column: name, choice: choiceIn },
  keepQuery: { text: query },
  complete: { id: count, text: query, offset: count },
  open: { number: count, as: oneOf(['text', 'preview'] as const) },
  compare: { numbers: pairOfCounts },
  showSource: { number: count },
}

/** Checks what came from a page; undefined for what is not a message. */
export function fromDatasetPage(value: unknown): FromDatasetPage | undefined {
  return messageIn(value, fromPageFields)
}

/** Checks what a page remembered. */
export function datasetPageState(value: unknown): DatasetPageState {
  const state = recordIn(value) ?? {}
  return { query: query(state.query) ?? '', top: count(state.top) ?? 0, active: count(state.active) ?? 0 }
}

const mostColumns = 50

/** Checks a layout that came from a page, or was remembered. */
export function layoutIn(value: unknown): Layout | undefined {
  const { columns, sort } = recordIn(value) ?? {}
  if (!Array.isArray(columns)) return undefined
  const sorting = fieldsIn<Sorting>(sort, { column: name, isDescending: flag })
  return {
    columns: columns.slice(0, mostColumns).flatMap((it: unknown): readonly ListedColumn[] => {
      const column = recordIn(it) ?? {}
      const [own, width] = [name(column.name), count(column.width)]
      if (own === undefined) return []
      return [{ name: own, ...(width !== undefined && { width: Math.min(2000, Math.max(40, width)) }) }]
    }),
    ...(sorting && { sort: sorting }),
  }
}

function choiceIn(value: unknown): ColumnChoice | undefined {
  const { kind, from, to, value: own } = recordIn(value) ?? {}
  const text = query(own)
  if (kind === 'value') return text === undefined ? undefined : { kind, value: text }
  if (kind !== 'range' || !Number.isFinite(from) || !Number.isFinite(to)) return undefined
  return { kind, from: from as number, to: to as number }
}

function pairOfCounts(value: unknown): readonly [number, number] | undefined {
  const [one, other] = Array.isArray(value) ? value.map(count) : []
  return one === undefined || other === undefined ? undefined : [one, other]
}
