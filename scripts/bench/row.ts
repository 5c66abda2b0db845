/** A line of the result: what was measured, what it was compared with, its target, and whether it is reached. */

/** One line of the table. */
export interface Row {
  /** What was measured: `Open, 10 MB`. */
  readonly what: string
  /** Our result. */
  readonly ours: string
  /** The results of the peers, measured in the same run. */
  readonly peers: string
  /** The figure that the target speaks of; empty where there is none. */
  readonly figure: string
  /** What the figure must be; empty for a line without a target. */
  readonly target: string
  /** Undefined where there is nothing to reach. */
  readonly isReached: boolean | undefined
}

const mark = '@row '

/** Hands a line to the program that started this one; by default, without peers and without anything to reach. */
export function report(row: Pick<Row, 'what' | 'ours'> & Partial<Row>): void {
  const whole: Row = { peers: '', figure: '', target: '', isReached: undefined, ...row }
  process.stdout.write(`${mark}${JSON.stringify(whole)}\n`)
}

/** The row in a line that {@link report} wrote; undefined for any other line. */
export function rowIn(line: string): Row | undefined {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as Row) : undefined
}

/** What a measuring program gets on its command line. */
export interface Assignment {
  /** True for a short run: smaller files, fewer rounds. */
  readonly isQuick: boolean
  /** The `node_modules` in which the peers are installed. */
  readonly peers: string
  /** The programs of the servers: ours, the one that only stores text, the one on text documents, VS Code's for JSON. */
  readonly server: string
  readonly storeServer: string
  readonly textDocumentServer: string
  readonly jsonServer: string
  /** The program `ocm`. */
  readonly program: string
  /** Words in the name of what is measured, for the part that measures limits; by default everything. */
  readonly filter?: string
  /** The `node_modules` with tokenizers, for the part that measures them. */
  readonly tokenizers?: string
  /** The `node_modules` with DuckDB, for the parts that measure finding and packed datasets. */
  readonly duckdb?: string
  /** A folder with conversations, to be opened instead of generated ones. */
  readonly corpus?: string
  /** Megabytes of the largest dataset, or of each hostile text; by default what a run can wait for. */
  readonly megabytes?: number
  /** A folder for pictures of what is measured. */
  readonly pictures?: string
}

/** Reads the assignment that `bench.mjs` gave. */
export function assignment(): Assignment {
  return JSON.parse(process.argv[2] ?? '') as Assignment
}

/** The part of a row that judges: `figure` must not be greater than `most`. */
export function atMost(figure: number, most: number, show: (value: number) => string) {
  return { figure: show(figure), target: `≤ ${show(most)}`, isReached: figure <= most }
}

/** The part of a row that judges: `figure` must not be less than `least`. */
export function atLeast(figure: number, least: number, show: (value: number) => string) {
  return { figure: show(figure), target: `≥ ${show(least)}`, isReached: figure >= least }
}
