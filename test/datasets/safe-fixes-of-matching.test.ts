/** Safe fixes of many samples: found in a list as `ocm check --fix` finds them, and written and taken back as one change. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { nodeDecompression } from '../../client/disk/decompression.ts'
import { diskSpool } from '../../client/disk/disk-spool.ts'
import { type ByteFile, ChangedFileError, type TextFile } from '../../client/src/datasets/byte-file.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { fileOnDisk } from '../../client/src/datasets/disk-file.ts'
import { readSample } from '../../client/src/datasets/listed-sample.ts'
import { findFixes } from '../../client/src/datasets/safe-fixes-of-matching.ts'
import { summaryOf } from '../../client/src/datasets/summary.ts'
import { memorySpool, unpackedFile } from '../../client/src/datasets/unpacked-file.ts'
import { ChangeLog, inverse, type Spool } from '../../core/src/internal.ts'
import { fixable, folder, good, ocm } from '../cli/run-ocm.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { nightly } from '../helpers/nightly.ts'
import { packedBy, parquetWith } from '../sources/packed-files.ts'
import { memoryFile, textIn } from './memory-file.ts'

const encoder = new TextEncoder()
const sampleOf = (text: string, id = 1) => `{"id": ${id}, "text": ${JSON.stringify(text)}}`
const samples = [fixable, good, fixable, good, fixable].map((text, id) => ({ id, text }))
const lines = samples.map(({ id, text }) => sampleOf(text, id))
const repaired = (text: string) => text.replaceAll('|> final', '|>final')

const small = () => memorySpool(2 ** 20)

/** The fixes of the samples at `places`, in a list of one file. */
async function fixesOf(dataset: Dataset, places: readonly number[] = [0, 1, 2, 3, 4], makeSpool = small) {
  await dataset.load()
  return findFixes({
    files: [{ address: 'a', dataset, first: 0, generation: dataset.generation }],
    samples: { has: (place) => places.includes(place), options: { dialect: 'auto' } },
    makeSpool,
    onSample: () => undefined,
  })
}

async function applied(dataset: Dataset, places?: readonly number[]) {
  const found = await fixesOf(dataset, places)
  for (const { changes } of found.files) await dataset.changeAll(changes)
  return found
}

for (const [name, content] of [
  ['a.jsonl', `\ufeff${lines.join('\r\n')}`],
  ['a.json', `[\n  ${lines.join(',\n  ')}\n]\n`],
] as const) {
  test(`fixes of ${name} are those of ocm, and undo gives back its bytes`, async (t) => {
    const cwd = folder(t, { [name]: content })
    const file = memoryFile(content)
    const dataset = new Dataset(file, name)
    const { nSamples, nFixes, nRefused, previews } = await applied(dataset)
    assert.deepEqual([nSamples, nFixes, nRefused], [3, 3, 0])
    assert.deepEqual(
      previews.map(({ before, after }) => [before, after]),
      [0, 1, 2].map(() => [fixable, repaired(fixable)]),
    )
    assert.equal((await ocm(['check', '--fix', '--in-place', name], { cwd })).status, 0)
    assert.equal(textIn(file.bytes), readFileSync(join(cwd, name), 'utf8'))
    assert.equal(textIn(file.bytes), repaired(content))
    assert.equal(await dataset.undoChange(), true)
    assert.equal(textIn(file.bytes), content)
    assert.equal(await dataset.undoChange(), false)
  })
}

test('only matching samples are fixed, and a second change is undone first', async () => {
  const file = memoryFile(lines.join('\n'))
  const dataset = new Dataset(file, 'a.jsonl')
  await applied(dataset, [2])
  const once = textIn(file.bytes)
  assert.equal(once, [lines[0], lines[1], repaired(lines[2] ?? ''), lines[3], lines[4]].join('\n'))
  const first = dataset.lastChange
  await applied(dataset, [0, 4])
  assert.equal(await dataset.undoIfLast(first), false, 'who asks means another change')
  assert.equal(textIn(file.bytes), repaired(lines.join('\n')))
  assert.equal(await dataset.undoChange(), true)
  assert.equal(textIn(file.bytes), once)
  assert.equal(await dataset.undoChange(), true)
  assert.equal(textIn(file.bytes), lines.join('\n'))
})

