/** Restricted Mode in a real VS Code: a prompt that nobody trusts is not filled unasked, and never with files beside it. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'

const prompt = `version: 2.2
inputs:
  name: { type: string }
cases:
  first: { name: Ada }
  second: { name: Grace }
<|start|>developer<|message|>Help {{ name | uper }}. {% include "part.md" %}<|end|>
<|start|>user<|message|>Hi {{ nmae }}<|end|>
`

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-restricted-prompt-'))
  await mkdir(join(folder, 'model'))
  await writeFile(join(folder, 'stranger.ocm'), prompt)
  await writeFile(join(folder, 'part.md'), 'PART-OF-A-STRANGER')
  await writeFile(join(folder, 'model/chat_template.jinja'), 'TEMPLATE-OF-A-STRANGER')
  vscode = await openVSCode({ folder, isRestricted: true })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

test('unasked, nothing is filled; asked, no file beside the prompt is read', async () => {
  const { page } = vscode
  const text = () => page.locator('.monaco-workbench').innerText()
  await vscode.openFile('stranger.ocm')
  // The server has checked the prompt once something is reported that needs no filling.
  await vscode.runCommand('Problems: Focus on Problems View')
  await page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'nmae' }).first().waitFor()
  await vscode.openFile('stranger.ocm')

  await vscode.runCommand('OpenChatML: Show Filled Prompt…')
  await row('first').click()
  await row('Harmony').waitFor()
  assert.doesNotMatch(await page.locator('.quick-input-list').innerText(), /chat_template/)
  await row('OpenChatML').click()
  await page
    .locator('.view-line')
    .filter({ hasText: /Restricted.Mode/ })
    .first()
    .waitFor()
  assert.doesNotMatch(await text(), /PART-OF-A-STRANGER|TEMPLATE-OF-A-STRANGER/)
  await vscode.openFile('stranger.ocm')
  await vscode.runCommand('OpenChatML: Compare Prompt with Commit…')
  await vscode.runCommand('Notifications: Show Notifications')
  await page
    .locator('.notification-list-item')
    .filter({ hasText: 'Git does not run in Restricted Mode.' })
    .first()
    .waitFor()
  // By now, the prompt would have been filled unasked, and `uper` reported.
  assert.doesNotMatch(await page.locator('.markers-panel').innerText(), /uper/)

  function row(label: string) {
    return page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first()
  }
})
