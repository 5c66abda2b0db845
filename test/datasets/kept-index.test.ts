/** Indexes that are kept on a disk: a file opens without being read, and an index that is not its own is never used. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { type IndexStore, indexStoreOnDisk } from '../../client/disk/index-store.ts'
import { ColumnPass } from '../../client/src/datasets/column-pass.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { leastIndexed } from '../../client/src/datasets/kept-index.ts'
import type { SummaryOptions } from '../../client/src/datasets/summary.ts'
import {
  ColumnValues,
  SampleIndex,
  type StoredIndex,
  storedBytes,
  storedIndexIn,
} from '../../core/src/internal.ts'
import { folder } from '../cli/run-ocm.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { type MemoryFile, memoryFile } from './memory-file.ts'

/** Samples of half a megabyte: few of them make a file that is large enough. */
const padding = 'x'.repeat(2 ** 19)
const samples = Array.from({ length: 20 }, (_, id) =>
  JSON.stringify({
    id,
    source: `source-${id % 3}`,
    messages: [
      { role: 'user', content: `Question ${id}` },
      { role: 'assistant', content: `${padding.slice(id)}secret` },
    ],
  }),
)
const lines = `${samples.join('\n')}\n`
const list = `[\n${samples.join(',\n')}\n]\n`

interface Opened {
  readonly dataset: Dataset
  readonly pass: ColumnPass
  /** Ends it, and waits until what is kept is written. */
  close(): Promise<void>
}

interface World {
  readonly file: MemoryFile & { nChunks: number }
  readonly store: IndexStore & { writes: number }
  readonly path: string
  open(options?: { readonly program?: string; readonly judge?: Partial<SummaryOptions> }): Promise<Opened>
}

function world(t: TestContext, content: string, name = 'a.jsonl'): World {
  const path = folder(t, {})
  const memory = memoryFile(content)
  const { chunks } = memory
  const file = Object.assign(memory, {
    nChunks: 0,
    async *chunks() {
      for await (const it of chunks()) {
        file.nChunks++
        yield it
      }
    },
  })
  const disk = indexStoreOnDisk(path)
  const store = {
    writes: 0,
    read: disk.read,
    write(key: string, bytes: Uint8Array) {
      store.writes++
      return disk.write(key, bytes)
    },
  }
  return {
    file,
    store,
    path,
    async open({ program = 'a', judge = {} } = {}) {
      file.nChunks = 0
      file.nRead = 0
      const kept = { store, address: name, program }
      const dataset = new Dataset(file, name, undefined, kept)
      const pass = new ColumnPass(dataset, {
        options: () => ({ dialect: 'auto', ...judge }),
        count: async (texts) => texts.map((it) => it.length),
        changed: () => undefined,
      })
      await pass.read('chars')
      const settled = () => Promise.all([dataset.kept, pass.kept])
      await settled()
      const close = async () => {
        pass.dispose()
        dataset.dispose()
        await settled()
      }
      return { dataset, pass, close }
    },
  }
}

/** All that a list asks of columns. */
function told({ dataset, pass }: Opened): unknown {
  const places = Array.from({ length: dataset.index.size }, (_, place) => [
    dataset.index.rangeOf(place),
    dataset.index.numberOf(place),
    dataset.index.positionOf(place),
  ])
  const columns = ['form', 'messages', 'turns', 'chars', 'errors', 'warnings'].map((name) => [
    name,
    Array.from({ length: dataset.index.size }, (_, place) => pass.valuesOf(name)?.at(place)),
    pass.statisticsOf(name).numbers(name)?.histogram(5),
    pass.statisticsOf(name).values(name)?.top(3),
  ])
  return { places, columns, fields: pass.fields }
}

for (const [name, content] of [
  ['a.jsonl', lines],
  ['a.json', list],
] as const) {
  test(`${name} opens again without being read, and shows the same`, async (t) => {
    const it = world(t, content, name)
    const first = await it.open()
    assert.ok(it.file.nChunks > 1)
    const expected = told(first)
    await first.pass.read('tokens')
    await first.close()
    const again = await it.open()
    assert.deepEqual(told(again), expected)
    assert.equal(it.file.nChunks, 0, 'the file is not read')
    assert.ok(it.file.nRead < 2 ** 20, 'but for blocks that say that it is the same')
    assert.equal(again.pass.valuesOf('tokens')?.size, 20, 'counts of tokens are kept as well')
    const { writes } = it.store
    await again.close()
    assert.equal(it.store.writes, writes, 'nothing is written again')
  })
}

test('values of a field are read when they are asked for', async (t) => {
  const it = world(t, lines)
  await (await it.open()).close()
  const again = await it.open()
  assert.deepEqual(again.pass.fields, ['id', 'source'])
  assert.deepEqual(
    again.pass.fields?.map((name) => again.pass.isNumber(name)),
    [true, false],
  )
  assert.equal(again.pass.statisticsOf('source').values('source'), undefined)
  assert.equal((await again.pass.read('source'))?.at(4), 'source-1')
  assert.deepEqual(again.pass.statisticsOf('source').values('source')?.top(1), [['source-0', 7]])
})

test('what is kept has no text of samples', async (t) => {
  const it = world(t, lines)
  const { close, pass } = await it.open()
  await pass.read('source')
  await close()
  const names = readdirSync(it.path)
  assert.equal(names.length, 2)
  for (const name of names) {
    const text = readFileSync(join(it.path, name), 'latin1')
    for (const part of ['secret', 'Question', 'source-', padding.slice(0, 9)])
      assert.ok(!text.includes(part), part)
    assert.equal(statSync(join(it.path, name)).mode & 0o077, 0, 'others cannot read it')
  }
})

