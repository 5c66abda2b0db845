/** Compressed and Parquet datasets in VS Code: samples open as transcripts, edits go beside the file, and everything is saved as JSONL. */
import assert from 'node:assert/strict'
import { linkSync, symlinkSync } from 'node:fs'
import * as vscode from 'vscode'
import { packedBy, parquetOf } from '../../sources/packed-files.ts'
import { eventually, nightly, test } from './harness.ts'

const samples = Array.from({ length: 30 }, (_, id) => ({
  id,
  messages: [
    { role: 'user', content: `Question ${id}` },
    { role: 'assistant', content: `Answer ${id} "€"` },
  ],
  score: id / 2,
}))
const lines = samples.map((it) => JSON.stringify(it))

const packings: readonly (readonly [
  register: typeof test,
  name: string,
  content: () => Uint8Array,
  number: number,
])[] = [
  [test, 'packed.parquet', () => parquetOf(samples, { rowGroupSize: 8 }), 17],
  [nightly, 'packed.jsonl.zst', () => packedBy('zstd', `${lines.join('\n')}\n`), 18],
  [nightly, 'packed.jsonl.gz', () => packedBy('gzip', `${lines.join('\n')}\n`), 18],
]

for (const [register, name, content, number] of packings) {
  register(`${name} is listed, a sample is edited beside it, and all of it is saved as JSONL`, async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri
    assert.ok(folder, 'a folder is open')
    const at = (file: string) => vscode.Uri.joinPath(folder, file)
    const [uri, edits, saved] = [at(name), at(`${name}.edits.jsonl`), at(`${name}.saved.jsonl`)]
    const bytes = content()
    await vscode.workspace.fs.writeFile(uri, bytes)
    await vscode.commands.executeCommand('openchatml.openAsDataset', uri)
    await eventually('the list', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
      return input instanceof vscode.TabInputCustom && input.viewType === 'openchatml.dataset'
    })
    await vscode.commands.executeCommand('openchatml.openSample', uri, number)
    const document = await eventually('the sample', () => {
      const active = vscode.window.activeTextEditor?.document
      return active?.uri.path.endsWith(`${name}:${number}.ocm`) && active
    })
    assert.match(document.getText(), /<\|start\|>user<\|message\|>Question 17<\|end\|>/)
    const before = 'Answer 17'
    const start = document.getText().indexOf(before)
    const edit = new vscode.WorkspaceEdit()
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length))
    edit.replace(document.uri, range, 'Edited')
    await vscode.workspace.applyEdit(edit)
    await document.save()
    await eventually('that it is saved', () => !document.isDirty)

    assert.ok(
      Buffer.from(bytes).equals(await vscode.workspace.fs.readFile(uri)),
      'the dataset is what it was',
    )
    const { row, hash, sample } = JSON.parse(await textOf(edits))
    assert.equal(row, number)
    assert.match(hash, /^sha256:[0-9a-f]{64}$/)
    assert.equal(sample.messages[1].content, 'Edited "€"')

    await vscode.commands.executeCommand('openchatml.saveAsJsonl', uri, saved)
    const expected = lines.map((line, index) => (index === 17 ? line.replace(before, 'Edited') : line))
    assert.equal(await textOf(saved), `${expected.join('\n')}\n`)

    await vscode.commands.executeCommand('workbench.action.closeAllEditors')
    for (const file of [uri, edits, saved]) await vscode.workspace.fs.delete(file)
  })
}

nightly('a folder with packed datasets, and a pattern, are listed and saved as one dataset', async () => {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(workspace, 'a folder is open')
  const folder = vscode.Uri.joinPath(workspace, 'packed-folder')
  const at = (file: string) => vscode.Uri.joinPath(folder, file)
  await vscode.workspace.fs.createDirectory(at('b'))
  await vscode.workspace.fs.writeFile(at('a.parquet'), parquetOf(samples.slice(0, 10)))
  await vscode.workspace.fs.writeFile(
    at('b/c.jsonl.zst'),
    packedBy('zstd', `${lines.slice(10, 20).join('\n')}\n`),
  )
  await vscode.workspace.fs.writeFile(
    at('d.jsonl'),
    new TextEncoder().encode(`${lines.slice(20, 28).join('\n')}\n`),
  )
  await vscode.workspace.fs.writeFile(
    at('e.json'),
    new TextEncoder().encode(`[${lines.slice(28).join(', ')}]`),
  )
  await vscode.workspace.fs.writeFile(at('package.json'), new TextEncoder().encode('{"name": "no-dataset"}'))
  await vscode.commands.executeCommand('openchatml.openAsDataset', folder)
  await eventually('the list of the folder', () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
    return input instanceof vscode.TabInputCustom && input.viewType === 'openchatml.dataset'
  })
  const saved = vscode.Uri.joinPath(workspace, 'packed-folder.jsonl')
  await vscode.commands.executeCommand('openchatml.saveAsJsonl', folder, saved)
  assert.equal(await textOf(saved), `${lines.join('\n')}\n`)
  await vscode.commands.executeCommand('openchatml.openFilesAsDataset', folder, '**/*.{zst,parquet}')
  await eventually('the list of the pattern', () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
    return input instanceof vscode.TabInputCustom && input.uri.query !== ''
  })
  await vscode.commands.executeCommand(
    'openchatml.saveAsJsonl',
    folder.with({ query: '**/*.{zst,parquet}' }),
    saved,
  )
  assert.equal(await textOf(saved), `${lines.slice(0, 20).join('\n')}\n`)
  // The tab, and the copied command, name the pattern: the folder alone has other samples.
  const listed = folder.with({ query: '**/*.{zst,parquet}' })
  const name = folder.path.split('/').at(-1)
  assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, `${name}: **/*.{zst,parquet}`)
  const takes = (command: string, answers: object) =>
    vscode.commands.executeCommand(`openchatml.${command}`, listed, answers)
  await takes('copyFilterCommand', { query: 'line>=0' })
  assert.equal(
    await vscode.env.clipboard.readText(),
    `ocm filter 'line>=0' '${vscode.workspace.asRelativePath(folder, false)}/**/*.{zst,parquet}'`,
  )
  const [own = folder] = await vscode.workspace.findFiles(
    new vscode.RelativePattern(folder, '**/*.zst'),
    null,
    1,
  )
  const before = await vscode.workspace.fs.readFile(own)
  await takes('exportMatchingSamples', { query: '', to: own })
  assert.deepEqual(await vscode.workspace.fs.readFile(own), before)
  await vscode.commands.executeCommand('openchatml.saveAsJsonl', folder, own)
  assert.deepEqual(await vscode.workspace.fs.readFile(own), before)
  // Nor through links.
  const links = [
    [linkSync, 'hard.jsonl'],
    ...(process.platform === 'win32' ? [] : ([[symlinkSync, 'symbolic.jsonl']] as const)),
  ] as const
  for (const [link, name] of links) {
    const to = vscode.Uri.joinPath(workspace, name)
    link(own.fsPath, to.fsPath)
    await takes('exportMatchingSamples', { query: '', to })
    await takes('randomSample', { query: '', to, size: 1, seed: 1 })
    await takes('splitSamples', { query: '', to, parts: 'hard 1, symbolic 1', seed: 1 })
    await vscode.commands.executeCommand('openchatml.saveAsJsonl', listed, to)
    assert.deepEqual(await vscode.workspace.fs.readFile(own), before)
    await vscode.workspace.fs.delete(to)
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors')
  await vscode.workspace.fs.delete(folder, { recursive: true })
  await vscode.workspace.fs.delete(saved)
})

async function textOf(uri: vscode.Uri): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(uri))
}
