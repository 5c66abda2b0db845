/** Editing in a real VS Code, looked at from outside: pasting, outline above the text, colours of long lines, dimmed text. */

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { nightly } from '../../helpers/nightly.ts'
import { eventually, focusEditor, offeredFix } from './preview-in-page.ts'
import { changeSettings, leaveWindow, takeWindow } from './shared-window.ts'

const question = 'version: 2.2\n<|start|>user<|message|>Look: <|end|>\n'
const copied = '<|start|>user<|message|>x<|end|>'
const lines = Array.from({ length: 120 }, (_, index) => `line ${index}`)
const answer = `<|start|>assistant<|channel|>final<|message|># First\n${lines.join('\n')}\n# Second\n${lines.join('\n')}<|return|>`
const call = `<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a":"${'x'.repeat(21_000)}"}<|call|>`
const grammarLimit = 20 * 1024 * 1024 // bytes; above, VS Code does not highlight files by grammar

/** Questions, thoughts and calls: more than `bytes` of them. */
function manyCalls(bytes: number): string {
  const turn = (index: number) =>
    `<|start|>user<|message|>${'Question '.repeat(40)}${index}<|end|>\n<|start|>assistant to=functions.f call_id=c${index}<|channel|>commentary<|constrain|>json<|message|>{"a": ${index}}<|call|>\n`
  return Array.from({ length: Math.ceil(bytes / turn(0).length) }, (_, index) => turn(index)).join('')
}

const files = {
  'paste.ocm': question,
  'paste-as.ocm': question,
  'outline.ocm': `version: 2.2\n<|start|>user<|message|>Write much<|end|>\n${answer}\n`,
  'long-line.ocm': `version: 2.2\n<|start|>user<|message|>Hi<|end|>${call}\n`,
  'dimmed.ocm':
    'version: 2.2\n<|start|>assistant<|channel|>analysis<|message|>secret<|end|>\n<|start|>assistant<|channel|>final<|message|>shown<|return|>\n',
  'styled.ocm':
    'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"key":12}<|call|>\n',
}
const settings = {
  'files.autoSave': 'off',
  'editor.stickyScroll.enabled': true,
  'breadcrumbs.enabled': true,
  'editor.minimap.enabled': false,
  'editor.wordWrap': 'off',
  'workbench.editorLargeFileConfirmation': 100, // MB: large files are opened without a question
}

