/** The preview's commands and panels, as the editor knows them. What is on the page is looked at from outside. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { eventually, test } from './harness.ts'

const weather = '02-weather-tool.ocm'

test('a panel follows the active transcript, and stays when it is locked', async () => {
  await opened(weather)
  await vscode.commands.executeCommand('openchatml.showPreviewToSide')
  await eventually('the preview', () => tabNamed(`Preview ${weather}`))
  await opened('03-preamble.ocm')
  await eventually('that it follows', () => tabNamed('Preview 03-preamble.ocm'))
  await vscode.commands.executeCommand('openchatml.togglePreviewLock')
  await eventually('the lock', () => tabNamed('[Preview] 03-preamble.ocm'))
  await opened(weather)
  assert.ok(tabNamed('[Preview] 03-preamble.ocm'))
  await vscode.commands.executeCommand('openchatml.togglePreviewLock')
  await closedAll()
})

test('the debug view is a matter of the panel, and ends with its document', async () => {
  await opened(weather)
  await vscode.commands.executeCommand('openchatml.showPreviewToSide')
  await eventually('the preview', () => tabNamed(`Preview ${weather}`))
  await vscode.commands.executeCommand('openchatml.togglePreviewDebug')
  await eventually('the debug view', () => tabNamed(`Debug View ${weather}`))
  await opened('03-preamble.ocm')
  await eventually('the usual view of another document', () => tabNamed('Preview 03-preamble.ocm'))
  await opened(weather)
  await eventually('the usual view again', () => tabNamed(`Preview ${weather}`))
  await closedAll()
})

test('a transcript opens as a preview with Reopen With…', async () => {
  const uri = fileAt(weather)
  await vscode.commands.executeCommand('vscode.openWith', uri, 'openchatml.previewEditor')
  const tab = await eventually('the custom editor', () =>
    allTabs().find(({ input }) => input instanceof vscode.TabInputCustom),
  )
  assert.ok(tab.input instanceof vscode.TabInputCustom)
  assert.equal(tab.input.uri.toString(), uri.toString())
  await vscode.commands.executeCommand('openchatml.showSource')
  await eventually(
    'the source',
    () => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString(),
  )
  await closedAll()
})

test('a conversation is exported as it is in the editor, without anything hidden', async () => {
  const document = await opened(weather)
  const target = vscode.Uri.joinPath(document.uri, '..', 'exported.html')
  await vscode.commands.executeCommand('openchatml.exportConversation', document.uri, {
    format: 'html',
    target,
  })
  const html = new TextDecoder().decode(await vscode.workspace.fs.readFile(target))
  assert.match(html, /What&#39;s the weather in Tokyo|What's the weather in Tokyo/)
  assert.doesNotMatch(html, /get_current_weather|sunny&quot;|Reasoning|analysis/)
  const markdown = vscode.Uri.joinPath(document.uri, '..', 'exported.md')
  await vscode.commands.executeCommand('openchatml.exportConversation', document.uri, {
    format: 'markdown',
    target: markdown,
  })
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(markdown))
  assert.match(text, /^# 02-weather-tool\.ocm\n\n\*\*User\*\*\n\n> What's the weather/)
  for (const uri of [target, markdown]) await vscode.workspace.fs.delete(uri)
  await closedAll()
})

test('the visible text of a document has nothing hidden, and follows the unsaved text', async () => {
  const document = await vscode.workspace.openTextDocument({
    language: 'openchatml',
    content: '<|start|>system<|message|>Secret<|end|>\n<|start|>user name=Ada<|message|>Hello<|end|>\n',
  })
  const uri = vscode.Uri.from({
    scheme: 'openchatml-visible',
    path: '/a.txt',
    query: document.uri.toString(),
  })
  const visible = await vscode.workspace.openTextDocument(uri)
  assert.equal(visible.getText(), 'Ada (user)\n  Hello\n')
})

function fileAt(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder)
  return vscode.Uri.joinPath(folder, name)
}

async function opened(name: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(fileAt(name))
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preview: false })
  return document
}

function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)
}

function tabNamed(label: string): vscode.Tab | undefined {
  return allTabs().find((tab) => tab.label === label)
}

async function closedAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors')
  await eventually('closed editors', () => allTabs().length === 0)
}
