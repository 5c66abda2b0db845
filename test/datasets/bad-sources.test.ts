/** Bad files in the list of samples: each is named with a clear message, takes bounded memory, and loses nothing that could be read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeDecompression } from '../../client/disk/decompression.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import type { DatasetView } from '../../client/src/datasets/dataset-view.ts'
import { type FolderContent, FolderDataset } from '../../client/src/datasets/folder-dataset.ts'
import { type FolderEntry, filesBelow } from '../../client/src/datasets/folder-walk.ts'
import { memorySpool, unpackedFile } from '../../client/src/datasets/unpacked-file.ts'
import type { Spool } from '../../core/src/internal.ts'
import { withCodec } from '../sources/damaged-parquet.ts'
import { packedBy, parquetOf, parquetWith } from '../sources/packed-files.ts'
import { pageOf, until } from './list-page.ts'
import { memoryFile } from './memory-file.ts'

const samples = Array.from({ length: 40 }, (_, id) => ({
  id,
  messages: [
    { role: 'user', content: `Question ${id}` },
    { role: 'assistant', content: `Answer ${id}` },
  ],
}))
const jsonl = samples.map((it) => `${JSON.stringify(it)}\n`).join('')

const line = jsonl.slice(0, jsonl.indexOf('\n') + 1)

const noEdits = { read: async () => undefined, write: () => assert.fail('nothing is written') }

function dataset(
  name: string,
  content: Uint8Array | string,
  makeSpool: () => Promise<Spool> = () => memorySpool(2 ** 26),
): Dataset {
  return new Dataset(
    unpackedFile(memoryFile(content), { decompression: nodeDecompression, makeSpool }, noEdits),
    name,
  )
}

/** What a list says below its title, and the texts of its first rows. */
async function shown(view: DatasetView): Promise<{ readonly status: string; readonly rows: string[] }> {
  await view.load()
  const { window, session } = pageOf(view)
  const status = () => window.document.querySelector('.status')?.textContent ?? ''
  const rows = () => [...window.document.querySelectorAll('.body .row')].map((it) => it.textContent ?? '')
  await until(() => status() !== '' && !/% read/.test(status()))
  if (view.index.size > 0) await until(() => rows().length > 0 && rows().every((it) => /\S{3}/.test(it)))
  session.dispose()
  return { status: status(), rows: rows() }
}

test('gzip data that is cut off: what came before is listed', async () => {
  const whole = packedBy('gzip', jsonl.repeat(200))
  const { status, rows } = await shown(dataset('cut.jsonl.gz', whole.subarray(0, -60)))
  assert.match(status, /^[\d,]+ samples\. The file cannot be read: the gzip data is cut off$/)
  assert.match(rows[0] ?? '', /Question 0/)
})

test('gzip data that is cut off in its first bytes is a message, and no empty list', async () => {
  const { status } = await shown(dataset('cut.jsonl.gz', packedBy('gzip', jsonl).subarray(0, 12)))
  assert.equal(status, 'The file cannot be read: the gzip data is cut off')
})

test('a Parquet file with an unknown compression names it', async () => {
  const file = withCodec(parquetOf(samples, { codec: 'UNCOMPRESSED' }), 6)
  const { status } = await shown(dataset('a.parquet', file))
  assert.equal(
    status,
    'The file cannot be read: the Parquet file uses the compression LZO, which is not supported',
  )
})