describe('editing', () => {
  let folder: string
  let vscode: OpenedVSCode

  before(async () => {
    ;({ folder, vscode } = await takeWindow({ settings }))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    await writeFile(join(folder, 'large.ocm'), `version: 2.2\n${manyCalls(grammarLimit)}`)
  })

  after(leaveWindow)

  /** Opens a file and waits until the server has answered, which the breadcrumbs show. */
  async function open(name: string, breadcrumb: string): Promise<void> {
    await vscode.openFile(name)
    await focusEditor(vscode)
    await vscode.page.keyboard.press('Control+Home')
    await vscode.page.keyboard.press('ArrowDown')
    await breadcrumbs(breadcrumb)
  }

  function breadcrumbs(text: string): Promise<void> {
    return vscode.page.locator('.monaco-breadcrumb-item').filter({ hasText: text }).first().waitFor()
  }

  /** Opens a file and puts the cursor behind the only colon of its second line, with `copied` on the clipboard. */
  async function openToPaste(name: string): Promise<void> {
    await open(name, 'Turn 1')
    await vscode.page.keyboard.press('End')
    for (let left = 0; left < '<|end|>'.length; left++) await vscode.page.keyboard.press('ArrowLeft')
    await vscode.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(copied)})`)
  }

  /** Waits for the second line of the editor. */
  function secondLine(wanted: string): Promise<void> {
    return eventually(wanted, async () => {
      const text = await vscode.page.locator('.editor-instance .view-lines').first().innerText()
      return text.replaceAll('\u00a0', ' ').split('\n')[1] === wanted
    })
  }

  test('what is pasted is what was copied, and the button beside it offers it as text', async () => {
    await openToPaste('paste.ocm')
    await vscode.page.keyboard.press('Control+V')
    await secondLine(`<|start|>user<|message|>Look: ${copied}<|end|>`)
    await vscode.page.locator('.post-edit-widget').first().waitFor()
    await (await offeredFix(vscode.page, 'Paste as Literal Block')).click()
    await secondLine(`<|start|>user<|message|>Look: <|literal|>${copied}<|endliteral|><|end|>`)
  })

  nightly('a setting makes one of the offers the usual way', async () => {
    await changeSettings({ 'editor.pasteAs.preferences': ['text.openchatml.escaped'] })
    await openToPaste('paste-as.ocm')
    await vscode.page.keyboard.press('Control+V')
    await secondLine('<|start|>user<|message|>Look: <<|start|>user<<|message|>x<<|end|><|end|>')
    await changeSettings({})
  })

  nightly('breadcrumbs and sticky scroll show the turn, the message and the heading', async () => {
    await open('outline.ocm', 'Turn 1')
    for (let down = 0; down < 30; down++) await vscode.page.keyboard.press('ArrowDown')
    await breadcrumbs('assistant: # First')
    await breadcrumbs('First')
    await vscode.page.keyboard.press('Control+End')
    await vscode.page.keyboard.press('ArrowUp') // the last line is empty
    await breadcrumbs('Second')
    const sticky = vscode.page.locator('.sticky-widget .sticky-line-content')
    await eventually('the lines that stick', async () => {
      const texts = (await sticky.allInnerTexts()).map((it) => it.replaceAll('\u00a0', ' '))
      return (
        texts.some((it) => it.includes('Write much')) &&
        texts.some((it) => it.includes('<|start|>assistant')) &&
        texts.some((it) => it.includes('# Second'))
      )
    })
  })

  nightly('a line that is too long for the grammar is coloured by meaning', async () => {
    await open('long-line.ocm', 'Turn 1')
    const classesOf = () =>
      vscode.page.evaluate<string[]>(
        `[...document.querySelectorAll('.editor-instance .view-line')]
        .filter((line) => line.innerText.includes('call_id'))
        .flatMap((line) => [...new Set([...line.querySelectorAll('span[class^=mtk]')].map((it) => it.className))])`,
      )
    await eventually('colours', async () => (await classesOf()).length >= 5)
    // They come from nowhere else: without semantic colours the line has one.
    await changeSettings({ '[openchatml]': { 'editor.semanticHighlighting.enabled': false } })
    await eventually('one colour', async () => (await classesOf()).length === 1)
    await changeSettings({})
    await eventually('colours again', async () => (await classesOf()).length >= 5)
  })

  nightly('a file that is too large for the grammar is coloured by meaning, at its end too', async () => {
    await vscode.openFile('large.ocm')
    const colours = () =>
      vscode.page.evaluate<readonly (readonly string[])[]>(
        `[...document.querySelectorAll('.editor-instance .view-line')]
        .filter((line) => line.innerText.includes('call_id'))
        .map((line) => [...line.querySelectorAll('span[class^=mtk]')].map((it) => it.className.split(' ')[0] + ' ' + it.innerText))`,
      )
    const isColoured = async () => {
      const lines = await colours()
      const classes = lines.map((line) => new Set(line.map((it) => it.split(' ')[0])))
      // Arguments are in one piece: the grammar would tell their parts.
      return (
        lines.length > 0 &&
        classes.every(({ size }) => size >= 5) &&
        lines.every((line) => line.some((it) => /\{"a":\s\d+\}$/.test(it)))
      )
    }
    await eventually('colours', isColoured)
    await focusEditor(vscode)
    await vscode.page.keyboard.press('Control+End')
    const last = Math.ceil(grammarLimit / manyCalls(1).length) - 1
    await eventually('the end', async () =>
      (await colours()).some((line) => line.some((it) => it.includes(`c${last}`))),
    )
    await eventually('colours at the end', isColoured)
  })

  nightly('hidden text has the style that one gives it, and the colours of its language', async () => {
    const rules = { '*.hidden': { italic: true } }
    await changeSettings({ 'editor.semanticTokenColorCustomizations': { rules } })
    await open('styled.ocm', '→ f')
    const classOf = (text: string) =>
      vscode.page.evaluate<string | undefined>(
        `[...document.querySelectorAll('.editor-instance .view-line span span')]
        .find((it) => it.innerText === ${JSON.stringify(text)})?.className`,
      )
    await eventually('the style', async () => (await classOf('12'))?.includes('mtki') === true)
    const colours = [await classOf('"key"'), await classOf('12')].map((it) => it?.split(' ')[0])
    assert.notEqual(colours[0], colours[1])
    await changeSettings({})
  })

  nightly('hidden text is dimmed, and a command turns that off and on', async () => {
    await open('dimmed.ocm', 'assistant: secret')
    const opacityOf = (text: string) =>
      vscode.page.evaluate<string | undefined>(
        `[...document.querySelectorAll('.editor-instance .view-line span span')]
        .filter((it) => it.innerText === ${JSON.stringify(text)})
        .map((it) => getComputedStyle(it).opacity)[0]`,
      )
    await eventually('dimmed text', async () => (await opacityOf('secret')) === '0.6')
    assert.equal(await opacityOf('shown'), '1')
    await vscode.runCommand('OpenChatML: Toggle Dimming of Hidden Text')
    await eventually('text as usual', async () => (await opacityOf('secret')) === '1')
    await vscode.runCommand('OpenChatML: Toggle Dimming of Hidden Text')
    await eventually('dimmed text again', async () => (await opacityOf('secret')) === '0.6')
  })
})
