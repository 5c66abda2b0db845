/** The columns of samples as a table, a row for each sample: data for threads and files. It has no text of conversations. */
import { type Column, isStandardColumn, listedColumn, standardColumns } from '../query/dataset-columns.ts'
import type { SampleView } from '../query/sample-view.ts'
import { type FieldChoice, isRefusedFor, mostFields, sideValues } from './dataset-statistics.ts'

/** A value in a table; null if the sample has none. */
export type Cell = string | number | boolean | readonly string[] | null

/** What all values of a column are. */
export type CellKind = 'integer' | 'number' | 'boolean' | 'text' | 'texts'

/** The values of a column. */
export interface TableColumn {
  /** Undefined if no sample has a value. */
  readonly kind: CellKind | undefined
  /** A cell for each row. */
  readonly cells: readonly Cell[]
}

/** A table. */
export interface TableData {
  readonly nRows: number
  /** By name. */
  readonly columns: Readonly<Record<string, TableColumn>>
  /** True if samples have more fields than become columns. */
  readonly hasMoreFields: boolean
  /** The fields that are no columns because one of their values was a part of a conversation. */
  readonly refused?: readonly string[]
}

/** Takes samples one by one. */
export class ColumnTable {
  readonly #wanted: readonly Column[]
  readonly #hasFields: boolean
  readonly #columns = new Map<string, { kind: CellKind | undefined; cells: Cell[] }>()
  readonly #refused = new Set<string>()
  #nFields = 0
  #nRows = 0

  /** @param names of the columns; by default those of S5 and the side fields of samples */
  constructor(names?: readonly string[]) {
    this.#wanted = names ? names.map(listedColumn) : standardColumns
    this.#hasFields = names === undefined
  }

  /** Adds a row. */
  add(sample: SampleView): void {
    for (const column of this.#wanted) {
      if (isRefusedFor(column.name, sample)) this.#refused.add(column.name)
      this.#put(column.name, column.valueOf(sample) ?? null)
    }
    const choice: FieldChoice = {
      isWanted: (it) => this.#looksAt(it),
      refuse: (it) => this.#refused.add(it),
    }
    if (this.#hasFields) for (const [name, value] of sideValues(sample, choice)) this.#put(name, value)
    this.#nRows++
    for (const { cells } of this.#columns.values()) if (cells.length < this.#nRows) cells.push(null)
  }

  data(): TableData {
    return {
      nRows: this.#nRows,
      columns: Object.fromEntries([...this.#columns].filter(([name]) => !this.#refused.has(name))),
      hasMoreFields: this.#nFields > mostFields,
      ...(this.#refused.size > 0 && { refused: [...this.#refused] }),
    }
  }

  /** False for a field after too many others. */
  #looksAt(field: string): boolean {
    return this.#nFields <= mostFields || this.#columns.has(field)
  }

  #put(name: string, cell: Cell): void {
    let column = this.#columns.get(name)
    if (!column) {
      if (!isStandardColumn(name) && ++this.#nFields > mostFields) return
      column = { kind: undefined, cells: new Array<Cell>(this.#nRows).fill(null) }
      this.#columns.set(name, column)
    }
    if (column.cells.length > this.#nRows) return // a name that was asked for twice
    column.cells.push(cell)
    column.kind = commonKind(column.kind, kindOf(cell))
  }
}

/** The kind of columns of which one part is of `one` kind, and another part of the `other`. */
export function commonKind(one: CellKind | undefined, other: CellKind | undefined): CellKind | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other
  const kinds = [one, other]
  if (kinds.includes('texts')) return 'texts'
  return kinds.includes('integer') && kinds.includes('number') ? 'number' : 'text'
}

/** `cell` in a column of `kind`, which fits all of its values. */
export function cellAs(kind: CellKind, cell: Cell): Cell {
  if (cell === null) return null
  if (kind === 'texts') return typeof cell === 'object' ? cell : [String(cell)]
  return kind === 'text' ? String(cell) : cell
}

/** The kind of a standard column, and of one that no sample has a value for. */
export function kindOfColumn({ kind }: Column): CellKind {
  return kind === 'number' ? 'integer' : kind
}

function kindOf(cell: Cell): CellKind | undefined {
  switch (typeof cell) {
    case 'number':
      return Number.isSafeInteger(cell) ? 'integer' : 'number'
    case 'boolean':
      return 'boolean'
    case 'string':
      return 'text'
    default:
      return cell === null ? undefined : 'texts'
  }
}
