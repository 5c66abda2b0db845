/** A folder as one dataset: places, numbers, and changes of its files. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import type { Row } from '../../client/src/datasets/dataset-protocol.ts'
import { FolderDataset } from '../../client/src/datasets/folder-dataset.ts'
import { RowSource } from '../../client/src/datasets/row-source.ts'
import { type MemoryFile, memoryFile, textIn } from './memory-file.ts'

const line = (text: string) => `{"messages":[{"role":"user","content":"${text}"}]}\n`

function folderOf(contents: Readonly<Record<string, string>>) {
  const files = new Map<string, MemoryFile>()
  const released: string[] = []
  const datasets = new Map<string, Dataset>()
  const folder = new FolderDataset<string>({
    find: async () => ({
      files: Object.keys(contents).map((name) => ({ address: name, name })),
      leftOut: [],
    }),
    use(name) {
      const file = memoryFile(contents[name] ?? '')
      files.set(name, file)
      const dataset = new Dataset(file, name)
      datasets.set(name, dataset)
      void dataset.load()
      return dataset
    },
    release: (name) => released.push(name),
  })
  return { folder, files, datasets, released }
}

test('samples are in the order of files, and each knows its file and its number there', async () => {
  const { folder, released } = folderOf({
    'a.jsonl': `\n${line('one')}${line('two')}`,
    'b/c.jsonl': '',
    'd.json': `[${line('three')},${line('four')}]`,
  })
  await folder.load()
  assert.equal(folder.progress, undefined)
  assert.equal(folder.index.size, 4)
  assert.deepEqual(
    [0, 1, 2, 3].map((place) => folder.originOf(place)),
    ['a.jsonl:2', 'a.jsonl:3', 'd.json:0', 'd.json:1'],
  )
  assert.deepEqual(folder.addressOf(3), { address: 'd.json', number: 1 })
  assert.equal(
    folder.placeIn((it) => it === 'd.json', 1),
    3,
  )
  const texts: string[] = []
  for await (const { bytes } of folder.samples())
    texts.push(/"content":"(\w+)"/.exec(textIn(bytes ?? new Uint8Array()))?.[1] ?? '')
  assert.deepEqual(texts, ['one', 'two', 'three', 'four'])
  assert.throws(() => folder.addressOf(4), RangeError)
  const rows: Row[] = []
  const options = { dialect: 'auto', settings: [] } as const
  await new RowSource(
    folder,
    () => options,
    async () => undefined,
  ).tell(
    [2],
    (row) => rows.push(row),
    () => true,
  )
  assert.equal(rows[0]?.origin, 'd.json:0')
  folder.dispose()
  assert.deepEqual(released, ['a.jsonl', 'b/c.jsonl', 'd.json'])
})

test('a file that another program changed moves the samples after it, which is told', async () => {
  const { folder, files } = folderOf({ 'a.jsonl': line('one'), 'b.jsonl': line('two') })
  await folder.load()
  const { generation } = folder
  files.get('a.jsonl')?.overwrite(line('one') + line('more'))
  await folder.refresh()
  assert.ok(folder.generation > generation)
  assert.equal(folder.originOf(2), 'b.jsonl:1')
})

test('a folder without datasets, and one with a file that cannot be read, say so', async () => {
  const empty = folderOf({}).folder
  await empty.load()
  assert.match(empty.failure ?? '', /The folder has no datasets/)
  const { folder } = folderOf({ 'a.jsonl': line('one'), 'b.json': `[${line('two')}` })
  await folder.load()
  assert.match(folder.failure ?? '', /^b\.json: The list is not closed/)
  assert.equal(folder.index.size, 1)
  const broken = new FolderDataset<string>({
    find: () => Promise.reject(new Error('no permission')),
    use: () => assert.fail(),
    release: () => assert.fail(),
  })
  await broken.load()
  assert.match(broken.failure ?? '', /The folder cannot be read: no permission/)
})
