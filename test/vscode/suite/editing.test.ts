/** Commands, formatting and dimming, as a person meets them in VS Code. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { untitledDocument } from '../../../client/src/untitled-document.ts'
import { eventually, nightly, test } from './harness.ts'

const header = 'version: 2.2\n\n'
const user = '<|start|>user<|message|>Hello<|end|>\n'
const final = '<|start|>assistant<|channel|>final<|message|>Good day<|return|>\n'

test('Format Document tidies headers and gaps', async () => {
  const { document } = await shown(`${header}<|start|>user  <|message|> a <|end|>\n\n\n${final}`)
  await eventually('the format', async () => {
    await vscode.commands.executeCommand('editor.action.formatDocument')
    return document.getText() === `${header}<|start|>user<|message|> a <|end|>\n${final}`
  })
})

test('the cursor goes from message to message', async () => {
  const editor = await shown(header + user + final)
  const line = () => editor.selection.active.line
  await vscode.commands.executeCommand('openchatml.nextMessage')
  assert.equal(line(), 2)
  await vscode.commands.executeCommand('openchatml.nextMessage')
  assert.equal(line(), 3)
  await vscode.commands.executeCommand('openchatml.previousMessage')
  assert.equal(line(), 2)
})

test('messages move, are duplicated, split, joined and deleted', async () => {
  const editor = await shown(header + user + final)
  const { document } = editor
  place(editor, 2, 0)
  await vscode.commands.executeCommand('openchatml.moveMessageDown')
  assert.equal(document.getText(), header + final + user)
  assert.equal(editor.selection.active.line, 3)
  await vscode.commands.executeCommand('openchatml.moveMessageUp')
  assert.equal(document.getText(), header + user + final)
  await vscode.commands.executeCommand('openchatml.duplicateMessage')
  assert.equal(document.getText(), header + user + user + final)
  await vscode.commands.executeCommand('openchatml.deleteMessage')
  assert.equal(document.getText(), header + user + final)
  place(editor, 2, user.indexOf('llo'))
  await vscode.commands.executeCommand('openchatml.splitMessage')
  assert.equal(
    document.getText(),
    `${header}<|start|>user<|message|>He<|end|>\n<|start|>user<|message|>llo<|end|>\n${final}`,
  )
  place(editor, 2, 0)
  await vscode.commands.executeCommand('openchatml.joinMessages')
  assert.equal(document.getText(), `${header}<|start|>user<|message|>He\nllo<|end|>\n${final}`)
})

test('a body is selected and copied; messages are copied as JSON and Harmony', async () => {
  const editor = await shown(`${header}<|start|>user<|message|>a <<|end|> b<|end|>\n${final}`)
  place(editor, 2, 0)
  await vscode.commands.executeCommand('openchatml.selectMessageBody')
  assert.equal(editor.document.getText(editor.selection), 'a <<|end|> b')
  const copied = async (command: string) => {
    await vscode.commands.executeCommand(command)
    return vscode.env.clipboard.readText()
  }
  assert.equal(await copied('openchatml.copyMessageBody'), 'a <|end|> b')
  place(editor, 3, 0)
  assert.deepEqual(JSON.parse(await copied('openchatml.copyAsJson')), {
    role: 'assistant',
    channel: 'final',
    content: 'Good day',
    terminator: '<|return|>',
  })
  await vscode.commands.executeCommand('editor.action.selectAll')
  assert.equal(JSON.parse(await copied('openchatml.copyAsJson')).length, 2)
  editor.selections = [3, 2].map((line) => new vscode.Selection(line, 3, line, 3))
  const several = JSON.parse(await copied('openchatml.copyAsJson')).map((it: { role: string }) => it.role)
  assert.deepEqual(several, ['user', 'assistant'])
  const before = await vscode.env.clipboard.readText()
  // Harmony has no escapes: a body that says a token cannot be copied so.
  assert.equal(await copied('openchatml.copyAsHarmony'), before)
  place(editor, 3, 0)
  assert.equal(await copied('openchatml.copyAsHarmony'), final.trimEnd())
})

test('selected text is wrapped in a literal block, unwrapped, escaped and unescaped', async () => {
  const body = 'say <|channel|> now'
  const editor = await shown(`${header}<|start|>user<|message|>${body}<|end|>\n`)
  const { document } = editor
  const selectToken = (token: string) => {
    const start = document.positionAt(document.getText().indexOf(token))
    editor.selection = new vscode.Selection(start, start.translate(0, token.length))
  }
  const run = async (command: string, expected: string) => {
    await vscode.commands.executeCommand(`openchatml.${command}`)
    assert.equal(document.getText(), `${header}<|start|>user<|message|>${expected}<|end|>\n`)
  }
  selectToken('<|channel|>')
  await run('escapeTokens', 'say <<|channel|> now')
  selectToken('<<|channel|>')
  await run('wrapInLiteralBlock', 'say <|literal|><|channel|><|endliteral|> now')
  selectToken('<|channel|>')
  await run('unwrapLiteralBlock', 'say <<|channel|> now')
  selectToken('<<|channel|>')
  await run('unescapeTokens', body)
})

nightly('every selection is wrapped, and a literal block is unwrapped once', async () => {
  const editor = await shown(`${header}<|start|>user<|message|>aaa b ccc<|end|>\n`)
  const { document } = editor
  const run = async (command: string, expected: string) => {
    await vscode.commands.executeCommand(`openchatml.${command}`)
    assert.equal(document.getText(), `${header}<|start|>user<|message|>${expected}<|end|>\n`)
  }
  const select = (...words: readonly string[]) => {
    editor.selections = words.map((word) => {
      const start = document.positionAt(document.getText().indexOf(word))
      return new vscode.Selection(start, start.translate(0, word.length))
    })
  }
  select('aaa', 'ccc')
  await run('wrapInLiteralBlock', '<|literal|>aaa<|endliteral|> b <|literal|>ccc<|endliteral|>')
  select('aa', 'a<', 'ccc')
  await run('unwrapLiteralBlock', 'aaa b ccc')
})

test('a new transcript comes from a template', async () => {
  await vscode.commands.executeCommand('openchatml.newTranscript', 'tool-call')
  const document = vscode.window.activeTextEditor?.document
  assert.equal(document?.languageId, 'openchatml')
  assert.match(document?.getText() ?? '', /to=functions\.calculate call_id=call_1/)
})

test('hidden messages are folded', async () => {
  const analysis = '<|start|>assistant<|channel|>analysis<|message|>Think\nhard\nabout it<|end|>\n'
  const editor = await shown(header + user + analysis + final)
  place(editor, 0, 0)
  await eventually('a folded message', async () => {
    await vscode.commands.executeCommand('openchatml.foldHidden')
    // What is folded is not among the visible ranges.
    return !editor.visibleRanges.some((range) => range.contains(new vscode.Position(4, 0)))
  })
})

test('answers to a question of several lines fold at its end', async () => {
  const question = '<|start|>user<|message|>Why?\nTell me\nin short<|end|>\n'
  const lines = (header.match(/\n/g) ?? []).length
  const editor = await shown(header + question + final + final)
  const isVisible = (line: number) =>
    editor.visibleRanges.some((range) => range.contains(new vscode.Position(lines + line, 0)))
  await eventually('a folded turn', async () => {
    await vscode.commands.executeCommand('editor.fold', { selectionLines: [lines + 2] })
    return isVisible(2) && !isVisible(4)
  })
})

nightly('dimming is toggled by its command', async () => {
  await shown(header + user)
  const isOn = () => vscode.workspace.getConfiguration('openchatml').get('dimHiddenText')
  assert.equal(isOn(), true)
  await vscode.commands.executeCommand('openchatml.toggleDimHiddenText')
  await eventually('off', () => isOn() === false)
  await vscode.commands.executeCommand('openchatml.toggleDimHiddenText')
  await eventually('on', () => isOn() === true)
  await vscode.workspace
    .getConfiguration('openchatml')
    .update('dimHiddenText', undefined, vscode.ConfigurationTarget.Global)
})

nightly('a setting is toggled where it is set: for the language', async () => {
  const { document } = await shown(header + user)
  const settings = () => vscode.workspace.getConfiguration('openchatml', document)
  const { Global } = vscode.ConfigurationTarget
  await settings().update('dimHiddenText', false, Global, true)
  await vscode.commands.executeCommand('openchatml.toggleDimHiddenText')
  await eventually('on', () => settings().inspect('dimHiddenText')?.globalLanguageValue === true)
  assert.equal(settings().inspect('dimHiddenText')?.globalValue, undefined)
  await settings().update('dimHiddenText', undefined, Global, true)
})

test('typing the beginning of a literal block adds its end, and leaves the cursor inside', async () => {
  const editor = await shown(`${header}${user}${user}`)
  place(editor, 2, user.indexOf('<|end|>'))
  for (const text of '<|literal|>') await vscode.commands.executeCommand('type', { text })
  const line = () => editor.document.lineAt(2).text
  await eventually('the end of the block', () => line().endsWith('<|literal|><|endliteral|><|end|>'))
  await vscode.commands.executeCommand('type', { text: 'x' })
  assert.equal(line(), '<|start|>user<|message|>Hello<|literal|>x<|endliteral|><|end|>')
})

async function shown(content: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await untitledDocument(content, 'openchatml'))
}

function place(editor: vscode.TextEditor, line: number, character: number): void {
  const position = new vscode.Position(line, character)
  editor.selection = new vscode.Selection(position, position)
}
