/** What a person sees when a transcript is opened, and after a conversion: looked at from outside, in the page of the workbench. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { nightly } from '../../helpers/nightly.ts'
import { leaveWindow, notification, type SharedVSCode, takeWindow } from './shared-window.ts'

/** Lines that differ in length by one character, so that each place of a token comes to stand at the edge. */
const wrapped = Array.from({ length: 20 }, (_, index) => {
  const header = `<|start|>assistant to=functions.f call_id=${'c'.repeat(index + 1)}`
  return `${header}<|channel|>commentary<|constrain|>json<|message|>{"a": [1, 2]}<|call|><|end|>\n`
}).join('')

const lossy = `version: 2.2

<|start|>user<|message|>Hi<|end|>
<|start|>assistant name=ada<|channel|>final<|message|>Cut <|literal|>off<|endliteral|><|end|>
<|start|>assistant<|channel|>commentary<|message|>Not for users<|end|>
`

const notebook = {
  cells: [
    {
      cell_type: 'markdown',
      metadata: {},
      source: `\`\`\`openchatml
<|start|>user<|message|>How **far**?<|end|>
<|start|>assistant<|channel|>analysis<|message|>SECRET<|end|>
<|start|>assistant<|channel|>final<|message|>2 km<|return|>
\`\`\``,
    },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
}

describe('the workbench', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    ;({ folder, vscode } = await takeWindow())
    await writeFile(join(folder, 'greeting.ocm'), '<|start|>user<|message|>Good morning<|end|>\n')
    await writeFile(join(folder, 'wrapped.ocm'), wrapped)
    await writeFile(join(folder, 'lossy.ocm'), lossy)
    await writeFile(join(folder, 'chat.ipynb'), JSON.stringify(notebook))
  })

  after(leaveWindow)

  test('the status bar names the language of a transcript', async () => {
    await vscode.openFile('greeting.ocm')
    const mode = vscode.page.locator('[id="status.editor.mode"]')
    await mode.filter({ hasText: 'OpenChatML' }).waitFor()
    const lines = vscode.page.locator('.editor-instance .view-lines').filter({ hasText: /Good\smorning/ })
    await lines.first().waitFor()
  })

  nightly('the language status tells messages and tokens', async () => {
    await vscode.openFile('greeting.ocm')
    const item = vscode.page.locator('[id="status.languageStatus"]').first()
    await item.waitFor()
    await item.hover()
    const status = vscode.page
      .locator('.hover-language-status')
      .filter({ hasText: '1 message, 1 visible · 6 tokens' })
    await status.first().waitFor()
  })

  test('a command that cannot do anything says why, also to those who listen', async () => {
    await vscode.openFile('greeting.ocm')
    await vscode.runCommand('OpenChatML: Join with Next Message')
    const alerts = vscode.page.locator('[role=alert]')
    await alerts.filter({ hasText: 'This is the last message.' }).first().waitFor()
    await vscode.runCommand('OpenChatML: Go to Next Message')
    await alerts.filter({ hasText: 'OpenChatML: nothing to do here' }).first().waitFor()
  })

  nightly('lines wrap between control tokens and not within one', async () => {
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

  nightly('a notebook shows transcripts as users see them, within its cells', async () => {
    await vscode.openFile('chat.ipynb', { shows: '.notebookOverlay' })
    const frame = await vscode.frameOf('.openchatml-transcript')
    const transcript = frame.locator('.openchatml-transcript')
    assert.equal(await transcript.locator('strong').first().innerText(), 'far')
    const text = await transcript.innerText()
    assert.match(text, /2 km\s+1 hidden message/)
    assert.doesNotMatch(text, /SECRET/)
    const [cell, box] = await Promise.all([
      frame.locator('.preview').first().boundingBox(),
      transcript.boundingBox(),
    ])
    assert.ok(cell && box && box.x + box.width <= cell.x + cell.width)
  })

  nightly(
    'losses of a conversion are counted, listed with their lines, and lead to their places',
    async () => {
      const { page } = vscode
      await vscode.openFile('lossy.ocm')
      await vscode.runCommand('OpenChatML: Convert to…', 'Responses')
      const row = (text: string) =>
        page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first()
      await page.locator('.tab.active[data-resource-name="Untitled-1"]').first().waitFor()
      const notice = await notification(vscode, 'details of the source are lost')
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
    },
  )
})
