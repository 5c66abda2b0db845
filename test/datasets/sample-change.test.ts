/** Samples that are added, deleted, duplicated, and moved: compared with plain arrays, and every other byte stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChangedFileError } from '../../client/src/datasets/byte-file.ts'
import { Dataset, ReadOnlyError } from '../../client/src/datasets/dataset.ts'
import type { SampleChange } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { memoryFile, textIn } from './memory-file.ts'

const sampleOf = (words: string) => `{"messages":[{"role":"user","content":"${words}"}]}`
const bytesOf = (text: string) => new TextEncoder().encode(text)

async function opened(content: string, name = 'a.jsonl') {
  const file = memoryFile(content)
  const dataset = new Dataset(file, name)
  await dataset.load()
  const samples = async () => {
    const all: string[] = []
    for await (const { bytes } of dataset.samples()) all.push(bytes ? textIn(bytes) : '')
    return all
  }
  const change = async (place: number, it: SampleChange) =>
    dataset.change(place, await dataset.bytesOf(place), it)
  return { file, dataset, samples, change, text: () => textIn(file.bytes) }
}

/** As a list without any file does it. */
function naive(all: readonly string[], place: number, { kind }: SampleChange): readonly string[] {
  const own = all[place] ?? ''
  switch (kind) {
    case 'delete':
      return all.toSpliced(place, 1)
    case 'duplicate':
      return all.toSpliced(place + 1, 0, own)
    case 'add':
      return all.toSpliced(place + 1, 0, sampleOf('new'))
    case 'up':
      return place === 0 ? all : all.toSpliced(place - 1, 2, own, all[place - 1] ?? '')
    case 'down':
      return place === all.length - 1 ? all : all.toSpliced(place, 2, all[place + 1] ?? '', own)
  }
}

test('samples are those that a list would have, in any file, and undo gives back its bytes', async () => {
  const kind = fc.constantFrom('delete', 'duplicate', 'add', 'up', 'down')
  const file = fc.record({
    count: fc.integer({ min: 1, max: 5 }),
    isList: fc.boolean(),
    separator: fc.constantFrom('', '\n', '\r\n', '\n\n', ' '),
    hasEnd: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.array(fc.tuple(kind, fc.nat()), { minLength: 1, maxLength: 4 }),
      async ({ count, isList, separator, hasEnd }, changes) => {
        const all = Array.from({ length: count }, (_, index) => sampleOf(String(index)))
        const lines = /\n/.test(separator) ? separator : '\n'
        const content = isList
          ? `[${separator}${all.join(`,${separator}`)}${separator}]\n`
          : all.join(lines) + (hasEnd ? lines : '')
        const { dataset, samples, change, text } = await opened(content, isList ? 'a.json' : 'a.jsonl')
        const before: string[] = []
        let expected: readonly string[] = all
        for (const [name, at] of changes) {
          if (expected.length <= 1 && name === 'delete') break
          const place = at % expected.length
          const it: SampleChange =
            name === 'add' ? { kind: name, bytes: bytesOf(sampleOf('new')) } : { kind: name }
          const next = naive(expected, place, it)
          const now = text()
          if (await change(place, it)) before.push(now)
          else assert.equal(next, expected)
          expected = next
          assert.deepEqual(await samples(), expected)
          if (isList)
            assert.deepEqual(
              JSON.parse(text()),
              expected.map((sample) => JSON.parse(sample)),
            )
        }
        for (const bytes of before.reverse()) {
          assert.equal(await dataset.undoChange(), true)
          assert.equal(text(), bytes)
        }
        assert.equal(await dataset.undoChange(), false)
        assert.equal(text(), content)
      },
    ),
    { numRuns: Math.min(propertyRuns, 300) },
  )
})

test('the last sample of a file is deleted, and comes back', async () => {
  for (const [content, left] of [
    [`${sampleOf('a')}\n`, '\n'],
    [`[${sampleOf('a')}]`, '[]'],
  ] as const) {
    const { dataset, change, text } = await opened(content, 'a.json')
    assert.equal(await change(0, { kind: 'delete' }), true)
    assert.equal(text(), left)
    assert.equal(await dataset.undoChange(), true)
    assert.equal(text(), content)
  }
})

test('a file that another program changed is left alone, and a save ends what can be undone', async () => {
  const { dataset, file, change, text } = await opened(`${sampleOf('a')}\n${sampleOf('b')}\n`)
  assert.equal(await change(0, { kind: 'down' }), true)
  await dataset.replace(0, await dataset.bytesOf(0), sampleOf('longer than before'))
  assert.equal(await dataset.undoChange(), false)
  assert.equal(await change(0, { kind: 'down' }), true)
  const bytes = await dataset.bytesOf(0)
  file.overwrite(`${sampleOf('z')}\n`)
  await assert.rejects(dataset.undoChange(), ChangedFileError)
  await assert.rejects(dataset.change(0, bytes, { kind: 'delete' }), ChangedFileError)
  await dataset.refresh()
  assert.equal(await dataset.undoChange(), false)
  await assert.rejects(dataset.change(0, bytes, { kind: 'delete' }), ChangedFileError)
  assert.equal(text(), `${sampleOf('z')}\n`)
})

test('a session and a broken list are not changed', async () => {
  const entry = (type: string, uuid: string, parentUuid: string | null, content: unknown) =>
    JSON.stringify({ type, uuid, parentUuid, sessionId: 's', message: { role: type, content } })
  const session = [
    entry('user', '1', null, 'List the files'),
    entry('assistant', '2', '1', [{ type: 'text', text: 'There are two.' }]),
  ].join('\n')
  for (const [content, name] of [
    [`${session}\n`, 'a.jsonl'],
    [`[${sampleOf('a')},`, 'a.json'],
  ] as const) {
    const { change, text } = await opened(content, name)
    await assert.rejects(change(0, { kind: 'duplicate' }), ReadOnlyError)
    assert.equal(text(), content)
  }
})

test('the first sample is added to a file without samples, and undone', async () => {
  const files = [
    ['a.jsonl', '', `${sampleOf('new')}\n`],
    ['a.jsonl', '\ufeff\n\n', `\ufeff\n\n${sampleOf('new')}\n`],
    ['a.json', ' [ ]\n', ` [${sampleOf('new')} ]\n`],
  ] as const
  for (const [name, before, after] of files) {
    const { dataset, samples, text } = await opened(before, name)
    assert.equal(dataset.failure, undefined, name)
    await dataset.addFirst(bytesOf(sampleOf('new')))
    assert.equal(text(), after)
    assert.deepEqual(await samples(), [sampleOf('new')])
    await assert.rejects(dataset.addFirst(bytesOf(sampleOf('new'))), ChangedFileError)
    assert.equal(await dataset.undoChange(), true)
    assert.equal(text(), before)
  }
})
