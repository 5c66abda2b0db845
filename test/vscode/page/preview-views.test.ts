/** The views of a preview that a reader asks for, in a real VS Code: the context view, Restricted Mode, files on disk, several panels. */

import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { o200k } from '../../../core/src/convert/o200k-encoder.ts'
import { countTokens, readConversation } from '../../../core/src/internal.ts'
import { nightly } from '../../helpers/nightly.ts'
import {
  activatePreview,
  chooseEntry,
  eventually,
  focusEditor,
  focused,
  pageText,
  previewOf,
  until,
} from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'

const weather = 'samples/02-weather-tool.ocm'
const spent = `version: 2.2
<|start|>user<|message|>Hot?<|end|>
<|start|>assistant<|channel|>analysis<|message|>SECRET thoughts.<|end|>
<|start|>assistant<|channel|>final<|message|>No: $x^2$.<|end|>
<|start|>user<|message|>Sure?<|end|>
<|start|>assistant`
const prompt = `version: 2.2
inputs:
  customer: { type: string }
cases:
  one: { customer: Ada }
<|start|>developer<|message|>Instructions<|end|>
<|start|>user<|message|>Help {{ customer }}.<|end|>
`

describe('views of the preview', () => {
  let folder: string
  let vscode: SharedVSCode
  /** A folder outside the workspace. */
  let elsewhere: string

  before(async () => {
    elsewhere = await mkdtemp(join(tmpdir(), 'openchatml-elsewhere-'))
    ;({ folder, vscode } = await takeWindow({ settings: { 'explorer.autoReveal': false } }))
    await writeFile(join(folder, 'spent.ocm'), spent)
    await mkdir(join(folder, 'model'))
    await writeFile(
      join(folder, 'model', 'chat_template.jinja'),
      `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.reasoning_content }}{{ m.content }}<|im_end|>\n{% endfor %}`,
    )
    await cp('samples/07-structured-answer.ocm', join(folder, 'json.ocm'))
    await writeFile(join(folder, 'prompt.ocm'), prompt)
    for (const name of ['first', 'second', 'export', 'editor']) await cp(weather, join(folder, `${name}.ocm`))
    await writeFile(join(elsewhere, 'alone.ocm'), '<|start|>user<|message|>one<|end|>\n')
  })

  after(async () => {
    await leaveWindow()
    await rm(elsewhere, { recursive: true, force: true })
  })

  test('*What the model gets next* counts exactly what is sent, strikes out what is not, and leaves nothing behind', async () => {
    const frame = await previewOf(vscode, 'spent.ocm')
    assert.doesNotMatch(await pageText(frame), /SECRET/)
    await vscode.runCommand('OpenChatML: Show What the Model Gets Next')
    await until(frame, `document.querySelector('.context-banner .totals[data-state=done]')`)
    await vscode.page.locator('.tab.active', { hasText: 'Next Prompt spent.ocm' }).first().waitFor()
    const { total } = countTokens(readConversation(spent).conversation, o200k, 'completion')
    assert.match(await frame.locator('.totals').innerText(), new RegExp(`^${total} tokens in 3 messages;`))
    assert.equal(await frame.locator('del').innerText(), 'SECRET thoughts.')
    await frame.locator('.banner button').click()
    await until(frame, `document.querySelectorAll('.message').length === 3`)
    assert.doesNotMatch(await pageText(frame), /SECRET|tokens/)
    assert.equal(await frame.evaluate(`document.querySelector('.banner').checkVisibility()`), false)
  })

  nightly(
    '*What a model is trained on* explains tokens, leads to their source and back, and leaves nothing behind',
    async () => {
      const frame = await previewOf(vscode, 'spent.ocm')
      await vscode.runCommand('OpenChatML: Show Training View')
      await until(frame, `document.querySelector('.training-counts[data-state=done]')`)
      await vscode.page.locator('.tab.active', { hasText: 'Training spent.ocm' }).first().waitFor()
      // The template of the workspace is found by itself, also after another view was opened without it; it has no tokenizer.
      assert.match(await frame.locator('[data-choice=template]').innerText(), /model\/chat_template\.jinja/)
      assert.match(await frame.locator('.training-counts').innerText(), /^\d+ of \d+ characters trained$/)
      assert.match(await pageText(frame), /SECRET/)

      await frame.locator('[data-choice=template]').click()
      const harmony = vscode.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Harmony' })
      await harmony.first().click()
      await until(frame, `/tokens trained/.test(document.querySelector('.training-counts').textContent)`)
      // Reasoning that an answer has spent is not trained on.
      await until(frame, `!/SECRET/.test(document.body.textContent)`)
      assert.doesNotMatch(await pageText(frame), /SECRET/)
      await frame.locator('.special').first().hover()
      await until(frame, `document.querySelector('.token-note').checkVisibility()`)
      assert.match(
        await frame.locator('.token-note').innerText(),
        /^Token 1 · ID 200006 · bytes 3C 7C 73 74 61 72 74 7C 3E · user · not trained$/,
      )

      await frame.locator('mark').filter({ hasText: 'No:' }).first().click()
      await vscode.page
        .locator('[id="status.editor.selection"]')
        .filter({ hasText: 'Ln 4' })
        .first()
        .waitFor()
      await until(frame, `/No:/.test(document.querySelector('.message[aria-current]')?.textContent)`)
      await vscode.goTo(5, (spent.split('\n')[4]?.indexOf('Sure') ?? 0) + 1)
      await vscode.page.keyboard.type('Y')
      await until(frame, `/Y.*Sure/.test(document.body.textContent)`)
      await vscode.page.keyboard.press('Backspace')
      await frame.locator('.banner button').click()
      await until(frame, `!document.querySelector('.training-message') && document.querySelector('.message')`)
      assert.doesNotMatch(await pageText(frame), /<\|start\|>|\d trained|bytes|SECRET/)
    },
  )

  nightly('formulas are drawn by the browser itself, and JSON is code', async () => {
    let frame = await previewOf(vscode, 'spent.ocm')
    const box = await frame.locator('math').first().boundingBox()
    assert.ok(box && box.width > 5 && box.height > 5)
    const size = (selector: string) =>
      frame.evaluate<number>(
        `Number.parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`,
      )
    assert.ok((await size('math mn')) < (await size('math mi')), 'an exponent is smaller')
    frame = await previewOf(vscode, 'json.ocm')
    assert.match(await frame.locator('figure.code code.language-json').innerText(), /"customer": "Okafor"/)
  })

  nightly('two previews show two transcripts at once, and a locked one stays', async () => {
    const first = await previewOf(vscode, 'first.ocm')
    await first.locator('.lock').click()
    await until(first, `document.querySelector('.lock').getAttribute('aria-pressed') === 'true'`)
    await focusEditor(vscode)
    await vscode.openFile('spent.ocm')
    await vscode.runCommand('OpenChatML: Open Preview to the Side')
    await focused(vscode, 'math')
    await vscode.runCommand('View: Move Editor into Right Group')
    await eventually('two pages', () => vscode.webviewFrames().length === 2)
    const locked = await vscode.frameOf('.lock[aria-pressed=true]')
    await until(locked, `/weather in Tokyo/.test(document.body.textContent)`)
    await until(await vscode.frameOf('math'), `/Sure/.test(document.body.textContent)`)
  })

  nightly('an edit in the editor appears as it is typed, and touches one message', async () => {
    const frame = await previewOf(vscode, 'second.ocm')
    await frame.evaluate(`window.kept = document.querySelectorAll('.message')[1]`)
    await focusEditor(vscode)
    const source = await readFile(join(folder, 'second.ocm'), 'utf8')
    const line = source.split('\n').findIndex((it) => it.startsWith('<|start|>user'))
    await vscode.goTo(line + 1, 25)
    await vscode.page.keyboard.type('Typed. ')
    await until(frame, `/Typed/.test(document.querySelector('.message').textContent)`)
    assert.equal(await frame.evaluate(`window.kept === document.querySelectorAll('.message')[1]`), true)
  })

  nightly('a preview that stands alone follows its file on disk', async () => {
    await vscode.runCommand('View: Close All Editors')
    await eventually('that the page of another test is gone', () => vscode.webviewFrames().length === 0)
    await vscode.openFile(join(elsewhere, 'alone.ocm'))
    await vscode.runCommand('OpenChatML: Open Preview to the Side')
    const frame = await focused(vscode)
    await focusEditor(vscode)
    await vscode.runCommand('View: Close Editor')
    await vscode.page.locator('.tab[data-resource-name="alone.ocm"]').waitFor({ state: 'detached' })
    await writeFile(join(elsewhere, 'alone.ocm'), '<|start|>user<|message|>two, from outside<|end|>\n')
    await until(frame, `/two, from outside/.test(document.body.textContent)`)
  })

  nightly('a preview can be the editor of a file', async () => {
    await vscode.runCommand('View: Close All Editors')
    await vscode.openFile('editor.ocm')
    await vscode.runCommand('View: Reopen Editor With...')
    const row = vscode.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'OpenChatML Preview' })
    await row.first().waitFor()
    await row.first().click()
    const frame = await focused(vscode)
    await until(frame, `document.querySelectorAll('.message').length === 2`)
    await vscode.page.locator('.tab.active[data-resource-name="editor.ocm"]').first().waitFor()
  })

  test('exporting what is hidden asks first, and the file says so', async () => {
    await previewOf(vscode, 'export.ocm')
    const exported = join(folder, 'export.debug.html')
    await vscode.runCommand('OpenChatML: Export Conversation…', 'HTML with Hidden Messages')
    await button('Cancel').click()
    await assert.rejects(readFile(exported))
    await vscode.runCommand('OpenChatML: Export Conversation…', 'HTML with Hidden Messages')
    await button('Export Hidden Messages').click()
    const path = vscode.page.locator('.quick-input-widget:visible input')
    await path.first().waitFor()
    await eventually('the name of the file', () =>
      vscode.page.evaluate<boolean>(
        `/export\\.debug\\.html/.test(document.querySelector('.quick-input-widget input').value)`,
      ),
    )
    await path.first().press('Enter')
    const html = await written(exported, '</html>')
    assert.match(html, /<p class="debug" role="note">Debug view: messages that are marked as hidden/)
    assert.match(html, /get_current_weather/)
  })

  nightly('a prompt is filled from its preview, by the palette and by the menu of its title', async () => {
    const filled = vscode.page.locator('.tab[data-resource-name^="prompt · one"]').first()
    const line = vscode.page.locator('.editor-instance .view-line').filter({ hasText: 'Help Ada.' }).first()
    await previewOf(vscode, 'prompt.ocm')
    await vscode.runCommand('OpenChatML: Show Filled Prompt…', 'next-prompt')
    await filled.waitFor()
    await line.waitFor()

    const frame = await previewOf(vscode, 'prompt.ocm')
    await until(frame, `document.querySelectorAll('.message').length === 1`)
    await vscode.page.locator('.editor-group-container.active [aria-label^="More Actions"]').first().click()
    await chooseEntry(vscode.page, 'Show Filled Prompt…')
    await vscode.chooseRow('next-prompt')
    await filled.waitFor()
    await line.waitFor()

    // There is nothing to fill in what is filled: its preview offers what its editor does.
    await previewOf(vscode, 'prompt.ocm')
    await vscode.runCommand('OpenChatML: Show Filled Prompt…', 'A transcript of version 2.2')
    await vscode.page.locator('.tab[data-resource-name="prompt · one → ocm.ocm"]').first().click()
    await activatePreview(
      vscode,
      vscode.page.locator('.tab', { hasText: 'Preview prompt · one → ocm.ocm' }).first(),
    )
    await vscode.page.locator('.editor-group-container.active [aria-label^="More Actions"]').first().click()
    const entries = vscode.page.locator('.monaco-menu .action-label')
    await entries.filter({ hasText: 'Export Conversation…' }).first().waitFor()
    for (const entry of ['Show Filled Prompt…', 'Compare Visible Text with Last Commit'])
      assert.equal(await entries.filter({ hasText: entry }).count(), 0, entry)
    await vscode.page.keyboard.press('Escape')
  })

  /** The text of a file that is being written, once it has its end: it exists before it has all of its text. */
  async function written(path: string, end: string): Promise<string> {
    let text = ''
    await eventually(`the end of ${path}`, async () => {
      text = await readFile(path, 'utf8').catch(() => '')
      return text.trimEnd().endsWith(end)
    })
    return text
  }

  function button(label: string) {
    return vscode.page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: label }).first()
  }
})
