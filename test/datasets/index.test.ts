/** Where samples stand, whatever the lines end in and wherever chunks are cut; and what an index costs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { RowSource } from '../../client/src/datasets/row-source.ts'
import { cutterFor, SampleIndex } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { memoryFile, textIn } from './memory-file.ts'

async function samplesOf(content: string, name = 'a.jsonl', chunkSize = 1 << 16) {
  const file = memoryFile(content, chunkSize)
  const dataset = new Dataset(file, name)
  await dataset.load()
  const samples: [number, string][] = []
  for (let place = 0; place < dataset.index.size; place++) {
    samples.push([dataset.index.numberOf(place), textIn(await dataset.bytesOf(place))])
  }
  return { dataset, samples }
}

test('lines are found, with any line end, a byte order mark, empty lines and no line break at the end', async () => {
  const { samples } = await samplesOf('\ufeff{"a":1}\r\n\n  \t\r\n{"b":2}\n{"ü":3}')
  assert.deepEqual(samples, [
    [1, '{"a":1}'],
    [4, '{"b":2}'],
    [5, '{"ü":3}'],
  ])
  assert.deepEqual((await samplesOf('')).samples, [])
  assert.deepEqual((await samplesOf('\ufeff')).samples, [])
  assert.deepEqual((await samplesOf('\n\r\n')).samples, [])
})

test('chunks may end anywhere', async () => {
  const line = fc.constantFrom('', ' ', '{}', '"ä"', '{"a": 1}', '€', '\t')
  const content = fc
    .tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n'))), line)
    .map(([mark, lines, last]) => mark + lines.map(([text, end]) => text + end).join('') + last)
  await fc.assert(
    fc.asyncProperty(content, fc.integer({ min: 1, max: 7 }), async (text, chunkSize) => {
      const expected = text
        .replace(/^\ufeff/, '')
        .split('\n')
        .map((it, index): [number, string] => [index + 1, it.replace(/\r$/, '')])
        .filter(([, it]) => it.trim() !== '')
      assert.deepEqual((await samplesOf(text, 'a.jsonl', chunkSize)).samples, expected)
    }),
  )
})

test('the elements of a list are found, and only a list is one', async () => {
  const { samples, dataset } = await samplesOf(
    '\ufeff[\n {"a": "],["},\r\n [1, [2]] , "x\\"" ]\n',
    'a.json',
    3,
  )
  assert.equal(dataset.isList, true)
  assert.deepEqual(samples, [
    [0, '{"a": "],["}'],
    [1, '[1, [2]]'],
    [2, '"x\\""'],
  ])
  const cut = await samplesOf('[{"a": 1},\n{"b', 'a.json')
  assert.equal(cut.dataset.failure, 'The list is not closed: it is cut off in line 2')
  assert.deepEqual(cut.samples, [[0, '{"a": 1}']])
  assert.match((await samplesOf('[] x', 'a.json')).dataset.failure ?? '', /after the end/)
  assert.deepEqual((await samplesOf('[]', 'a.json')).samples, [])
})

nightly(
  'a million lines cost 16 bytes each, and only rows that are looked at are read and remembered',
  async () => {
    const nLines = 1_000_000
    const line = new TextEncoder().encode('{"text":"<|start|>user<|message|>Hi<|end|>"}\n')
    const chunk = new Uint8Array(line.length * 1000)
    for (let at = 0; at < chunk.length; at += line.length) chunk.set(line, at)
    const index = new SampleIndex('lines')
    const scan = cutterFor('lines', (place) => index.add(place))
    for (let count = 0; count < nLines; count += 1000) scan.push(chunk)
    scan.end()
    assert.equal(index.size, nLines)
    assert.ok(index.memory <= 16 * (nLines + (1 << 16)))
    assert.deepEqual(index.rangeOf(nLines - 1), {
      start: (nLines - 1) * line.length,
      end: nLines * line.length - 1,
    })
    assert.equal(index.placeOf(777_777), 777_776)
    assert.equal(index.placeOf(nLines + 1), undefined)

    const file = memoryFile(new Uint8Array([...chunk, ...chunk, ...chunk]))
    const dataset = new Dataset(file, 'a.jsonl')
    await dataset.load()
    assert.equal(file.nRead, 0, 'the index is made of chunks')
    const rows = new RowSource(
      dataset,
      () => ({ dialect: 'auto' }),
      async (texts) => texts.map(() => 1),
    )
    await rows.tell(
      Array.from({ length: 2500 }, (_, place) => place),
      () => {},
      () => true,
    )
    assert.equal(rows.size, 2000)
    assert.equal(file.nRead, 2500 * (line.length - 1))
  },
)

test('elements of a list begin where they begin, whatever the chunks are, and after saves', async () => {
  const element = fc.constantFrom('{}', '[\n1]', '"ü"', '"😀"', '{"€":\r\n[]}')
  const space = fc.constantFrom('', ' ', '\n', '\r\n  ')
  const list = fc.tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.tuple(space, element, space)))
  const check = (dataset: Dataset, mark: string, elements: readonly (readonly string[])[]) => {
    let text = '['
    elements.forEach(([before, it, behind], place) => {
      text += before
      const start = { line: text.split('\n').length - 1, character: text.length - text.lastIndexOf('\n') - 1 }
      assert.deepEqual(dataset.index.positionOf(place), start)
      text += `${it}${behind},`
    })
    return `${mark}${elements.length > 0 ? text.slice(0, -1) : text}]`
  }
  await fc.assert(
    fc.asyncProperty(
      list,
      fc.integer({ min: 4, max: 9 }), // the first one tells whether it is a list
      fc.array(fc.tuple(fc.nat(), element)),
      async ([mark, parts], chunkSize, edits) => {
        const elements = parts.map((it) => [...it] as [string, string, string])
        const text = `${mark}[${elements.map((it) => it.join('')).join(',')}]`
        const file = memoryFile(text, chunkSize)
        const dataset = new Dataset(file, 'a.json')
        await dataset.load()
        assert.equal(check(dataset, mark, elements), text)
        for (const [at, json] of edits) {
          const edited = elements[at % Math.max(1, elements.length)]
          if (!edited) break
          const place = elements.indexOf(edited)
          await dataset.replace(place, await dataset.bytesOf(place), json)
          edited[1] = json
          assert.equal(check(dataset, mark, elements), textIn(file.bytes))
        }
      },
    ),
  )
})

test('a sample that grows moves what stands behind it', () => {
  const index = new SampleIndex('lines')
  for (let place = 0; place < 70_000; place++) {
    const [start, end] = [place * 10, place * 10 + 9]
    index.add({ start, end, number: place + 1, line: place, character: 0 })
  }
  index.resize(1, 14)
  assert.deepEqual(index.rangeOf(0), { start: 0, end: 9 })
  assert.deepEqual(index.rangeOf(1), { start: 10, end: 24 })
  assert.deepEqual(index.rangeOf(69_999), { start: 699_995, end: 700_004 })
  assert.throws(() => index.rangeOf(70_000), RangeError)
})

test('a list costs 16 bytes a sample, wherever its elements begin', () => {
  const index = new SampleIndex('list')
  const cutter = cutterFor('list', (place) => index.add(place))
  const nElements = 200_000
  cutter.push(new TextEncoder().encode(`[${'{"ü":1}, '.repeat(nElements)}0]`))
  cutter.end()
  assert.equal(index.size, nElements + 1)
  assert.ok(index.memory <= 16 * (nElements + (1 << 13)))
  assert.deepEqual(index.positionOf(1000), { line: 0, character: 9001 })
  assert.deepEqual(index.rangeOf(1000), { start: 10_001, end: 10_009 })
})

test('samples of a file of any size have their places', () => {
  const index = new SampleIndex('lines')
  const size = 2 ** 31 // of each of them; a block of the index holds thousands
  for (let place = 0; place < 20; place++)
    index.add({
      start: place * size,
      end: (place + 1) * size - 1,
      number: place + 1,
      line: place,
      character: 0,
    })
  index.add({ start: 20 * size, end: 25 * size, number: 21, line: 20, character: 0 })
  assert.deepEqual(index.rangeOf(19), { start: 19 * size, end: 20 * size - 1 })
  assert.ok(index.rangeOf(20).end - index.rangeOf(20).start > size, 'too large to be read, and known as such')
  index.resize(0, 10)
  assert.deepEqual(index.rangeOf(19), { start: 18 * size + 11, end: 19 * size + 10 })
})
