/** A transcript typed into an empty file of a real VS Code: what is proposed on the way, and what Enter means. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { nightly } from '../../helpers/nightly.ts'
import { editorHasFocus, eventually, focusEditor } from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'
import { linesOf, proposals, smallWindow } from './typist.ts'

const exchange = (id: string) =>
  `<|start|>assistant to=python call_id=${id}<|channel|>analysis<|message|>1<|call|>\n<|start|>tool name=python call_id=${id}<|channel|>analysis<|message|>1<|end|>`

describe('typing', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    ;({ folder, vscode } = await takeWindow({
      size: smallWindow,
      settings: { 'files.autoSave': 'off', 'editor.linkedEditing': true },
    }))
    await writeFile(join(folder, 'new.ocm'), '')
    await writeFile(join(folder, 'exchange.ocm'), `version: 2.2\n${exchange('c1')}`)
    await vscode.openFile('new.ocm')
    await focusEditor(vscode)
    // The server works once the file has its problem: there is no message in it.
    await vscode.page.keyboard.type('x')
    await vscode.page
      .locator('.monaco-editor .squiggly-error, .monaco-editor .squiggly-warning')
      .first()
      .waitFor()
    await vscode.page.keyboard.press('Escape')
    await vscode.page.keyboard.press('Backspace')
  })

  after(leaveWindow)

  const squiggles =
    '.editor-group-container.active .monaco-editor .squiggly-error, .editor-group-container.active .monaco-editor .squiggly-warning'

  /** Remembers in the page from when on there is text to come, and when a problem appeared after that. */
  const watchProblems = `
  window.problemTimes = { typed: performance.now(), shown: 0 }
  new MutationObserver(() => {
    if (!window.problemTimes.shown && document.querySelector(${JSON.stringify(squiggles)}))
      window.problemTimes.shown = performance.now()
  }).observe(document.body, { subtree: true, childList: true, attributes: true })`

  /** The first proposal of the list; empty if there is none. */
  function first(): Promise<string> {
    return vscode.page.evaluate<string>(
      `document.querySelector('.suggest-widget.visible .monaco-list-row')?.getAttribute('aria-label') ?? ''`,
    )
  }

  async function type(text: string, proposal: string): Promise<void> {
    await vscode.page.keyboard.type(text)
    await eventually(`${proposal} behind ${text}`, async () => (await first()).startsWith(proposal))
  }

  /** Waits until the editor shows exactly these lines. */
  async function lines(...expected: readonly string[]): Promise<void> {
    let shown: readonly string[] = []
    try {
      await eventually('the lines', async () => {
        shown = await linesOf(vscode)
        return JSON.stringify(shown) === JSON.stringify(expected)
      })
    } catch {
      assert.deepEqual({ shown, list: await proposals(vscode) }, { shown: expected, list: [] })
    }
  }

  test('a key asks for its value, and Enter behind a value that is typed already is a line break', async () => {
    const { keyboard } = vscode.page
    await type('version: ', '2.2,')
    await keyboard.type('2.2')
    await keyboard.press('Enter')
    await lines('version: 2.2', '')
    await type('mod', 'model')
    await keyboard.press('Enter')
    await eventually('a model', async () => (await first()).startsWith('gpt-oss-120b'))
    await keyboard.press('Enter')
    await lines('version: 2.2', 'model: gpt-oss-120b')
    await keyboard.press('Enter')
  })

  test('a token that is typed to its end leads on to what may follow', async () => {
    const { keyboard } = vscode.page
    await type('<|start|', '<|start|>')
    await type('>', 'system')
    await type('ass', 'assistant,')
    await keyboard.press('Enter')
    await eventually('tokens', async () => (await first()).startsWith('<|channel|>'))
    await type('<|channel|', '<|channel|>')
    await type('>', 'analysis')
    await type('fi', 'final')
    await keyboard.press('Tab')
    await type('<|mes', '<|message|>')
    await keyboard.press('Tab')
    await keyboard.type('Hello')
    await lines(
      'version: 2.2',
      'model: gpt-oss-120b',
      '<|start|>assistant<|channel|>final<|message|>Hello<|end|>',
    )
  })

  test('Enter behind a token that ends a message is a line break', async () => {
    const { keyboard } = vscode.page
    for (let left = 0; left < '<|end|>'.length; left++) await keyboard.press('Delete')
    await type('<|en', '<|end|>')
    await keyboard.type('d|>')
    await eventually('no list', async () => (await first()) === '')
    await keyboard.press('Enter')
    await lines(
      'version: 2.2',
      'model: gpt-oss-120b',
      '<|start|>assistant<|channel|>final<|message|>Hello<|end|>',
      '',
    )
    assert.equal(await first(), '')
  })

  nightly('typing in the id of a call changes it in the reply', async () => {
    await vscode.openFile('exchange.ocm')
    await vscode.goTo(2, exchange('c1').indexOf('c1') + 2)
    await eventually('linked ids', async () => {
      return (await vscode.page.locator('.linked-editing-decoration').count()) === 2
    })
    await vscode.page.keyboard.type('9x')
    const changed = vscode.page.locator('.editor-instance .view-line', { hasText: 'call_id=c9x1' })
    await eventually('the same id in both', async () => (await changed.count()) === 2)
  })

  test('a new transcript begins in its first body, and Tab leads through the bodies', async () => {
    await vscode.runCommand('OpenChatML: New Transcript…', 'Conversation')
    await editorHasFocus(vscode.page)
    await eventually('the template', async () => (await linesOf(vscode)).join('').includes('4.<|return|>'))
    for (const text of ['Be brief.', 'Hi', 'Hello']) {
      await vscode.page.keyboard.type(text)
      await vscode.page.keyboard.press('Tab')
    }
    await lines(
      'version: 2.2',
      '',
      '<|start|>system<|message|>Be brief.<|end|>',
      '<|start|>user<|message|>Hi<|end|>',
      '<|start|>assistant<|channel|>final<|message|>Hello<|return|>',
      '',
    )
  })

  nightly('a new transcript can be empty', async () => {
    await vscode.runCommand('OpenChatML: New Transcript…', 'Empty')
    await editorHasFocus(vscode.page)
    await lines('version: 2.2', '', '<|start|>user<|message|><|end|>', '')
    await vscode.page.keyboard.type('Hi')
    await lines('version: 2.2', '', '<|start|>user<|message|>Hi<|end|>', '')
  })

  test('a control token that is being typed after the header has its problem when it is left alone for a second', async () => {
    await vscode.openFile('exchange.ocm')
    await vscode.page.keyboard.press('Control+Home')
    await vscode.page.keyboard.press('End')
    await eventually('no problem', async () => (await vscode.page.locator(squiggles).count()) === 0)
    await vscode.page.keyboard.press('Enter')
    await vscode.page.evaluate(watchProblems)
    await vscode.page.keyboard.insertText('<|start|') // at once: keys may be a second apart on a busy machine
    await vscode.page.locator(squiggles).first().waitFor()
    const { typed, shown } = await vscode.page.evaluate<{ typed: number; shown: number }>(
      'window.problemTimes',
    )
    assert.ok(shown - typed >= 950, `${shown - typed} ms after the text`) // a second, and what a clock may differ
  })

  test('it has its problem when the cursor leaves', async () => {
    const { keyboard } = vscode.page
    for (let left = 0; left < 3; left++) await keyboard.press('Backspace')
    await keyboard.press('ArrowUp')
    await vscode.page.locator(squiggles).first().waitFor()
  })
})
