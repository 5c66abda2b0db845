/** A transcript typed into an empty file of a real VS Code: what is proposed on the way, and what Enter means. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import { eventually, focusEditor, goTo } from './preview-in-page.ts'

const exchange = (id: string) =>
  `<|start|>assistant to=python call_id=${id}<|channel|>analysis<|message|>1<|call|>\n<|start|>tool name=python call_id=${id}<|channel|>analysis<|message|>1<|end|>`

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-typing-'))
  await writeFile(join(folder, 'empty.ocm'), '')
  await writeFile(join(folder, 'exchange.ocm'), `version: 2.2\n${exchange('c1')}`)
  vscode = await openVSCode({ folder, settings: { 'files.autoSave': 'off', 'editor.linkedEditing': true } })
  await vscode.openFile('empty.ocm')
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

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

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
function lines(...expected: readonly string[]): Promise<void> {
  return eventually(JSON.stringify(expected), async () => {
    const shown = await vscode.page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.editor-instance .view-line')]
        .sort((one, other) => Number.parseInt(one.style.top) - Number.parseInt(other.style.top))
        .map((it) => it.innerText.replaceAll('\\u00a0', ' ').replaceAll('\\u200b', ''))`,
    )
    return JSON.stringify(shown) === JSON.stringify(expected)
  })
}

test('a key asks for its value, and Enter behind a value that is typed already is a line break', async () => {
  const { keyboard } = vscode.page
  await type('version: 2.2', '2.2,')
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
  await keyboard.type('<')
  await type('|mes', '<|message|>')
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
  await vscode.settled() // the list knows what was typed
  await keyboard.press('Enter')
  await lines(
    'version: 2.2',
    'model: gpt-oss-120b',
    '<|start|>assistant<|channel|>final<|message|>Hello<|end|>',
    '',
  )
  assert.equal(await first(), '')
})

test('typing in the id of a call changes it in the reply', async () => {
  await vscode.openFile('exchange.ocm')
  await goTo(vscode, 2, exchange('c1').indexOf('c1') + 2)
  await eventually('linked ids', async () => {
    return (await vscode.page.locator('.linked-editing-decoration').count()) === 2
  })
  await vscode.page.keyboard.type('9x')
  const changed = vscode.page.locator('.editor-instance .view-line', { hasText: 'call_id=c9x1' })
  await eventually('the same id in both', async () => (await changed.count()) === 2)
})
