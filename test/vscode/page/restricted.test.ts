/**
 * Restricted Mode in a real VS Code: nothing hidden is shown, and no prompt is filled, unasked. The walkthrough works there, too:
 * found, followed step by step, each step checked off. They share a window, which costs as much as opening its files.
 */

import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import { nightly } from '../../helpers/nightly.ts'
import {
  editorHasFocus,
  editorsAreClosed,
  focusEditor,
  offeredFix,
  pageText,
  previewOf,
  until,
} from './preview-in-page.ts'

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
  folder = await mkdtemp(join(tmpdir(), 'openchatml-restricted-'))
  await cp('samples/02-weather-tool.ocm', join(folder, 'stranger.ocm'))
  await writeFile(
    join(folder, 'other.ocm'),
    '<|start|>system<|message|>OTHER-SECRET<|end|>\n<|start|>user<|message|>Hello<|end|>\n',
  )
  await mkdir(join(folder, 'model'))
  await writeFile(join(folder, 'prompt.ocm'), prompt)
  await writeFile(join(folder, 'part.md'), 'PART-OF-A-STRANGER')
  await writeFile(join(folder, 'model/chat_template.jinja'), 'TEMPLATE-OF-A-STRANGER')
  vscode = await openVSCode({ folder, isRestricted: true, size: { width: 1400, height: 900 } })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

nightly('the five steps of the walkthrough are found, followed, and checked off', async () => {
  const { page } = vscode
  const walkthrough = () => vscode.runCommand('Welcome: Open Walkthrough...', 'Get Started with OpenChatML')
  const step = (id: string) => page.locator(`.getting-started-step[data-step-id$="#${id}"]`)
  const isDone = (id: string) => step(id).locator('.codicon.complete').waitFor()
  const press = async (id: string, button: string) => {
    await walkthrough()
    await step(id).waitFor()
    if (!(await step(id).getAttribute('class'))?.includes('expanded')) await step(id).click()
    await step(id).locator('.monaco-button').filter({ hasText: button }).first().click()
  }

  await walkthrough()
  await page.locator('.getting-started-step').first().waitFor()
  assert.equal(await page.locator('.getting-started-step').count(), 5)

  await press('transcript', 'Open Example')
  await page.locator('.view-line').filter({ hasText: 'version' }).first().waitFor()
  await walkthrough()
  await isDone('transcript')

  await press('preview', 'Open Example with Preview')
  await vscode.frameOf('.message')
  await walkthrough()
  await isDone('preview')

  await press('fix', 'Open Example with Problems')
  await page.locator('.squiggly-error').first().waitFor()
  await editorHasFocus(page)
  await page.keyboard.press('F8')
  await page.locator('.marker-widget').first().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.marker-widget').first().waitFor({ state: 'detached' })
  const fixes = await offeredFix(page)
  await page.keyboard.press('Enter')
  await fixes.waitFor({ state: 'detached' })
  await walkthrough()
  await isDone('fix')

  await press('dataset', 'Open Example Dataset')
  await vscode.frameOf('.body .row')
  await walkthrough()
  await isDone('dataset')

  await press('prompt', 'Open Example Prompt')
  await page.locator('.codelens-decoration').filter({ hasText: 'Case: refund' }).waitFor()
  // The parts of the example are read although the folder is not trusted: they came with the extension.
  await page.locator('.view-line').filter({ hasText: 'Grace' }).first().waitFor()
  assert.doesNotMatch(await page.locator('.monaco-workbench').innerText(), /cannot.be.filled/)
  await walkthrough()
  await isDone('prompt')
  await vscode.runCommand('View: Close All Editors')
  await editorsAreClosed(page)
})

const views = [
  ['OpenChatML: Show Everything', '.everything-banner'],
  ['OpenChatML: Show What the Model Gets Next', '.context-banner'],
  ['OpenChatML: Show Training View', '.training-banner'],
] as const

for (const [command, banner] of views) {
  nightly(`${command}: no hidden word without a Yes`, async () => {
    const frame = await previewOf(vscode, 'stranger.ocm')
    await vscode.runCommand(command)
    await button('Show Hidden Messages').waitFor()
    assert.match(await vscode.page.locator('.monaco-dialog-box').first().innerText(), /Restricted Mode/)
    assert.doesNotMatch(await pageText(frame), /get_current_weather/)
    await button('Cancel').click()
    await vscode.page.locator('.monaco-dialog-box').first().waitFor({ state: 'detached' })
    assert.doesNotMatch(await pageText(frame), /get_current_weather/)
    assert.equal(await frame.locator(banner).count(), 0)
    await vscode.runCommand(command)
    await button('Show Hidden Messages').click()
    await until(frame, `document.querySelector('${banner}')?.checkVisibility()`)
    await until(frame, `/get_current_weather/.test(document.body.textContent)`)
  })
}

nightly(
  'a Yes is about one document: the next one in the same panel shows nothing hidden, and is asked about',
  async () => {
    const frame = await previewOf(vscode, 'stranger.ocm')
    await vscode.runCommand('OpenChatML: Show Everything')
    await button('Show Hidden Messages').click()
    await until(frame, `/get_current_weather/.test(document.body.textContent)`)
    await focusEditor(vscode)
    await vscode.openFile('other.ocm')
    await until(frame, `/Hello/.test(document.body.textContent)`)
    assert.doesNotMatch(await pageText(frame), /OTHER-SECRET|get_current_weather/)
    await vscode.runCommand('OpenChatML: Show Everything')
    await button('Show Hidden Messages').waitFor()
    assert.doesNotMatch(await pageText(frame), /OTHER-SECRET/)
    await button('Cancel').click()
    await vscode.page.locator('.monaco-dialog-box').first().waitFor({ state: 'detached' })
    assert.doesNotMatch(await pageText(frame), /OTHER-SECRET/)
  },
)

nightly('unasked, no prompt is filled; asked, no file beside the prompt is read', async () => {
  const { page } = vscode
  const text = () => page.locator('.monaco-workbench').innerText()
  await vscode.openFile('prompt.ocm')
  // The server has checked the prompt once something is reported that needs no filling.
  await vscode.runCommand('Problems: Focus on Problems View')
  await page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'nmae' }).first().waitFor()
  await vscode.openFile('prompt.ocm')

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
  // A list that is opened before there is a notification stays empty.
  await page.locator('.statusbar-item [class*=bell][class*=-dot]').first().waitFor()
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

function button(label: string) {
  return vscode.page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: label }).first()
}