test('rows of Parquet with a nested column that is no conversation say what they have', async () => {
  const file = parquetWith(
    [
      { name: 'turns', num_children: 1, converted_type: 'LIST', repetition_type: 'OPTIONAL' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', num_children: 2, repetition_type: 'OPTIONAL' },
      { name: 'x', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
      { name: 'y', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
    ],
    { turns: [[{ x: 1, y: 2 }], [{ x: 3, y: 4 }]] },
  )
  const { status, rows } = await shown(dataset('points.parquet', file))
  assert.equal(status, '2 samples')
  assert.equal(rows.length, 2)
  for (const row of rows)
    assert.match(row, /Unknown form: the sample has turns\. Map its fields under datasets/)
})

test('a folder with mixed forms lists each sample with its form, and names what failed', async () => {
  const contents: Readonly<Record<string, string | Uint8Array>> = {
    'alpaca.jsonl': '{"instruction": "Add", "input": "1 1", "output": "2"}\n',
    'broken.jsonl.zst': packedBy('zstd', line).subarray(0, -3),
    'chat.parquet': parquetOf(samples.slice(0, 1)),
    'cut.jsonl.gz': packedBy('gzip', jsonl).subarray(0, 9),
    'pair.jsonl': '{"prompt": "Hi", "chosen": "Hello", "rejected": "Go"}\n',
    'points.jsonl': '{"x": 1}\n',
    'shares.json':
      '[{"conversations": [{"from": "human", "value": "One"}, {"from": "gpt", "value": "Two"}]}]',
  }
  const folder = folderOf(
    {
      files: Object.keys(contents).map((name) => ({ address: name, name })),
      leftOut: [],
    },
    contents,
  )
  const { status, rows } = await shown(folder)
  assert.match(status, /^\d+ samples\. broken\.jsonl\.zst: .* the zstd data is cut off \(and 1 more\)$/)
  const forms = await Promise.all(
    rows.map(async (_, place) => {
      const sample = await folder.sampleAt(place)
      return sample.kind === 'good' ? sample.form : sample.message
    }),
  )
  assert.deepEqual(forms, [
    'alpaca',
    'messages', // of the file that is cut off
    'messages',
    'preference',
    'Unknown form: the sample holds neither messages nor a `text`',
    'sharegpt',
  ])
})

function folderOf(
  content: FolderContent<string>,
  contents: Readonly<Record<string, string | Uint8Array>>,
): FolderDataset<string> {
  return new FolderDataset<string>({
    find: async () => content,
    use(name) {
      const it = dataset(name, contents[name] ?? '')
      void it.load()
      return it
    },
    release: () => {},
  })
}

test('links in a circle end, and folders that are left out are named', async () => {
  const file = (name: string): FolderEntry => ({ name, kind: 'file', isLink: false })
  const tree: Readonly<Record<string, readonly FolderEntry[]>> = {
    '': [
      { name: 'secret', kind: 'folder', isLink: false },
      { name: 'b', kind: 'folder', isLink: false },
      { name: 'node_modules', kind: 'folder', isLink: true },
      file('c.jsonl'),
      file('a.jsonl'),
    ],
    b: [{ name: 'loop', kind: 'folder', isLink: true }, file('d.jsonl'), file('notes.md')],
  }
  const asked: string[] = []
  const found = await filesBelow(
    async (path) => {
      asked.push(path)
      return tree[path] ?? Promise.reject(new Error('no permission'))
    },
    async (path) => path.endsWith('.jsonl'),
  )
  assert.deepEqual(found.files, ['a.jsonl', 'b/d.jsonl', 'c.jsonl'])
  assert.deepEqual(asked, ['', 'b', 'secret'])
  const folder = folderOf(
    { files: found.files.map((name) => ({ address: name, name })), leftOut: found.leftOut },
    { 'a.jsonl': line, 'b/d.jsonl': line, 'c.jsonl': line },
  )
  const { status } = await shown(folder)
  assert.equal(status, '3 samples. `b/loop` is left out, because it is a link to a folder (and 1 more)')
})

test('a zstd file of a few hundred kilobytes that unpacks to 10 GB stops at the limit', async () => {
  const bomb = zstdZeros(10 * 2 ** 30)
  assert.ok(bomb.length < 2 ** 19)
  let [written, longest] = [0, 0]
  const counting: Spool = {
    most: 2 ** 26,
    append: async ({ length }) => {
      written += length
      longest = Math.max(longest, length)
    },
    read: async () => new Uint8Array(),
    close: async () => {},
  }
  const before = process.memoryUsage()
  const view = dataset('bomb.jsonl.zst', bomb, async () => counting)
  await view.load()
  assert.match(view.failure ?? '', /larger than 64 MB when unpacked, which is the limit in the editor/)
  assert.ok(written <= counting.most, `${written} bytes were written`)
  assert.ok(longest <= 2 ** 22, `${longest} bytes at once`)
  const { rss } = process.memoryUsage()
  assert.ok(rss - before.rss < 300 * 2 ** 20, `${rss - before.rss} bytes more are in use`)
  view.dispose()
})

/** A zstd frame without checksum, whose blocks are runs of `{`, `length` bytes in all. */
function zstdZeros(length: number): Uint8Array {
  const block = 2 ** 17
  const nBlocks = length / block
  const frame = new Uint8Array(6 + nBlocks * 4)
  frame.set([0x28, 0xb5, 0x2f, 0xfd, 0, (17 - 10) << 3]) // a window of 128 kB
  for (let nth = 0; nth < nBlocks; nth++) {
    const head = (block << 3) | (1 << 1) | Number(nth === nBlocks - 1)
    frame.set([head & 0xff, (head >> 8) & 0xff, head >> 16, 0x7b], 6 + nth * 4)
  }
  return frame
}
