/** `ocm stats --format parquet`: the file as DuckDB reads it, and the recipes of docs/scale.md. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { StatsParquet } from '../../cli/src/stats/stats-parquet.ts'
import { ColumnTable, readSample, sampleJudge, viewOfSample } from '../../core/src/internal.ts'
import { installDuckdb } from '../../scripts/bench/install-peers.mjs'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { nightly } from '../helpers/nightly.ts'
import { folder, ocm, program } from './run-ocm.ts'

type Row = Readonly<Record<string, unknown>>

/** The rows of a Parquet file, by a reader that is not a database. */
async function rowsOf(bytes: Uint8Array): Promise<readonly Row[]> {
  const file = new Uint8Array(bytes).buffer
  return parquetReadObjects({ file })
}

async function written(
  tables: readonly (readonly [file: string, samples: readonly object[]])[],
  names?: readonly string[],
): Promise<{ readonly rows: readonly Row[]; readonly nWrites: number; readonly hasMoreFields: boolean }> {
  const parquet = new StatsParquet(names)
  for (const [file, samples] of tables) {
    const table = new ColumnTable(names)
    samples.forEach((it, index) => {
      const sample = readSample(Buffer.from(JSON.stringify(it)), { rest: 'source' })
      table.add(viewOfSample(sample, index + 1, { judge: sampleJudge({}) }))
    })
    await parquet.add(file, table.data())
  }
  const pieces: Uint8Array[] = []
  await parquet.writeTo({ writeBytes: async (bytes) => void pieces.push(bytes) })
  await parquet.close()
  const { hasMoreFields } = parquet
  return { rows: await rowsOf(Buffer.concat(pieces)), nWrites: pieces.length, hasMoreFields }
}

const messages = [
  { role: 'user', content: 'Why?' },
  { role: 'assistant', content: 'Because.' },
]

test('each sample is a row, in the order of the files', async () => {
  const { rows } = await written([
    ['a.jsonl', [{ messages, score: 1 }, { messages }]],
    ['b.jsonl', [{ messages, score: 0.5, isNew: true }]],
  ])
  const told = rows.map(({ file, line, form, turns, score, isNew, labels, trained }) => {
    return { file, line, form, turns, score, isNew, labels: labels ?? null, trained }
  })
  const common = { form: 'messages', turns: 1n, labels: null, trained: null }
  assert.deepEqual(told, [
    { file: 'a.jsonl', line: 1n, score: 1, isNew: null, ...common },
    { file: 'a.jsonl', line: 2n, score: null, isNew: null, ...common },
    { file: 'b.jsonl', line: 1n, score: 0.5, isNew: true, ...common },
  ])
  assert.ok(!rows.some((it) => Object.values(it).some((value) => String(value).includes('Because'))))
})

test('fields have the type of all their values, and none is lost', async () => {
  const value = fc.oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.string({ maxLength: 20 }),
  )
  const samples = fc.array(fc.record({ a: value, b: value, File: value }, { requiredKeys: [] }), {
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(samples, { maxLength: 3 }), async (parts) => {
      const tables = parts.map(
        (part, index) => [`${index}.jsonl`, part.map((it) => ({ messages, ...it }))] as const,
      )
      const { rows } = await written(tables)
      const all = tables.flatMap(([, samples]) => samples) as readonly Row[]
      assert.equal(rows.length, all.length)
      for (const [column, source] of [
        ['a', 'a'],
        ['b', 'b'],
        ['File_', 'File'],
      ] as const) {
        const values = all.map((it) => it[source])
        const kinds = new Set(values.filter((it) => it !== undefined).map((it) => typeof it))
        const asText = (it: unknown) => (it === undefined ? null : String(Object.is(it, -0) ? 0 : it))
        const found = rows.map((it) => it[column] ?? null)
        if (kinds.size > 1) assert.deepEqual(found, values.map(asText))
        else
          assert.deepEqual(
            found.map((it) => (it === null ? null : String(it))),
            values.map(asText),
          )
      }
    }),
    { numRuns: Math.min(propertyRuns, 100) },
  )
})

test('fields beyond the first 200 are left out, which is known', async () => {
  const fields = (from: number, to: number) => [
    {
      messages,
      ...Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`k${from + index}`, 1])),
    },
  ]
  const all = await written([['a.jsonl', fields(0, 200)]])
  const many = await written([['a.jsonl', fields(0, 201)]])
  const manyInAll = await written([
    ['a.jsonl', fields(0, 150)],
    ['b.jsonl', fields(100, 201)],
  ])
  assert.deepEqual(
    [all, many, manyInAll].map((it) => it.hasMoreFields),
    [false, true, true],
  )
  for (const { rows } of [all, many, manyInAll])
    assert.equal(Object.keys(rows[0] ?? {}).filter((it) => /^k\d/.test(it)).length, 200)
})

