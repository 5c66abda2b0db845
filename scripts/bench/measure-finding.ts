/**
 * Measures finding in datasets compared with the programs that people would use instead: places of samples with `wc`, words with ripgrep,
 * columns with DuckDB; and filtering, sorting, and opening again, which have no such peer.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { indexStoreOnDisk } from '../../client/disk/index-store.ts'
import { ColumnPass } from '../../client/src/datasets/column-pass.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import type { DatasetView } from '../../client/src/datasets/dataset-view.ts'
import { fileOnDisk } from '../../client/src/datasets/disk-file.ts'
import { leastIndexed } from '../../client/src/datasets/kept-index.ts'
import { Listing } from '../../client/src/datasets/listing.ts'
import { ColumnValues } from '../../core/src/internal.ts'
import { linesWithWord, rareWord, writeLines } from './dataset-lines.ts'
import { duckDbIn } from './duck-db.ts'
import { median, megabytesOf, million, milliseconds, times, workedMilliseconds } from './measuring.ts'
import { assignment, atMost, report } from './row.ts'

/** The least that a program for Node.js does with a file: it reads it, and does something with each chunk, or each line. */
const alone = {
  reading: `const { openSync, readSync } = require('node:fs')
    const [file, chunk] = [openSync(process.argv[1]), Buffer.alloc(2 ** 19)]
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk))
      chunk.subarray(0, count).indexOf('${rareWord}')`,
  parsing: `const { openSync, readSync } = require('node:fs')
    const [file, chunk, decoder] = [openSync(process.argv[1]), Buffer.alloc(2 ** 20), new TextDecoder()]
    let held = 0
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk, held, chunk.length - held, null)) {
      const end = held + count
      let from = 0
      for (let to = chunk.indexOf(10); to !== -1 && to < end; to = chunk.indexOf(10, from)) {
        JSON.parse(decoder.decode(chunk.subarray(from, to)))
        from = to + 1
      }
      chunk.copyWithin(0, from, end)
      held = end - from
    }`,
}

const { isQuick, megabytes = isQuick ? 50 : 200, program, duckdb } = assignment()
const turns = isQuick ? 3 : 5
const folder = mkdtempSync(join(tmpdir(), 'ocm-bench-'))
const path = join(folder, 'train.jsonl')
try {
  await writeLines(path, linesWithWord(megabytes * million))
  const size = megabytesOf(statSync(path).size)
  await measurePlaces(size)
  await measureSearch(size)
  await measureColumns(size)
  await measureReopening(size)
  await measureFilterAndSort()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * The median processor time of what takes turns, in milliseconds over all cores: on a busy machine, the clock on the wall measures the
 * others as well. What is measured returns the time of a process that it ran; by default it is that of this one.
 */
async function taken<Name extends string>(
  contestants: Readonly<Record<Name, () => unknown>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(contestants) as Name[]
  const all = new Map(names.map((name) => [name, [] as number[]]))
  for (let turn = 0; turn <= turns; turn++) {
    for (const name of names) {
      const begun = workedMilliseconds()
      const own = await contestants[name]()
      const time = typeof own === 'number' ? own : workedMilliseconds() - begun
      if (turn > 0) all.get(name)?.push(time)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(all.get(name) ?? [])])) as Record<Name, number>
}

/** What a program prints. */
function outputOf(command: string, ...args: string[]): Buffer {
  const { error, status, stdout, stderr } = spawnSync(command, args, { maxBuffer: 2 ** 30 })
  if (error) throw error
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
  return stdout
}

/** The processor time of a program, in milliseconds. */
function run(command: string, ...args: string[]): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null'
  const { error, stderr } = spawnSync('bash', ['-c', script, 'bash', command, ...args], { encoding: 'utf8' })
  const [user, system] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  if (error || user === undefined || system === undefined) throw new Error(`${command}: ${error ?? stderr}`)
  return 1000 * (user + system)
}

async function measurePlaces(size: string): Promise<void> {
  const time = await taken({
    ours: () => new Dataset(fileOnDisk(path), path).load(),
    wc: () => run('wc', '-l', path),
  })
  report({
    what: `Positions of all samples, ${size}`,
    ours: milliseconds(time.ours),
    peers: `\`wc -l\` ${milliseconds(time.wc)}`,
    ...atMost(time.ours / time.wc, 3, times),
  })
}