test('a branch that is not shown is fixed as well, and its difference is shown', async () => {
  const call = { name: 'weather', arguments: { city: 'Oslo', query: null } }
  const parameters = { type: 'object', properties: { city: { type: 'string' } } }
  const json = JSON.stringify({
    prompt: [{ role: 'user', content: 'Weather in Oslo?' }],
    chosen: [{ role: 'assistant', content: 'Rain.' }],
    rejected: [
      { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'c1', content: 'Rain' },
      { role: 'assistant', content: 'Sun.' },
    ],
    tools: [{ type: 'function', function: { name: 'weather', parameters } }],
  })
  const summary = summaryOf(readSample(encoder.encode(json)), { dialect: 'auto' })
  assert.deepEqual(summary.kind === 'good' && [summary.code, summary.warnings], ['W-DATA-NULL-ARGUMENTS', 1])
  const file = memoryFile(json)
  const { previews, nPreviewed } = await applied(new Dataset(file, 'a.jsonl'))
  assert.deepEqual([nPreviewed, previews.map(({ branch }) => branch)], [1, ['rejected']])
  assert.match(previews[0]?.before ?? '', /"query": *null/)
  assert.doesNotMatch(previews[0]?.after ?? '', /null/)
  assert.equal(textIn(file.bytes), json.replace(',"query":null', ''))
})

function editsInMemory(): TextFile & { text: string | undefined } {
  const edits = {
    text: undefined as string | undefined,
    read: async () => edits.text,
    async write(next: string, before: string | undefined) {
      if (edits.text !== before) throw new ChangedFileError()
      edits.text = next
    },
  }
  return edits
}

