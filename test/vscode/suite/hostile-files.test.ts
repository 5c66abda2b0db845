/** File systems that fail for a moment, and what pages may ask for. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { ChangedFileError } from '../../../client/src/datasets/byte-file.ts'
import { sampleUri } from '../../../client/src/datasets/sample-uri.ts'
import { virtualTextFile } from '../../../client/src/datasets/virtual-file.ts'
import { openLink } from '../../../client/src/preview/links.ts'
import { virtualReview } from '../../../client/src/review/virtual-review.ts'
import { exists } from '../../../client/src/workspace-files.ts'
import { test } from './harness.ts'

const scheme = 'failing'
const uri = vscode.Uri.from({ scheme, path: '/a.review.jsonl' })

/** A file system with one file, which can't be asked for it as long as a test says so. */
class FailingFiles implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event
  content: Uint8Array | undefined
  isOffline = false

  watch(): vscode.Disposable {
    return { dispose() {} }
  }

  stat(): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.readFile().length }
  }

  readFile(): Uint8Array {
    if (this.isOffline) throw vscode.FileSystemError.Unavailable('offline')
    if (!this.content) throw vscode.FileSystemError.FileNotFound(uri)
    return this.content
  }

  writeFile(_: vscode.Uri, content: Uint8Array): void {
    this.content = content
  }

  readDirectory(): [string, vscode.FileType][] {
    return []
  }

  createDirectory(): void {}
  delete(): void {}
  rename(): void {}
}

async function withFiles(run: (files: FailingFiles) => Promise<void>): Promise<void> {
  const files = new FailingFiles()
  const registered = vscode.workspace.registerFileSystemProvider(scheme, files)
  try {
    await run(files)
  } finally {
    registered.dispose()
  }
}

test('a file that cannot be read for a moment is not taken for one that is not there', () =>
  withFiles(async (files) => {
    assert.equal(await exists(uri), false)
    const review = virtualReview(uri)
    await review.append('{"a":1}\n')
    const invalid = Uint8Array.of(0xef, 0xbb, 0xbf, 0xff, 0x0a)
    files.content = invalid
    await review.append('{"b":2}\n')
    assert.deepEqual([...(files.content ?? [])], [...invalid, ...new TextEncoder().encode('{"b":2}\n')])
    const before = files.content
    files.isOffline = true
    assert.equal(await exists(uri), true)
    await assert.rejects(review.append('{"c":3}\n'))
    await assert.rejects(virtualTextFile(uri).write('lost', undefined))
    assert.equal(files.content, before)
  }))

test('text that is not UTF-8 is not replaced by what could be read of it', () =>
  withFiles(async (files) => {
    const file = virtualTextFile(uri)
    const before = Uint8Array.of(0x61, 0xff, 0x0a)
    files.content = before
    await assert.rejects(file.write('lost', await file.read()), ChangedFileError)
    assert.equal(files.content, before)
    files.content = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)
    await file.write(`${await file.read()}b`, await file.read())
    assert.deepEqual([...files.content], [0xef, 0xbb, 0xbf, 0x61, 0x62])
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