async function measureSearch(size: string): Promise<void> {
  const found = outputOf(process.execPath, program, 'filter', rareWord, path)
  if (!found.equals(outputOf('rg', rareWord, path))) throw new Error('ripgrep finds other lines')
  const time = await taken({
    ours: () => run(process.execPath, program, 'filter', rareWord, path),
    rg: () => run('rg', rareWord, path),
    alone: () => run(process.execPath, '-e', alone.reading, path),
  })
  report({
    what: `\`ocm filter\` for a word, ${size}`,
    ours: milliseconds(time.ours),
    peers: `\`rg\` ${milliseconds(time.rg)}, Node.js reading and \`indexOf\` alone ${milliseconds(time.alone)}`,
    ...atMost(time.ours / time.rg, 4, times),
  })
}

async function measureColumns(size: string): Promise<void> {
  const connection = await duckDbIn(duckdb, availableParallelism())
  const columns = `SELECT len(messages) AS messages,
      len(list_filter(messages, lambda it: it.role = 'user')) AS turns,
      list_sum(list_transform(messages, lambda it: coalesce(length(it.content), 0))) AS chars,
      list_sum(list_transform(messages, lambda it: coalesce(len(it.tool_calls), 0))) AS calls,
      id, source, score
    FROM read_json('${path}', format = 'newline_delimited')`
  const names = 'messages,turns,chars,calls,id,source,score'
  const time = await taken({
    ours: () => run(process.execPath, program, 'stats', '--format', 'json', '--columns', names, path),
    duckdb: () => connection.run(`CREATE OR REPLACE TABLE columns AS ${columns}`),
    alone: () => run(process.execPath, '-e', alone.parsing, path),
  })
  report({
    what: `Columns without tokens and problems, ${size}`,
    ours: milliseconds(time.ours),
    peers: `DuckDB \`read_json\` ${milliseconds(time.duckdb)}, Node.js decoding and \`JSON.parse\` alone ${milliseconds(time.alone)}`,
    ...atMost(time.ours / time.duckdb, 1.5, times),
  })
}

async function measureReopening(size: string): Promise<void> {
  if (statSync(path).size < leastIndexed) return // nothing is kept of such a file
  const kept = { store: indexStoreOnDisk(join(folder, 'indexes')), address: path, program: 'bench' }
  const opened = async () => {
    const dataset = new Dataset(fileOnDisk(path), path, undefined, kept)
    const pass = new ColumnPass(dataset, {
      options: () => ({ dialect: 'auto' }),
      count: async () => undefined,
      changed: () => undefined,
    })
    await pass.read('chars')
    if (pass.valuesOf('chars')?.size !== dataset.index.size) throw new Error('The columns are not there')
    return { pass, dataset, rows: await dataset.sampleAt(0) }
  }
  const begun = workedMilliseconds()
  await opened()
  const first = workedMilliseconds() - begun
  while (!(await kept.store.read(`columns ${path}`))) await new Promise((done) => setTimeout(done, 50))
  const time = await taken({ ours: opened })
  report({
    what: `Open again, to rows and columns, ${size}`,
    ours: milliseconds(time.ours),
    peers: `the first time ${milliseconds(first)}`,
    ...atMost(time.ours, 300, milliseconds),
  })
}

/** A list of a million samples whose columns are known. */
async function measureFilterAndSort(): Promise<void> {
  const count = million
  const values = new Map(
    (
      [
        ['turns', (at: number) => (at * 7919) % 17],
        ['score', (at: number) => ((at * 104729) % count) / count],
      ] as const
    ).map(([name, of]) => {
      const column = new ColumnValues()
      for (let at = 0; at < count; at++) column.add(of(at))
      return [name as string, column] as const
    }),
  )
  const view = {
    index: { size: count, numberOf: (place: number) => place + 1 },
    load: async () => undefined,
  } as unknown as DatasetView
  const parts = {
    options: () => ({ dialect: 'auto' }) as const,
    count: async () => undefined,
    columns: {
      fields: ['score'],
      valuesOf: (name: string) => values.get(name),
      read: async (name: string) => values.get(name),
    },
    changed: () => undefined,
    reordered: () => undefined,
  }
  const listing = new Listing(view, parts)
  let turn = 0
  const filter = async () => {
    listing.setQuery(`turns>=8 score<0.${5 + (turn++ % 2)}`)
    await listing.whenFound()
  }
  const filtered = await taken({ ours: filter })
  if (listing.size < count / 5) throw new Error('The query finds other samples')
  report({
    what: 'Filter 1,000,000 samples by two columns',
    ours: milliseconds(filtered.ours),
    ...atMost(filtered.ours, 50, milliseconds),
  })
  listing.setQuery('')
  await listing.whenFound()
  const sorted = await taken({
    ours: () => listing.setSorting({ column: 'score', isDescending: turn++ % 2 === 0 }),
  })
  report({
    what: 'Sort 1,000,000 samples by a number',
    ours: milliseconds(sorted.ours),
    ...atMost(sorted.ours, 300, milliseconds),
  })
}
