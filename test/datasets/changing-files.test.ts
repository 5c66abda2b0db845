/** Datasets that change while their samples are read, taken along, deleted, or saved. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChangedFileError } from '../../client/src/datasets/byte-file.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { FolderDataset } from '../../client/src/datasets/folder-dataset.ts'
import { deleteFrom, takenLines } from '../../client/src/datasets/matching-samples.ts'
import { findFixes } from '../../client/src/datasets/safe-fixes-of-matching.ts'
import { memorySpool } from '../../client/src/datasets/unpacked-file.ts'
import { ChangeLog } from '../../core/src/internal.ts'
import { sessionOf } from './list-page.ts'
import { type MemoryFile, memoryFile, textIn } from './memory-file.ts'

const line = (word: string) => `{"messages": [{"role": "user", "content": "${word}"}]}\n`
const before = line('a1') + line('b2') + line('a3')
const makeSpool = () => memorySpool(2 ** 20)

/** What happens to a file with {@link before}: what it has then, and whether its samples are where they were. */
const changes = [
  ['is replaced by samples of the same lengths', line('x1') + line('y2') + line('z3'), false],
  ['has a sample more at its beginning', line('a0') + before, false],
  ['is cut off', before.slice(0, 60), false],
  ['is empty', '', false],
  ['has a sample more at its end', before + line('a4'), true],
] as const

/** Does `act` once, when a range is read for the `nth` time. */
function atRead(file: MemoryFile, nth: number, act: () => void): void {
  const { read } = file
  let nReads = 0
  file.read = async (range) => {
    if (++nReads === nth) act()
    return read(range)
  }
}

async function listOf(file: MemoryFile, query = '') {
  const dataset = new Dataset(file, 'a.jsonl')
  await dataset.load()
  const session = sessionOf(dataset)
  if (query !== '') session.search(query)
  const samples = await session.matching()
  const part = { address: 'a', dataset, first: 0, generation: dataset.generation }
  return { dataset, session, samples, part }
}

function folderOf(datasets: readonly Dataset[]) {
  return new FolderDataset<number>({
    find: async () => ({
      files: datasets.map((_, it) => ({ address: it, name: `${it}.jsonl` })),
      leftOut: [],
    }),
    use: (address) => datasets[address] as Dataset,
    release: () => undefined,
  })
}

async function exported(samples: Parameters<typeof takenLines>[0]): Promise<string> {
  const taken = { lines: 0, omitted: 0, lossy: 0 }
  let text = ''
  for await (const it of takenLines(samples, undefined, taken)) text += `${textIn(it)}\n`
  return text
}

for (const [name, after, isLonger] of changes) {
  for (const when of ['before it is read', 'while it is read', 'and is read again']) {
    test(`an export of a file that ${name} ${when} has the samples of before, or fails`, async () => {
      const file = memoryFile(before)
      const { dataset, samples } = await listOf(file)
      if (when === 'while it is read') atRead(file, 1, () => file.overwrite(after))
      else file.overwrite(after)
      if (when === 'and is read again') await dataset.refresh()
      if (isLonger) assert.equal(await exported(samples), before)
      else await assert.rejects(exported(samples), ChangedFileError)
    })
  }

  test(`deleting matching samples of a file that ${name} deletes those that were listed, or none`, async () => {
    for (const isReadAgain of [true, false]) {
      for (const query of ['', 'a']) {
        const file = memoryFile(before)
        const { dataset, samples, part } = await listOf(file, query)
        file.overwrite(after)
        if (isReadAgain) await dataset.refresh()
        const deleted = deleteFrom(part, samples, new ChangeLog(makeSpool))
        if (isLonger && isReadAgain) {
          assert.equal(await deleted, true)
          assert.equal(textIn(file.bytes), query === '' ? line('a4') : line('b2') + line('a4'))
        } else {
          await assert.rejects(deleted, ChangedFileError)
          assert.equal(textIn(file.bytes), after)
        }
      }
    }
  })

  test(`deleting matching samples of a file that ${name} meanwhile, and is read again, deletes none`, async () => {
    const file = memoryFile(before)
    const { dataset, samples, part } = await listOf(file, 'a')
    let refreshed: Promise<void> | undefined
    atRead(file, 1, () => {
      file.overwrite(after)
      refreshed = dataset.refresh()
    })
    await assert.rejects(deleteFrom(part, samples, new ChangeLog(makeSpool)), ChangedFileError)
    await refreshed
    assert.equal(textIn(file.bytes), after)
  })

  test(`fixes of a file that ${name} while they are looked for are those of before, or none`, async () => {
    const file = memoryFile(before)
    const { samples, part } = await listOf(file)
    atRead(file, 1, () => file.overwrite(after))
    const found = findFixes({ files: [part], samples, makeSpool, onSample: () => undefined })
    if (isLonger) assert.equal((await found).nSamples, 0)
    else await assert.rejects(found, ChangedFileError)
  })
}

