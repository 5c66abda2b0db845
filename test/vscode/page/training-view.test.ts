/** The view of what a model is trained on, in a real VS Code: its settings, and the lines of the template that wrote a token. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { nightly } from '../../helpers/nightly.ts'
import { eventually, pageText, previewOf, until } from './preview-in-page.ts'
import { changeSettings, leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'

const chat = `version: 2.2
<|start|>user<|message|>Hot?<|end|>
<|start|>assistant<|channel|>final<|message|>No.<|end|>
`

const template = `{%- macro said(m) -%}
  {{- m.content -}}
{%- endmacro -%}
{%- for m in messages -%}
<|im_start|>{{ m.role }}
{{ said(m) }}<|im_end|>
{% endfor -%}
`

describe('the training view', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    ;({ folder, vscode } = await takeWindow({
      // The workspace may have kept a choice of the tests before; a setting that is newer counts more.
      settings: { 'explorer.autoReveal': false, 'openchatml.training.template': 'model' },
    }))
    await writeFile(join(folder, 'chat.ocm'), chat)
    for (const name of ['model', 'other']) await mkdir(join(folder, name))
    await writeFile(join(folder, 'model', 'chat_template.jinja'), template)
    await writeFile(
      join(folder, 'other', 'tokenizer_config.json'),
      JSON.stringify({
        chat_template: [
          { name: 'tool_use', template: '{% for m in messages %}OTHER{{ m.content }}{% endfor %}' },
        ],
      }),
    )
  })

  after(leaveWindow)

  /** The lines of the template that are marked, as they look. */
  const markedLines = () =>
    vscode.page.evaluate<string[]>(`
      [...document.querySelectorAll('.monaco-editor[data-uri$="chat_template.jinja"]')].flatMap((editor) => {
        const marks = [...editor.querySelectorAll('.view-overlays [class*=TextEditorDecorationType]')]
        const tops = new Set(marks.map((it) => it.parentElement.style.top))
        return [...editor.querySelectorAll('.view-line')]
          .filter((it) => tops.has(it.style.top))
          .map((it) => it.textContent.replaceAll('\u00a0', ' '))
      })`)

  nightly('marks the lines of the template that wrote a token', async () => {
    const frame = await previewOf(vscode, 'chat.ocm')
    await vscode.runCommand('OpenChatML: Show Training View')
    await until(frame, `document.querySelector('.training-counts[data-state=done]')`)
    await frame.locator('.training-bar button', { hasText: 'Open template' }).click()
    await vscode.page.locator('.tab', { hasText: 'chat_template.jinja' }).first().waitFor()
    const point = async (words: string) => {
      const place = await frame.evaluate<{ x: number; y: number }>(`(() => {
        const walker = document.createTreeWalker(document.querySelector('.message:last-of-type .rendering'), 4)
        while (walker.nextNode()) {
          const at = walker.currentNode.data.indexOf('${words}')
          if (at === -1) continue
          const range = document.createRange()
          range.setStart(walker.currentNode, at)
          range.setEnd(walker.currentNode, at + 1)
          const { left, top, width, height } = range.getBoundingClientRect()
          const block = document.querySelector('.message:last-of-type .rendering').getBoundingClientRect()
          return { x: left - block.left + width / 2, y: top - block.top + height / 2 }
        }
      })()`)
      await frame.locator('.message:last-of-type .rendering').first().hover({ position: place })
    }
    await point('No.')
    await eventually('the marked lines', async () => (await markedLines()).length === 2)
    // The call of the macro, and what is in it.
    assert.deepEqual((await markedLines()).sort(), ['  {{- m.content -}}', '{{ said(m) }}<|im_end|>'])
    await point('assistant')
    await eventually('other lines', async () => (await markedLines()).join() === '<|im_start|>{{ m.role }}')
  })

  nightly('follows its settings, until its reader chooses something else', async () => {
    const frame = await previewOf(vscode, 'chat.ocm')
    await vscode.runCommand('OpenChatML: Show Training View')
    const other = {
      'openchatml.training.template': 'other#tool_use',
      'openchatml.training.tokenizer': 'o200k_harmony',
      'openchatml.training.mask': 'all',
      'openchatml.training.maxLength': 4,
    }
    await changeSettings(other)
    await until(frame, `/OTHER/.test(document.querySelector('.training-message')?.textContent)`)
    const shown = await frame.locator('.training-bar').innerText()
    assert.match(shown, /tokenizer_config\.json#tool_use/)
    assert.match(shown, /4 of \d+ tokens trained/)
    assert.match(shown, /o200k_harmony/)
    await frame.locator('[data-choice=template]').click()
    const harmony = vscode.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Harmony' })
    await harmony.first().click()
    await until(frame, `/<.start.>/.test(document.querySelector('.training-message')?.textContent)`)
    // What is set last counts more than an earlier choice.
    await changeSettings({ 'openchatml.training.template': 'model' })
    await until(frame, `/im_start/.test(document.querySelector('.training-message')?.textContent)`)
    await changeSettings({})
    await until(frame, `/no limit/.test(document.querySelector('[data-choice=length]').textContent)`)
    assert.match(await pageText(frame), /No\./)
  })
})
