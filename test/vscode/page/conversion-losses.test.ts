/** What the editor tells after a conversion that lost something: how much, what, and where it stands. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'

const transcript = `version: 2.2

<|start|>user<|message|>Hi<|end|>
<|start|>assistant name=ada<|channel|>final<|message|>Cut <|literal|>off<|endliteral|><|end|>
<|start|>assistant<|channel|>commentary<|message|>Not for users<|end|>
`

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-losses-'))
  await writeFile(join(folder, 'lossy.ocm'), transcript)
  vscode = await openVSCode({ folder })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

test('losses are counted, listed with their lines, and lead to their places', async () => {
  const { page } = vscode
  await vscode.openFile('lossy.ocm')
  await vscode.runCommand('OpenChatML: Convert to…')
  const row = (text: string) =>
    page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first()
  await row('Responses').click()
  await page.locator('.tab.active[data-resource-name="Untitled-1"]').first().waitFor()
  await vscode.runCommand('Notifications: Show Notifications') // under test VS Code lets none pop up
  const notice = page
    .locator('.notifications-center .notification-list-item')
    .filter({ hasText: 'details of the source are lost' })
    .first()
  await notice.waitFor()
  const count = Number(/(\d+) details/.exec(await notice.innerText())?.[1])
  await notice.locator('.monaco-button').filter({ hasText: 'Show Details' }).first().click()
  await row('Hidden commentary is left out').waitFor()
  const rows = await page.locator('.quick-input-list .monaco-list-row').allInnerTexts()
  assert.equal(rows.length, count)
  assert.match(rows.find((it) => it.includes('name=ada')) ?? '', /line 4/)
  assert.match(rows.find((it) => it.includes('Hidden commentary')) ?? '', /line 5/)
  await row('Hidden commentary is left out').click()
  await page.locator('.tab.active[data-resource-name="lossy.ocm"]').first().waitFor()
  await page.locator('.statusbar-item').filter({ hasText: 'Ln 5' }).first().waitFor()
})
