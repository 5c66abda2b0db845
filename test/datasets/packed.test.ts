/** Packed datasets in the editor: unpacked into a temporary place, edited beside the file, and never written. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { nodeDecompression } from '../../client/disk/decompression.ts'
import { diskSpool } from '../../client/disk/disk-spool.ts'
import { replaceOnDisk } from '../../client/disk/replace-on-disk.ts'
import { browserDecompression } from '../../client/src/datasets/browser-decompression.ts'
import { ChangedFileError, type TextFile } from '../../client/src/datasets/byte-file.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { memorySpool, type Unpacking, unpackedFile } from '../../client/src/datasets/unpacked-file.ts'
import { textFileOnDisk } from '../../client/src/datasets/whole-files-on-disk.ts'
import { editedSample, type Spool } from '../../core/src/internal.ts'
import { packedBy, parquetOf } from '../sources/packed-files.ts'
import { memoryFile, textIn } from './memory-file.ts'

const samples = Array.from({ length: 50 }, (_, id) => ({
  id,
  messages: [
    { role: 'user', content: `Question ${id}` },
    { role: 'assistant', content: `Answer ${id}` },
  ],
}))
const jsonl = samples.map((it) => `${JSON.stringify(it)}\n`).join('')

function editsInMemory(text?: string): TextFile & { text: string | undefined } {
  const file = {
    text,
    read: async () => file.text,
    async write(next: string, before: string | undefined) {
      if (file.text !== before) throw new ChangedFileError()
      file.text = next
    },
  }
  return file
}

const spools: Readonly<Record<string, () => Promise<Spool>>> = {
  'a temporary file': diskSpool,
  memory: () => memorySpool(2 ** 20),
}

function opened(
  content: Uint8Array,
  name: string,
  edits: TextFile = editsInMemory(),
  world: Unpacking = { decompression: nodeDecompression, makeSpool: diskSpool },
): Dataset {
  return new Dataset(unpackedFile(memoryFile(content), world, edits), name)
}

const packings: readonly (readonly [name: string, content: Uint8Array, first: number])[] = [
  ['a.jsonl.gz', packedBy('gzip', jsonl), 1],
  ['a.jsonl.zst', packedBy('zstd', jsonl), 1],
  ['a.json.gz', packedBy('gzip', JSON.stringify(samples)), 0],
  ['a.parquet', parquetOf(samples, { rowGroupSize: 7 }), 0],
]

for (const [name, content, first] of packings) {
  for (const [where, makeSpool] of Object.entries(spools)) {
    test(`${name} is read in ranges from ${where}`, async (t) => {
      const dataset = opened(content, name, undefined, { decompression: nodeDecompression, makeSpool })
      t.after(() => dataset.dispose())
      await dataset.load()
      assert.equal(dataset.failure, undefined)
      assert.equal(dataset.index.size, 50)
      assert.equal(dataset.index.numberOf(17), 17 + first)
      assert.deepEqual(JSON.parse(textIn(await dataset.bytesOf(17))), samples[17])
      let place = 0
      for await (const it of dataset.samples())
        assert.deepEqual(JSON.parse(textIn(it.bytes ?? new Uint8Array())), samples[place++])
      assert.equal(place, 50)
    })
  }

  test(`an edit of ${name} goes beside it, is read again, and is gone when it is undone`, async (t) => {
    const edits = editsInMemory()
    const dataset = opened(content, name, edits)
    t.after(() => dataset.dispose())
    await dataset.load()
    const before = await dataset.bytesOf(17)
    const sample = await dataset.sampleAt(17)
    assert.equal(sample.kind, 'good')
    if (sample.kind !== 'good') return
    const { json } = editedSample(sample, sample.text.replace('Answer 17', 'Edited'))
    await dataset.replace(17, before, json)
    assert.match(
      edits.text ?? '',
      new RegExp(`^\\{"row":${17 + first},"hash":"sha256:[0-9a-f]{64}","sample":\\{.*Edited.*\\}\\}\\n$`),
    )
    assert.equal(textIn(await dataset.bytesOf(17)), json)

    const again = opened(content, name, edits)
    t.after(() => again.dispose())
    await again.load()
    assert.equal(textIn(await again.bytesOf(17)), json)
    assert.equal(again.failure, undefined)

    await dataset.replace(17, await dataset.bytesOf(17), textIn(before))
    assert.equal(edits.text, '')
    assert.equal(textIn(await dataset.bytesOf(17)), textIn(before))
  })
}

test('an edit is not written over one of another program, and theirs is read', async (t) => {
  const edits = editsInMemory()
  const dataset = opened(packedBy('gzip', jsonl), 'a.jsonl.gz', edits)
  t.after(() => dataset.dispose())
  await dataset.load()
  edits.text = '{"row":99,"hash":"sha256:0","sample":{}}\n'
  await assert.rejects(dataset.replace(0, await dataset.bytesOf(0), '{"messages":[]}'), ChangedFileError)
  const { generation } = dataset
  await dataset.refreshEdits()
  assert.equal(dataset.generation, generation + 1)
  await dataset.replace(0, await dataset.bytesOf(0), '{"messages":[]}')
  assert.match(edits.text, /^\{"row":99.*\n\{"row":1,/)
})

test('edits that do not belong to a sample are told, and lines that are none stay', async (t) => {
  const edits = editsInMemory('nonsense\n{"row":3,"hash":"sha256:0","sample":{"messages":[]}}\n')
  const dataset = opened(packedBy('gzip', jsonl), 'a.jsonl.gz', edits)
  t.after(() => dataset.dispose())
  await dataset.load()
  assert.match(dataset.failure ?? '', /Line 1 of the edits file: This is not JSON/)
  const stale = await dataset.sampleAt(2)
  assert.ok(stale.kind === 'bad' && /is not the one that was edited/.test(stale.message))
  await dataset.replace(0, await dataset.bytesOf(0), '{"messages":[]}')
  assert.match(edits.text ?? '', /^nonsense\n\{"row":3.*\n\{"row":1,/)
})

test('damage is told, and what came before it is listed', async (t) => {
  const long = packedBy('gzip', jsonl.repeat(400))
  const dataset = opened(long.subarray(0, -40), 'a.jsonl.gz')
  t.after(() => dataset.dispose())
  await dataset.load()
  assert.match(dataset.failure ?? '', /the gzip data is cut off/)
  assert.ok(dataset.index.size > 1000)
})

test('what unpacks to more than there is room for is refused, and its temporary file is gone', async (t) => {
  const before = temporaryFiles()
  const small = { decompression: nodeDecompression, makeSpool: () => memorySpool(2 ** 20) }
  const dataset = opened(packedBy('zstd', new Uint8Array(2 ** 24)), 'a.jsonl.zst', undefined, small)
  t.after(() => dataset.dispose())
  await dataset.load()
  assert.match(dataset.failure ?? '', /larger than 1 MB when unpacked, which is the limit in the editor/)
  assert.deepEqual(temporaryFiles(), before)
})

test('a temporary file is gone when the dataset is closed', async () => {
  const before = temporaryFiles()
  const spool = await diskSpool()
  await spool.append(new TextEncoder().encode('hidden'))
  assert.equal(textIn(await spool.read({ start: 1, end: 4 })), 'idd')
  await spool.close()
  assert.deepEqual(temporaryFiles(), before)
})

function temporaryFiles(): readonly string[] {
  return readdirSync(tmpdir()).filter((it) => /^openchatml-.*\.jsonl$/.test(it))
}

test('a browser unpacks gzip and zstd, and says what it cannot', async () => {
  async function unpacked(packed: Uint8Array): Promise<string> {
    async function* chunks() {
      for (let at = 0; at < packed.length; at += 1000) yield packed.subarray(at, at + 1000)
    }
    const parts: Uint8Array[] = []
    for await (const part of browserDecompression.gzip(chunks())) parts.push(part)
    return Buffer.concat(parts).toString()
  }
  const gz = packedBy('gzip', jsonl)
  assert.equal(await unpacked(gz), jsonl)
  await assert.rejects(
    unpacked(gz.subarray(0, -9)),
    /the gzip data is damaged, cut off, or has several members/,
  )
  const dataset = opened(packedBy('zstd', jsonl), 'a.jsonl.zst', undefined, {
    decompression: browserDecompression,
    makeSpool: () => memorySpool(2 ** 20),
  })
  await dataset.load()
  assert.equal(dataset.index.size, 50)
  dataset.dispose()
})

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'ocm-packed-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('why edits on a disk are not written is said in words', async (t) => {
  const path = join(folder(t), 'a.parquet.edits.jsonl')
  const edits = textFileOnDisk(path)
  await edits.write('one\n', undefined)
  const left: string[] = []
  await replaceOnDisk(path, {
    assertUnchanged: async () => undefined,
    write: async (copy) => {
      left.push(...readdirSync(join(path, '..')).filter((it) => it.endsWith('.new')))
      await copy.writeFile('one\n')
    },
  })
  const old = left[0]?.replace(/new$/, 'old') ?? ''
  writeFileSync(join(path, '..', old), 'zero\n')
  await assert.rejects(edits.write('two\n', 'one\n'), ({ message }: Error) => {
    assert.match(
      message,
      /^an earlier save was interrupted\. The previous content is in .+\. Restore or remove that file$/,
    )
    return message.includes(old)
  })
})

test('edits on a disk are made, replaced, and refused if another program changed them', async (t) => {
  const path = join(folder(t), 'a.parquet.edits.jsonl')
  const edits = textFileOnDisk(path)
  assert.equal(await edits.read(), undefined)
  await edits.write('one\n', undefined)
  await edits.write('two\n', 'one\n')
  assert.equal(readFileSync(path, 'utf8'), 'two\n')
  await assert.rejects(edits.write('three\n', 'one\n'), ChangedFileError)
  await assert.rejects(edits.write('three\n', undefined), ChangedFileError)
  assert.equal(await edits.read(), 'two\n')
})