test('columns that are named are those that are there, also without any sample', async () => {
  const { rows } = await written([['a.jsonl', [{ messages, tags: ['x', 'y'], kind: 1 }]]], ['chars', 'tags'])
  assert.deepEqual(rows, [{ file: 'a.jsonl', chars: 12n, tags: ['x', 'y'] }])
  assert.deepEqual((await written([])).rows, [])
})

test('rows are written in groups, so that memory does not grow with them', async () => {
  const cells = new Array<number>(40_000).fill(7)
  const table = {
    nRows: cells.length,
    columns: { chars: { kind: 'integer', cells } },
    hasMoreFields: false,
  } as const
  const parquet = new StatsParquet(['chars'])
  for (let part = 0; part < 10; part++) await parquet.add('a.jsonl', table)
  const pieces: Uint8Array[] = []
  await parquet.writeTo({ writeBytes: async (bytes) => void pieces.push(bytes) })
  await parquet.close()
  assert.equal(pieces.length, 5 + 1, 'groups of 80,000 rows, and the footer')
  const rows = await rowsOf(Buffer.concat(pieces))
  assert.equal(rows.length, 400_000)
  assert.ok(rows.every(({ chars }) => chars === 7n))
})

test('options for sums are refused', async (t) => {
  const cwd = folder(t, { 'a.jsonl': `${JSON.stringify({ messages })}\n` })
  for (const option of [['--by', 'form'], ['--max-length', '3'], ['--merge']]) {
    const { status, stderr } = await ocm(['stats', '--format', 'parquet', ...option, 'a.jsonl'], { cwd })
    assert.equal(status, 2)
    assert.match(stderr, /cannot be used with `--format parquet`/)
  }
})

/** A DuckDB in memory; undefined, with the reason, where npm cannot install it. */
async function duckdb(t: TestContext): Promise<((sql: string) => Promise<readonly Row[]>) | undefined> {
  let modules: string
  try {
    modules = installDuckdb(() => undefined).modules
  } catch (error) {
    if (process.env.CI) throw error
    t.skip(`npm could not install DuckDB: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
  const { DuckDBInstance } = createRequire(join(modules, 'index.js'))('@duckdb/node-api')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  return async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
}

nightly('DuckDB reads the columns, and the recipes of the documentation do what they say', async (t) => {
  const query = await duckdb(t)
  if (!query) return
  const page = readFileSync('docs/scale.md', 'utf8')
  const [sums = '', longest = ''] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, it]) => it ?? '')
  // Shards have 1024 samples in turn.
  const lines = Array.from({ length: 1200 }, (_, index) => {
    const content = 'word '.repeat(index % 75 === 0 ? 50 + index / 75 : 1)
    const source = index % 3 === 0 ? 'wiki' : 'chat'
    return JSON.stringify({ source, messages: [messages[0], { role: 'assistant', content }] })
  })
  const cwd = folder(t, { 'data.jsonl': `${lines.join('\n')}\n` })
  for (const [name, shard] of [
    ['columns', []],
    ['part-1', ['--shard', '1/2']],
    ['part-2', ['--shard', '2/2']],
  ] as const) {
    const args = ['stats', '--format', 'parquet', '--jobs', '1', ...shard, 'data.jsonl']
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd })
    assert.equal(status, 0, String(stderr))
    writeFileSync(join(cwd, `${name}.parquet`), stdout)
  }
  const here = (sql: string) => sql.replaceAll("'columns.parquet'", `'${join(cwd, 'columns.parquet')}'`)
  const found = await query(here(sums))
  assert.deepEqual(
    found.map(({ source, samples }) => [source, Number(samples)]),
    [
      ['chat', 800],
      ['wiki', 400],
    ],
  )
  const [row] = await query(here(longest))
  const { stdout } = await ocm(['filter', String(row?.query), 'data.jsonl'], { cwd })
  const expected = lines.toSorted((one, other) => other.length - one.length).slice(0, 10)
  assert.deepEqual(stdout.trim().split('\n').toSorted(), expected.toSorted())
  const whole = await query(here("SELECT * FROM 'columns.parquet' ORDER BY line"))
  assert.deepEqual(await query(`SELECT * FROM '${join(cwd, 'part-*.parquet')}' ORDER BY line`), whole)
})
