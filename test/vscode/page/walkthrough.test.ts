/** The walkthrough in a real VS Code: found, followed step by step in a folder that is not trusted, each step checked off. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import { patiently } from '../../../scripts/vscode/patiently.mjs'
import { editorHasFocus } from './preview-in-page.ts'

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-walkthrough-'))
  vscode = await openVSCode({ folder, isRestricted: true, size: { width: 1400, height: 900 } })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

test('its five steps are found, followed, and checked off', async () => {
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
  const fixes = page.locator('.action-widget .monaco-list-row.action').first()
  // A busy window closes the list again when it moves the focus late; people press the keys once more.
  const askForFixes = async () => {
    await editorHasFocus(page)
    await page.keyboard.press('Control+.')
    await fixes.waitFor({ timeout: 5000 })
  }
  await patiently(askForFixes, { attempts: 6 })
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
})