test('an index of another version, program, or way to judge is not used', async (t) => {
  const it = world(t, lines)
  const expected = told(await it.open())
  await it.open({ program: 'b' })
  assert.ok(it.file.nChunks > 0, 'another program')
  const warns: Partial<SummaryOptions> = { settings: [new Map([['no-answer', 'error' as const]])] }
  await it.open({ program: 'b', judge: warns })
  assert.equal(it.file.nChunks, 0, 'places do not depend on how samples are judged')
  assert.ok(it.file.nRead > 2 ** 20, 'but columns do')
  // The same size, and the same time as far as its clock tells; only the middle is another.
  const middle = Math.floor(it.file.bytes.length / 2) + 2 ** 18
  it.file.bytes.fill(0x79, middle - 2 ** 17, middle + 2 ** 17)
  const other = await it.open({ program: 'b' })
  assert.ok(it.file.nChunks > 0, 'other bytes')
  assert.deepEqual(told(other), expected, 'which are of the same length here')
  it.file.overwrite(lines.replace('Question 1"', 'Question one"'))
  await it.open({ program: 'b' })
  assert.ok(it.file.nChunks > 0, 'another size')
})

test('a save is in the index when the file opens again', async (t) => {
  const it = world(t, lines)
  const { dataset, pass, close } = await it.open()
  const before = await dataset.bytesOf(3)
  await dataset.replace(3, before, samples[3]?.replace('Question 3', 'Another question') ?? '')
  await pass.sampleChanged(3, before)
  const expected = told({ dataset, pass, close })
  await close()
  const again = await it.open()
  assert.equal(it.file.nChunks, 0)
  assert.deepEqual(told(again), expected)
})

test('small files keep no index', async (t) => {
  const small = `${JSON.stringify({ messages: [{ role: 'user', content: 'x' }] })}\n`
  assert.ok(small.length < leastIndexed)
  const it = world(t, small)
  await (await it.open()).close()
  assert.equal(it.store.writes, 0)
})

test('an index that is cut off, damaged, or renamed is none', async (t) => {
  const it = world(t, lines)
  const expected = told(await it.open())
  const names = readdirSync(it.path)
  const originals = names.map((name) => readFileSync(join(it.path, name)))
  const damage: readonly (readonly [what: string, (path: string, index: number) => void])[] = [
    ['cut off', (path, index) => truncateSync(path, (originals[index]?.length ?? 0) >> 1)],
    ['empty', (path) => truncateSync(path, 0)],
    [
      'a bit is another',
      (path, index) => {
        const bytes = Buffer.from(originals[index] ?? '')
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
        writeFileSync(path, bytes)
      },
    ],
    ['the other one', (path, index) => writeFileSync(path, originals[1 - index] ?? '')],
  ]
  for (const [what, break_] of damage) {
    for (const [index, name] of names.entries()) break_(join(it.path, name), index)
    assert.deepEqual(told(await it.open()), expected, what)
    assert.ok(it.file.nChunks > 0, what)
  }
})

test('bytes that are any index are never a mistake of ours', () => {
  const index = fc.record({
    head: fc.jsonValue(),
    arrays: fc.array(
      fc.oneof(fc.uint32Array({ maxLength: 9 }), fc.float64Array({ maxLength: 9, noNaN: true })),
      { maxLength: 4 },
    ),
  })
  const check = (stored: StoredIndex) => {
    for (const kind of ['lines', 'list'] as const) {
      const places = SampleIndex.from(kind, stored.arrays, 1000)
      if (!places) continue
      let end = 0
      for (let place = 0; place < places.size; place++) {
        const range = places.rangeOf(place)
        assert.ok(end <= range.start && range.start <= range.end && range.end <= 1000)
        end = range.end
      }
    }
    const values = ColumnValues.from(stored)
    if (values) for (let place = 0; place < values.size; place++) values.at(place)
  }
  fc.assert(
    fc.property(index, fc.nat(), fc.nat({ max: 255 }), (stored, at, byte) => {
      const bytes = storedBytes(stored)
      assert.deepEqual(
        storedIndexIn(bytes),
        JSON.parse(JSON.stringify(stored.head)) === undefined
          ? undefined
          : {
              head: JSON.parse(JSON.stringify(stored.head)),
              arrays: stored.arrays,
            },
      )
      check(stored)
      assert.equal(storedIndexIn(bytes.slice(0, at % bytes.length)), undefined, 'cut off')
      bytes[at % bytes.length] = byte
      const other = storedIndexIn(bytes)
      if (other) check(other)
    }),
    { numRuns: Math.min(propertyRuns, 500) },
  )
})

test('indexes that were used longest ago make room', async (t) => {
  const path = folder(t, {})
  const store = indexStoreOnDisk(path, { files: 3, bytes: 1000 })
  const age = () => {
    for (const name of readdirSync(path)) {
      const file = join(path, name)
      const { mtimeMs } = statSync(file)
      utimesSync(file, mtimeMs / 1000 - 100, mtimeMs / 1000 - 100)
    }
  }
  for (let nth = 1; nth <= 3; nth++) {
    await store.write(`${nth}`, new Uint8Array(100))
    age()
  }
  assert.ok(await store.read('1'), 'which makes it the last one that was used')
  await store.write('4', new Uint8Array(100))
  const left = await Promise.all(
    ['1', '2', '3', '4'].map(async (key) => (await store.read(key)) !== undefined),
  )
  assert.deepEqual(left, [true, false, true, true])
  age() // the clock of the files may be behind that of the program
  await store.write('5', new Uint8Array(900))
  assert.deepEqual(readdirSync(path).length, 1, 'all of them take 1,000 bytes at most')
  await store.write('6', new Uint8Array(2000))
  assert.equal(await store.read('6'), undefined, 'what is larger is not kept')
})
