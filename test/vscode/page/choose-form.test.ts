/** *Choose Form…* in a real VS Code, chosen with the keyboard: it counts for one file, and offers to write it down. */

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'
import { nightly } from '../../helpers/nightly.ts'
import { eventually, isWritten, until } from './preview-in-page.ts'
import { leaveWindow, notification, type SharedVSCode, takeWindow } from './shared-window.ts'

/** A name that would be a link to a command in a notification. */
const other = '[other](command:workbench.action.newWindow).jsonl'

describe('choosing a form', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    const settings = { 'workbench.editorAssociations': { '*.jsonl': 'openchatml.dataset' } }
    ;({ folder, vscode } = await takeWindow({ settings }))
    const samples = '{"ask": "Why?", "say": "Because", "n": 1}\n{"ask": "How?", "say": "So", "n": 2}\n'
    await writeFile(join(folder, 'one.jsonl'), samples)
    await writeFile(join(folder, other), samples)
  })

  after(leaveWindow)

  /** The list of the dataset `name`, once `selector` is in it. */
  async function list(name: string, selector: string): Promise<Frame> {
    await vscode.runCommand('View: Close All Editors')
    await eventually('that the page of before is gone', () => vscode.webviewFrames().length === 0)
    await vscode.openFile(name, { shows: 'iframe.webview' })
    return vscode.frameOf(selector)
  }

  /** Chooses a row of the list of choices that has `title`. */
  async function choose(title: string, label: string): Promise<void> {
    const widget = vscode.page.locator('.quick-input-widget:visible')
    await widget.filter({ hasText: title }).waitFor()
    await widget.locator('.monaco-list-row').filter({ hasText: label }).first().click()
  }

  const clipboard = () => vscode.page.evaluate<string>('navigator.clipboard.readText()')

  const bad = `document.querySelectorAll('.body .row.bad').length`

  nightly('columns are chosen for one file, until they are written into the configuration', async () => {
    const frame = await list('one.jsonl', '.row.bad')
    await until(frame, `${bad} === 2 && document.body.textContent.includes('Unknown form')`)
    await vscode.runCommand('OpenChatML: Choose Form…', 'Prompt and Response…')
    await choose('Prompt', 'ask')
    await choose('More of the prompt', 'None')
    await choose('Response', 'say')
    await until(frame, `${bad} === 0 && document.body.textContent.includes('Why?')`)
    await notification(vscode, 'one.jsonl is read in this form')
    await vscode.runCommand('OpenChatML: Copy as Command')
    const copied = 'The copied command reads one.jsonl as the configuration specifies'
    await (await notification(vscode, copied)).locator('.codicon-notifications-clear').click()
    assert.equal(await clipboard(), "ocm filter '' one.jsonl")
    // The other file is read as before, and nothing is written yet.
    await assert.rejects(readFile(join(folder, '.openchatml.yaml')))
    await until(await list(other, '.row.bad'), `${bad} === 2`)

    await list('one.jsonl', '.row:not(.bad)')
    await (await notification(vscode, 'one.jsonl is read in this form'))
      .locator('.monaco-button')
      .filter({ hasText: 'Write to Configuration' })
      .click()
    await isWritten(
      join(folder, '.openchatml.yaml'),
      /file_name: "\.\/one\.jsonl"\n {4}columns:\n {6}prompt: ask\n {6}response: say\n/,
    )
    await until(await list('one.jsonl', '.row:not(.bad)'), `${bad} === 0`)
  })

  nightly('a form is chosen, and recognizing takes it back', async () => {
    const frame = await list(other, '.row.bad')
    await vscode.runCommand('OpenChatML: Choose Form…', 'Messages…')
    await notification(vscode, 'have no column for this')
    await vscode.runCommand('OpenChatML: Choose Form…', 'Alpaca')
    const said = await notification(vscode, 'is read in this form')
    assert.match(await said.innerText(), /\[other\] \(command:workbench\.action\.newWindow\)\.jsonl/)
    assert.equal(await said.locator('a[href]').count(), 0)
    await vscode.runCommand('OpenChatML: Choose Form…', 'Chat Completions')
    await eventually('the command', async () => {
      await vscode.runCommand('OpenChatML: Copy as Command')
      return (await clipboard()).startsWith("ocm filter --from messages '' '[other](")
    })
    await vscode.runCommand('OpenChatML: Choose Form…', 'Recognize')
    await until(frame, `${bad} === 2 && document.body.textContent.includes('Unknown form')`)
  })
})