test('a sample that is saved here while others are exported is exported as before or as after', async () => {
  const file = memoryFile(before)
  const { dataset, samples } = await listOf(file)
  let saved: Promise<void> | undefined
  atRead(file, 1, () => {
    saved = dataset.bytesOf(0).then((bytes) => dataset.replace(0, bytes, line('much longer').trimEnd()))
  })
  const text = await exported(samples)
  await saved
  assert.ok([before, textIn(file.bytes)].includes(text), text)
  assert.equal(textIn(await dataset.bytesOf(2)), line('a3').trimEnd())
})

test('a file that is read again at the moment of a save keeps the places of its samples', async () => {
  const file = memoryFile(before)
  const { dataset } = await listOf(file)
  const { replace } = file
  let refreshed: Promise<void> | undefined
  file.replace = async (...args) => {
    const version = await replace(...args)
    refreshed = dataset.refresh()
    await new Promise((done) => setImmediate(done))
    return version
  }
  await dataset.replace(0, await dataset.bytesOf(0), line('much longer').trimEnd())
  await refreshed
  assert.equal(textIn(await dataset.bytesOf(2)), line('a3').trimEnd())
  assert.equal(dataset.index.size, 3)
})

test('a save that fails leaves what can be undone', async () => {
  const file = memoryFile(before)
  const { dataset } = await listOf(file)
  await dataset.change(0, await dataset.bytesOf(0), { kind: 'delete' })
  const { replace } = file
  file.replace = async () => Promise.reject(new Error('full'))
  await assert.rejects(dataset.replace(0, await dataset.bytesOf(0), line('c').trimEnd()), /full/)
  file.replace = replace
  assert.equal(await dataset.undoChange(), true)
  assert.equal(textIn(file.bytes), before)
})

test('a search that could not look at all samples is not taken along', async () => {
  const file = memoryFile(before)
  const { session } = await listOf(file)
  const { read } = file
  file.read = async () => Promise.reject(new Error('the device reports an error'))
  session.search('a')
  await assert.rejects(session.matching(), /the device reports an error/)
  file.read = read
  session.search('a3')
  assert.equal((await session.matching()).size, 1)
})

test('a file that changes while others of its folder are read is listed as it is then', async () => {
  const files = [memoryFile(line('a')), memoryFile(before)]
  const datasets = files.map((it) => new Dataset(it, 'a.jsonl'))
  const folder = folderOf(datasets)
  const { chunks } = files[1] as MemoryFile
  ;(files[1] as MemoryFile).chunks = async function* () {
    files[0]?.overwrite(line('b') + line('a'))
    await datasets[0]?.refresh()
    yield* chunks()
  }
  await folder.load()
  let text = ''
  for await (const { bytes } of folder.samples()) text += `${textIn(bytes ?? new Uint8Array())}\n`
  assert.equal(text, line('b') + line('a') + before)
})

test('an export of a folder fails if one of its files is another one by then', async () => {
  const files = [memoryFile(line('a')), memoryFile(before)]
  const datasets = files.map((it) => new Dataset(it, 'a.jsonl'))
  const folder = folderOf(datasets)
  await folder.load()
  const { generation } = folder
  const samples = {
    dataset: folder,
    generation,
    query: '',
    size: 4,
    isAboutBroken: false,
    options: { dialect: 'auto' } as const,
    has: () => true,
  }
  assert.equal(await exported(samples), line('a') + before)
  files[1]?.overwrite(line('b') + before)
  await assert.rejects(exported(samples), ChangedFileError)
  await datasets[1]?.refresh()
  await assert.rejects(exported(samples), ChangedFileError)
  assert.equal(await exported({ ...samples, generation: folder.generation }), line('a') + line('b') + before)
})
