/** Headers, white space, hidden text, token counts and the texts to translate, as a person meets them in VS Code. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { untitledDocument } from '../../../client/src/untitled-document.ts'
import { eventually, nightly, test } from './harness.ts'

const header = 'version: 2.2\n\n'
const user = '<|start|>user<|message|>Hello<|end|>\n'
const analysis = '<|start|>assistant<|channel|>analysis<|message|>Think\nhard\nabout it<|end|>\n'
const final = '<|start|>assistant<|channel|>final<|message|>Good day<|return|>\n'

test('a header is inserted and converted; undo takes it back', async () => {
  const { document } = await shown(user + final)
  await vscode.commands.executeCommand('openchatml.insertHeader', 'version')
  assert.equal(document.getText(), header + user + final)
  await vscode.commands.executeCommand('openchatml.convertHeader', 'fenced')
  assert.equal(document.getText(), `---\nversion: 2.2\n---\n\n${user}${final}`)
  await vscode.commands.executeCommand('openchatml.convertHeader', 'plain')
  assert.equal(document.getText(), header + user + final)
  await vscode.commands.executeCommand('openchatml.convertHeader', 'harmony')
  assert.match(document.getText(), /^version: 2\.2\nprofiles:\n {2}harmony:\n {4}enabled: true\n/)
  await vscode.commands.executeCommand('undo')
  assert.equal(document.getText(), header + user + final)
  // There is a header now.
  await vscode.commands.executeCommand('openchatml.insertHeader', 'version')
  assert.equal(document.getText(), header + user + final)
})

nightly('a transcript becomes a training sample and history', async () => {
  const { document } = await shown(header + user + analysis + final)
  await vscode.commands.executeCommand('openchatml.convertTranscript', 'history')
  const history = 'version: 2.2\nprofiles:\n  intent: history\n\n'
  assert.equal(document.getText(), history + user + analysis + final.replace('return', 'end'))
  await vscode.commands.executeCommand('openchatml.convertTranscript', 'drop-reasoning')
  assert.equal(document.getText(), history + user + final.replace('return', 'end'))
  await vscode.commands.executeCommand('openchatml.convertTranscript', 'training')
  assert.equal(document.getText(), history.replace('history', 'training') + user + final)
})

test('empty lines between messages come and go', async () => {
  const { document } = await shown(header + user + analysis + final)
  await vscode.commands.executeCommand('openchatml.spreadMessages')
  assert.equal(document.getText(), `${header}${user}\n${analysis}\n${final}`)
  await vscode.commands.executeCommand('openchatml.oneMessagePerLine')
  assert.equal(document.getText(), header + user + analysis + final)
})

test('hidden text is folded and shown again', async () => {
  const editor = await shown(header + user + analysis + final)
  const isSeen = () => editor.visibleRanges.some((range) => range.contains(new vscode.Position(5, 0)))
  await eventually('the text', isSeen)
  await eventually('the fold', async () => {
    if (isSeen()) await vscode.commands.executeCommand('openchatml.toggleHiddenText')
    return !isSeen()
  })
  await vscode.commands.executeCommand('openchatml.toggleHiddenText')
  await eventually('the text again', isSeen)
})

test('each message tells its tokens once the command asks for it', async () => {
  const { document } = await shown(header + user + final)
  const whole = new vscode.Range(0, 0, document.lineCount, 0)
  const hints = async () => {
    const found = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      whole,
    )
    return found.map(({ label }) => label).filter((it) => String(it).endsWith('tokens'))
  }
  assert.deepEqual(await hints(), [])
  await vscode.commands.executeCommand('openchatml.toggleTokenCounts')
  await eventually('the counts', async () => (await hints()).join() === '5 tokens,8 tokens')
  await vscode.commands.executeCommand('openchatml.toggleTokenCounts')
  await eventually('no counts', async () => (await hints()).length === 0)
})

test('the texts of the extension can be translated', async () => {
  const extension = vscode.extensions.getExtension('openchatml.openchatml')
  assert.ok(extension)
  const { l10n, contributes } = extension.packageJSON
  const file = vscode.Uri.joinPath(extension.extensionUri, l10n, 'bundle.l10n.json')
  const bundle = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)))
  assert.equal(bundle['Insert Header'], 'Insert Header')
  assert.equal(vscode.l10n.t('Insert Header'), 'Insert Header')
  // VS Code has put the texts of the manifest in their places.
  for (const { title } of contributes.commands) assert.doesNotMatch(title, /^%/)
})

async function shown(content: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await untitledDocument(content, 'openchatml'))
}

test('tools for agents work in chat, on files of the open folders, and say in their names if they return hidden text', async () => {
  const { lm } = vscode as unknown as {
    lm: {
      readonly tools: readonly { readonly name: string }[]
      invokeTool(name: string, options: object): Thenable<{ readonly content: readonly { value: string }[] }>
    }
  }
  await eventually('the tools', () => lm.tools.some(({ name }) => name === 'openchatml_check'))
  const invoke = async (name: string, input: object) => {
    const options = { input, toolInvocationToken: undefined }
    const { content } = await lm.invokeTool(`openchatml_${name}`, options)
    return content.map(({ value }) => value).join('\n')
  }
  const path = '02-weather-tool.ocm'
  assert.match(await invoke('read_with_hidden_text', { path }), /get_current_weather/)
  for (const [name, input] of [
    ['render', { path }],
    ['convert', { path, to: 'messages' }],
    ['check', { path }],
  ] as const)
    assert.doesNotMatch(await invoke(name, input), /get_current_weather/)
  assert.match(await invoke('check', { path: '15-mistakes.ocm' }), /unknown-role/)
  for (const outside of ['../README.md', '/etc/passwd', 'nothing.ocm'])
    await assert.rejects(async () => invoke('render', { path: outside }), /outside|no such file/)
})
