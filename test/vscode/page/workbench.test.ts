/** What a person sees when a transcript is opened: looked at from outside, in the page of the workbench. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-page-'))
  await writeFile(join(folder, 'greeting.ocm'), '<|start|>user<|message|>Good morning<|end|>\n')
  vscode = await openVSCode({ folder })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the status bar names the language of a transcript', async () => {
  await vscode.openFile('greeting.ocm')
  const mode = vscode.page.locator('[id="status.editor.mode"]')
  await mode.filter({ hasText: 'OpenChatML' }).waitFor()
  const lines = vscode.page.locator('.editor-instance .view-lines').filter({ hasText: /Good\smorning/ })
  await lines.first().waitFor()
})

test('the language status tells messages and tokens', async () => {
  await vscode.openFile('greeting.ocm')
  const item = vscode.page.locator('[id="status.languageStatus"]').first()
  await item.waitFor()
  await item.hover()
  const status = vscode.page
    .locator('.hover-language-status')
    .filter({ hasText: '1 message, 1 visible · 6 tokens' })
  await status.first().waitFor()
})
