/** The result of a run: as a table on the terminal, and in docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Row } from './row.ts'

export { rowIn } from './row.ts'

/** When and with what a result was measured. */
export interface Circumstances {
  /** `2026-12-31` */
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
}

/** The rows as columns of text. */
export function showTable(rows: readonly Row[]): string {
  const cells = [headings, ...rows.map(cellsOf)]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n')
    .replaceAll('`', '')
}

const headings = ['', 'what', 'ours', 'figure', 'target', 'peers']

function cellsOf(row: Row): string[] {
  return [verdictOf(row), row.what, row.ours, row.figure, row.target, row.peers]
}

function verdictOf({ isReached }: Row): string {
  if (isReached === undefined) return ''
  return isReached ? 'pass' : 'miss'
}

const begin = '<!-- begin: written by npm run bench -->'
const end = '<!-- end -->'

/** Replaces the generated part of the document at `path`. */
export function writeResult(path: string, rows: readonly Row[], circumstances: Circumstances): void {
  const document = readFileSync(path, 'utf8')
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${path} has no place for the result: ${begin} … ${end}`)
  const generated = `${begin}\n\n${[paragraphOf(circumstances), tableOf(rows)].join('\n\n')}\n\n`
  writeFileSync(path, document.slice(0, from) + generated + document.slice(to))
}

/** Replaces the lines of `rows` in the document at `path`, which has a whole run: a part that was measured again. Other rows come last. */
export function replaceRows(path: string, rows: readonly Row[]): void {
  const lines = readFileSync(path, 'utf8').split('\n')
  const first = lines.indexOf(begin) // before it, rows of the same name say what is measured
  for (const row of rows) {
    const index = lines.findIndex((line, at) => at > first && line.startsWith(`| ${row.what} |`))
    if (index !== -1) lines[index] = lineOf(row)
    else lines.splice(lines.lastIndexOf(end) - 1, 0, lineOf(row))
  }
  writeFileSync(path, lines.join('\n'))
}

function paragraphOf({ date, versions }: Circumstances): string {
  const [cpu] = cpus()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${gibibytes} GiB of memory`
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `Measured on ${date} on ${machine}, ${process.platform} ${process.arch}, Node ${process.versions.node}.`,
    `Peers: ${peers.join(', ')}.`,
  ].join('\n')
}

function tableOf(rows: readonly Row[]): string {
  const columns = ['What', 'Ours', 'Figure', 'Target', 'Verdict', 'Peers']
  const head = [`| ${columns.join(' | ')} |`, `| ${columns.map(() => '---').join(' | ')} |`]
  return [...head, ...rows.map(lineOf)].join('\n')
}

function lineOf(row: Row): string {
  return `| ${[row.what, row.ours, row.figure, row.target, verdictOf(row), row.peers].join(' | ')} |`
}
