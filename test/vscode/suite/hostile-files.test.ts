/** File systems that fail for a moment, and what pages may ask for. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { ChangedFileError } from '../../../client/src/datasets/byte-file.ts'
import { Dataset } from '../../../client/src/datasets/dataset.ts'
import { sampleUri } from '../../../client/src/datasets/sample-uri.ts'
import { virtualFile, virtualTextFile } from '../../../client/src/datasets/virtual-file.ts'
import { openLink } from '../../../client/src/preview/links.ts'
import { virtualReview } from '../../../client/src/review/virtual-review.ts'
import { copyExamples } from '../../../client/src/welcome/examples.ts'
import { exists } from '../../../client/src/workspace-files.ts'
import { writeFile } from '../../../client/src/write-file.ts'
import { nightly, test } from './harness.ts'
import { memoryUri, type Operation, withMemoryFiles } from './memory-files.ts'

const uri = memoryUri('/a.review.jsonl')

test('a file that cannot be read for a moment is not taken for one that is not there', () =>
  withMemoryFiles(async (files) => {
    assert.equal(await exists(uri), false)
    const review = virtualReview(uri)
    await review.append('{"a":1}\n')
    const invalid = Uint8Array.of(0xef, 0xbb, 0xbf, 0xff, 0x0a)
    files.put(uri.path, invalid)
    await review.append('{"b":2}\n')
    // The line that was overwritten is appended again.
    const appended = new TextEncoder().encode('{"a":1}\n{"b":2}\n')
    assert.deepEqual([...(files.at(uri.path) ?? [])], [...invalid, ...appended])
    const before = files.at(uri.path)
    files.failure = () => vscode.FileSystemError.Unavailable('offline')
    assert.equal(await exists(uri), true)
    await assert.rejects(review.append('{"c":3}\n'))
    await assert.rejects(virtualTextFile(uri).write('lost', undefined))
    assert.equal(files.at(uri.path), before)
  }))

test('lines of a review that another window overwrote are appended again', () =>
  withMemoryFiles(async (files) => {
    const line = (name: string) => `{"${name}":1}\n`
    const text = () => new TextDecoder().decode(files.at(uri.path))
    const write = (content: string) => files.put(uri.path, new TextEncoder().encode(content))
    write(line('old'))
    const review = virtualReview(uri)
    await review.append(line('a'))
    await review.append(line('b'))
    // Another window has read the file before `a` or `b` was there, and writes it now.
    write(line('old') + line('other'))
    assert.equal(await review.read(), line('old') + line('other') + line('a') + line('b'))
    write(line('old') + line('a') + line('other'))
    await review.append(line('c'))
    assert.equal(text(), line('old') + line('a') + line('other') + line('b') + line('c'))
    assert.equal(await review.read(), text())
    // Someone restores an earlier version.
    write(line('old'))
    assert.equal(await review.read(), line('old'))
    await review.append(line('d'))
    assert.equal(text(), line('old') + line('d'))
  }))

test('text that is not UTF-8 is not replaced by what could be read of it', () =>
  withMemoryFiles(async (files) => {
    const file = virtualTextFile(uri)
    const before = Uint8Array.of(0x61, 0xff, 0x0a)
    files.put(uri.path, before)
    await assert.rejects(file.write('lost', await file.read()), ChangedFileError)
    assert.equal(files.at(uri.path), before)
    files.put(uri.path, Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))
    await file.write(`${await file.read()}b`, await file.read())
    assert.deepEqual([...(files.at(uri.path) ?? [])], [0xef, 0xbb, 0xbf, 0x61, 0x62])
  }))

/** What writes the file at `uri`, on top of `before`, and what is there then. */
const writers = [
  [
    'a dataset',
    async () => {
      const dataset = new Dataset(virtualFile(uri), 'a.jsonl')
      await dataset.load()
      await dataset.replace(0, await dataset.bytesOf(0), '{"text": "changed, and longer"}')
    },
  ],
  [
    'edits',
    async () => virtualTextFile(uri).write('edits, which are longer', await virtualTextFile(uri).read()),
  ],
  ['a review', () => virtualReview(uri).append('{"b":2}\n')],
  ['an export', () => writeFile(uri, [new TextEncoder().encode('{"text": "exported"}\n')], undefined)],
] as const