for (const [name, content] of [
  ['a.jsonl.gz', packedBy('gzip', lines.join('\n'))],
  [
    'a.parquet',
    parquetWith([{ name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8' }], {
      text: samples.map(({ text }) => text),
    }),
  ],
] as const) {
  test(`fixes of ${name} go into its edits, all at once, and are taken back`, async (t) => {
    const edits = editsInMemory()
    const world = { decompression: nodeDecompression, makeSpool: diskSpool }
    const dataset = new Dataset(unpackedFile(memoryFile(content), world, edits), name)
    t.after(() => dataset.dispose())
    const textAt = async (place: number) => JSON.parse(textIn(await dataset.bytesOf(place))).text
    await dataset.load()
    const { generation } = dataset
    const { nSamples } = await applied(dataset)
    assert.equal(nSamples, 3)
    assert.equal(edits.text?.trim().split('\n').length, 3)
    assert.equal(await textAt(4), repaired(fixable))
    assert.notEqual(dataset.generation, generation, 'the list reads its rows again')
    assert.equal((await fixesOf(dataset)).nSamples, 0)
    const written = edits.text
    edits.text = `${written}{"row":99,"hash":"sha256:0","sample":{}}\n`
    await assert.rejects(dataset.undoChange(), ChangedFileError)
    edits.text = written
    assert.equal(await dataset.undoChange(), true)
    assert.equal(edits.text, '')
    assert.equal(await textAt(4), fixable)
  })
}

function onDisk(t: TestContext, content: string): { readonly path: string; readonly file: ByteFile } {
  const path = join(folder(t, { 'a.jsonl': content }), 'a.jsonl')
  return { path, file: fileOnDisk(path) }
}

test('a file on a disk that another program changed is left alone', async (t) => {
  const { path, file } = onDisk(t, lines.join('\n'))
  const dataset = new Dataset(file, 'a.jsonl')
  const [fixes] = (await fixesOf(dataset)).files
  assert.ok(fixes)
  const other = lines.join('\n').replace('Hi', 'Ho')
  writeFileSync(path, other)
  await assert.rejects(dataset.changeAll(fixes.changes), ChangedFileError)
  assert.equal(readFileSync(path, 'utf8'), other)
  const version = await file.version()
  await assert.rejects(
    file.replace(fixes.changes, version),
    ChangedFileError,
    'the bytes are compared as well',
  )
  assert.equal(readFileSync(path, 'utf8'), other)
  writeFileSync(path, lines.join('\n'))
  await dataset.refresh()
  await applied(dataset)
  assert.equal(readFileSync(path, 'utf8'), repaired(lines.join('\n')))
  assert.equal(await dataset.undoChange(), true)
  assert.equal(readFileSync(path, 'utf8'), lines.join('\n'))
})

nightly('changes of any file are written in one swap, and their inverse takes them back', async (t) => {
  const stretch = fc.record({
    kept: fc.uint8Array({ maxLength: 5 }),
    before: fc.uint8Array({ maxLength: 5 }),
    after: fc.uint8Array({ maxLength: 5 }),
  })
  const { path, file } = onDisk(t, '')
  const property = fc.asyncProperty(fc.array(stretch, { maxLength: 6 }), async (stretches) => {
    const original = Buffer.concat(stretches.flatMap(({ kept, before }) => [kept, before]))
    const expected = Buffer.concat(stretches.flatMap(({ kept, after }) => [kept, after]))
    for (const makeSpool of [small, diskSpool]) {
      const log = new ChangeLog(() => makeSpool())
      let at = 0
      for (const [number, { kept, before, after }] of stretches.entries()) {
        await log.add({ number, start: at + kept.length, before, after })
        at += kept.length + before.length
      }
      assert.equal(log.count, stretches.length)
      const memory = memoryFile(original)
      for (const [it, bytes] of [
        [memory, () => memory.bytes],
        [file, () => readFileSync(path)],
      ] as const) {
        if (it === file) writeFileSync(path, original)
        await it.replace(log, await it.version())
        assert.deepEqual([...bytes()], [...expected])
        await it.replace(inverse(log), await it.version())
        assert.deepEqual([...bytes()], [...original])
      }
      await log.close()
    }
  })
  await fc.assert(property, { numRuns: Math.min(propertyRuns, 50) })
})

test('changes are kept in their spool and nowhere else, until it is full', async () => {
  let [size, nClosed] = [0, 0]
  const counted = async (): Promise<Spool> => {
    const spool = await memorySpool(1000)
    return {
      ...spool,
      append(bytes) {
        size += bytes.length
        return spool.append(bytes)
      },
      async close() {
        nClosed++
        await spool.close()
      },
    }
  }
  const log = new ChangeLog(counted)
  assert.equal(size, 0)
  const change = { number: 1, start: 0, before: encoder.encode('x'.repeat(300)), after: new Uint8Array() }
  for (let n = 1; n <= 3; n++) {
    await log.add(change)
    assert.ok(size >= 300 * n)
  }
  await assert.rejects(log.add(change), /The spool is full/)
  await log.close()
  assert.equal(nClosed, 1)
})

test('a search that ends early keeps nothing', async () => {
  const dataset = new Dataset(memoryFile(lines.join('\n')), 'a.jsonl')
  await dataset.load()
  let nOpen = 0
  const makeSpool = async (): Promise<Spool> => {
    const spool = await small()
    nOpen++
    const close = async () => {
      nOpen--
      await spool.close()
    }
    return { ...spool, close }
  }
  const search = findFixes({
    files: [{ address: 'a', dataset, first: 0, generation: dataset.generation }],
    samples: { has: () => true, options: { dialect: 'auto' } },
    makeSpool,
    onSample: (place) => {
      if (place === 3) throw new Error('canceled')
    },
  })
  await assert.rejects(search, /canceled/)
  assert.equal(nOpen, 0)
})
