/** What a person sees when a transcript is opened: looked at from outside, in the page of the workbench. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'

/** Lines that differ in length by one character, so that each place of a token comes to stand at the edge. */
const wrapped = Array.from({ length: 20 }, (_, index) => {
  const header = `<|start|>assistant to=functions.f call_id=${'c'.repeat(index + 1)}`
  return `${header}<|channel|>commentary<|constrain|>json<|message|>{"a": [1, 2]}<|call|><|end|>\n`
}).join('')

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-page-'))
  await writeFile(join(folder, 'greeting.ocm'), '<|start|>user<|message|>Good morning<|end|>\n')
  await writeFile(join(folder, 'wrapped.ocm'), wrapped)
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

test('a command that has nothing to do says so, also to those who listen', async () => {
  await vscode.openFile('greeting.ocm')
  await vscode.runCommand('OpenChatML: Join with Next Message')
  await vscode.page
    .locator('[role=alert]')
    .filter({ hasText: 'OpenChatML: nothing to do here' })
    .first()
    .waitFor()
})

test('lines wrap between control tokens and not within one', async () => {
  await vscode.openFile('wrapped.ocm')
  const lines = vscode.page.locator('.editor-instance .view-line')
  await lines.filter({ hasText: 'functions.f' }).first().waitFor()
  const texts = (await lines.allInnerTexts()).map((it) => it.replaceAll('\u00a0', ' ').trim())
  assert.ok(
    texts.some((it) => it.startsWith('<|') && !it.startsWith('<|start|>')),
    'some lines wrap',
  )
  for (const it of texts) assert.doesNotMatch(it, /^[a-z]*\|?>|<\|?[a-z]*\|?$/)
})
