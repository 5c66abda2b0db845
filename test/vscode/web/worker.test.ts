/** The same extension in a Web Worker, without Node and without a file system, as on vscode.dev. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { eventually, test } from '../suite/harness.ts'
import { shown } from '../suite/untitled-documents.ts'

test('the extension host is a Web Worker', () => {
  assert.equal(typeof process, 'undefined')
  assert.equal('importScripts' in globalThis, true)
})

test('the language server works in a Web Worker', async () => {
  const content = '<|start|>assistant<|channel|>commentary<|constrain|>json<|message|>{"a":<|end|>\n'
  const document = await shown(content)
  const [first] = await eventually('a problem', () => {
    const problems = vscode.languages.getDiagnostics(document.uri)
    return problems.length > 0 && problems
  })
  assert.equal(first?.source, 'openchatml')
})

test('tokens are counted in a Web Worker beside that of the server', async () => {
  const content = 'version: 2.2\n<|start|>user<|message|>Hello<|end|>\n'
  const document = await shown(content)
  await vscode.commands.executeCommand('openchatml.toggleTokenCounts')
  await eventually('the count', async () => {
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      new vscode.Range(0, 0, 2, 0),
    )
    return hints.some(({ label }) => label === '5 tokens')
  })
  await vscode.commands.executeCommand('openchatml.toggleTokenCounts')
})

test('the configuration file of a folder is read without a disk', async () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder, 'a folder is open')
  const place = vscode.Uri.joinPath(folder, 'configured')
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.joinPath(place, name), new TextEncoder().encode(text))
  await write('.openchatml.yaml', 'rules:\n  unknown-role: information\n')
  await write('chat.ocm', '<|start|>asistant<|message|>Hi<|end|>\n')
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(place, 'chat.ocm'))
  await vscode.window.showTextDocument(document)
  await eventually('the severity of the file', () =>
    vscode.languages
      .getDiagnostics(document.uri)
      .some(({ severity }) => severity === vscode.DiagnosticSeverity.Information),
  )
  await vscode.workspace.fs.delete(place, { recursive: true })
})

test('calls are found by name in files that are not open, without a disk', async () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder, 'a folder is open')
  const file = vscode.Uri.joinPath(folder, 'not-open.ocm')
  const text = '<|start|>assistant to=functions.f call_id=seldom<|channel|>commentary<|message|>{}<|call|>\n'
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text))
  const found = await eventually('the call', async () => {
    const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      'seldom',
    )
    return symbols.find(({ name }) => name === 'seldom')
  })
  assert.equal(found.location.uri.path, file.path)
  await vscode.workspace.fs.delete(file)
})

test('a preview opens in a browser, and knows what a user sees', async () => {
  const content = '<|start|>system<|message|>Secret<|end|>\n<|start|>user<|message|>Hello<|end|>\n'
  const document = await shown(content)
  await vscode.commands.executeCommand('openchatml.showPreviewToSide')
  const name = document.uri.path.split('/').at(-1)
  await eventually('the preview', () =>
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === `Preview ${name}`)),
  )
  const visible = vscode.Uri.from({
    scheme: 'openchatml-visible',
    path: '/a.txt',
    query: document.uri.toString(),
  })
  assert.equal((await vscode.workspace.openTextDocument(visible)).getText(), 'User\n  Hello\n')
})
