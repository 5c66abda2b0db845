/** The extension begins its work when a transcript is opened. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { untitledDocument } from '../../../client/src/untitled-document.ts'
import { eventually, test } from './harness.ts'

const extension = () => vscode.extensions.getExtension('openchatml.openchatml')

test('an .ocm file is an OpenChatML document and activates the extension', async () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder, 'a folder is open')
  const [file] = await vscode.workspace.findFiles('**/*.ocm', undefined, 1)
  assert.ok(file, 'the workspace has a transcript')
  const document = await vscode.workspace.openTextDocument(file)
  await vscode.window.showTextDocument(document)
  assert.equal(document.languageId, 'openchatml')
  assert.ok(extension(), 'the extension is known')
  await eventually('activation', () => extension()?.isActive)
  await extension()?.activate() // rejects if it failed, for then `isActive` is true all the same
})

test('a document is recognised by its first line', async () => {
  const document = await untitledDocument('<|im_start|>user\nhi<|im_end|>\n')
  await eventually('the language', () => document.languageId === 'openchatml')
})

test('defaults keep the bytes of a transcript as they are', () => {
  const files = vscode.workspace.getConfiguration('files', { languageId: 'openchatml' })
  assert.equal(files.get('trimTrailingWhitespace'), false)
  assert.equal(files.get('insertFinalNewline'), false)
  assert.equal(files.get('trimFinalNewlines'), false)
  const editor = vscode.workspace.getConfiguration('editor', { languageId: 'openchatml' })
  assert.equal(editor.get('formatOnSave'), false)
})

test('every command of the manifest exists', async () => {
  const manifest: unknown = extension()?.packageJSON
  assert.ok(manifest && typeof manifest === 'object' && 'contributes' in manifest)
  const { commands } = manifest.contributes as { commands: { command: string }[] }
  await eventually('activation', () => extension()?.isActive)
  const known = new Set(await vscode.commands.getCommands(true))
  assert.deepEqual(
    commands.map((it) => it.command).filter((it) => !known.has(it)),
    [],
  )
})