for (const [name, write] of writers)
  test(`${name} that a file system fails to write midway has its earlier content`, () =>
    withMemoryFiles(async (files) => {
      const before = new TextEncoder().encode('{"text": "a"}\n{"text": "b"}\n')
      const fails = (nTimes: number, act: () => void = () => {}) => {
        let nWrites = 0
        files.failure = ({ name: operation }) => {
          if (operation !== 'writeFile' || ++nWrites > nTimes) return undefined
          if (nWrites === 1) act()
          return vscode.FileSystemError.Unavailable('offline')
        }
      }
      files.put(uri.path, before)
      fails(1)
      await assert.rejects(write(), /offline/)
      assert.deepEqual(files.at(uri.path), before)
      fails(2)
      await assert.rejects(write(), /may be incomplete.*offline/)
      files.failure = () => undefined
      files.put(uri.path, before)
      await write()
      const after = files.at(uri.path)
      assert.notDeepEqual(after, before)
      if (name === 'a dataset') return
      files.delete(uri)
      fails(1)
      await assert.rejects(write(), /offline/)
      assert.equal(files.at(uri.path), undefined)
    }))

test('a dataset that cannot be looked at after it was saved is saved, and is read again', () =>
  withMemoryFiles(async (files) => {
    files.put(uri.path, new TextEncoder().encode('{"text": "a"}\n{"text": "b"}\n'))
    const dataset = new Dataset(virtualFile(uri), 'a.jsonl')
    await dataset.load()
    let isWritten = false
    files.failure = ({ name }) => {
      const isAfter = isWritten
      isWritten ||= name === 'writeFile'
      return isAfter ? vscode.FileSystemError.Unavailable('offline') : undefined
    }
    await dataset.replace(0, await dataset.bytesOf(0), '{"text": "longer"}')
    files.failure = () => undefined
    assert.equal(new TextDecoder().decode(files.at(uri.path)), '{"text": "longer"}\n{"text": "b"}\n')
    await dataset.refresh()
    await dataset.replace(1, await dataset.bytesOf(1), '{"text": "c"}')
    assert.equal(new TextDecoder().decode(files.at(uri.path)), '{"text": "longer"}\n{"text": "c"}\n')
  }))

test('why a sample cannot be opened quotes nothing of its file: VS Code logs it', async () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder, 'a folder is open')
  const dataset = vscode.Uri.joinPath(folder, 'unreadable.jsonl')
  await vscode.workspace.fs.writeFile(dataset, new TextEncoder().encode('{"messages": [], SECRET: 1}\n'))
  await assert.rejects(
    async () => vscode.workspace.fs.readFile(sampleUri({ dataset, number: 1 })),
    ({ message }: Error) => /mistake in line 1, column \d+/.test(message) && !message.includes('SECRET'),
  )
})

test('an address that is none opens nothing', async () => {
  for (const href of [
    'http:////a',
    'https:////a',
    'command:x',
    'mailto',
    'file:///a',
    'vscode://a',
    '//a',
    '',
  ])
    await openLink(href)
})

nightly('a copy of the examples that fails leaves nothing of it, and all else', () =>
  withMemoryFiles(async (files) => {
    const isWrite = ({ name }: Operation) => name === 'writeFile' || name === 'createDirectory'
    await copyExamples(memoryUri('/whole'))
    assert.ok(files.at('/whole/parts/style.md')?.length)
    const written = new Set(
      files.operations.filter(isWrite).map(({ uri }) => uri.path.slice('/whole'.length)),
    )
    assert.ok(written.size > 8)
    for (const hasTheirs of [false, true])
      for (const [index, path] of [...written].entries()) {
        const folder = `/${index}-${hasTheirs}`
        const theirs = `${folder}/parts/theirs.md`
        files.failure = (operation) => {
          if (operation.uri.path !== folder + path || !isWrite(operation)) return undefined
          if (hasTheirs) files.put(theirs, Uint8Array.of(1))
          return vscode.FileSystemError.Unavailable('offline')
        }
        await assert.rejects(copyExamples(memoryUri(folder)), /offline/)
        const left = files.paths.filter((it) => it.startsWith(folder))
        if (hasTheirs)
          assert.deepEqual(
            left.filter((it) => files.at(it)),
            [theirs],
            path,
          )
        else assert.deepEqual(left, [], path)
      }
  }),
)

test('files of a copy that cannot be removed do not hide why it failed', () =>
  withMemoryFiles(async (files) => {
    files.failure = ({ name, uri }) => {
      if (name === 'delete') return vscode.FileSystemError.NoPermissions('locked')
      return name === 'writeFile' && uri.path.endsWith('.jsonl')
        ? vscode.FileSystemError.Unavailable('offline')
        : undefined
    }
    await assert.rejects(copyExamples(memoryUri('/examples')), /offline/)
  }))
