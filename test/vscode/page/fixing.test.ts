/** Fixing, commands for conversations, and fixtures as tests: what a person reads and presses, in the page of the workbench. */

import assert from 'node:assert/strict'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { nightly } from '../../helpers/nightly.ts'
import { eventually, isWritten, offeredFix } from './preview-in-page.ts'
import { leaveWindow, notification, type SharedVSCode, takeWindow } from './shared-window.ts'
import { linesOf } from './typist.ts'

const message = '<|start|>user<|message|>Hi<|end|>\n'
const misspelt = '<|start|>assistant intent=preambel<|channel|>commentary<|message|>One<|end|>'
const files = {
  'two.ocm': `version: 2.2\n${misspelt}\n${misspelt}\n`,
  'project.ocm': `version: 2.2\n${misspelt}\n`,
  'notes.md': '# Notes\n\nNobody speaks here.\n',
  'fails.ocm': `version: 2.2\nexpect:\n  - E-CALL-SCHEMA\n\n${message}`,
  'passes.ocm': `version: 2.2\nexpect: []\n\n${message}`,
  '$(flame) icon.ocm': `version: 2.2\nexpect: []\n\n${message}`,
}

describe('fixing', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    ;({ folder, vscode } = await takeWindow({ settings: { 'files.autoSave': 'off' } }))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    await copyFile('samples/15-mistakes.ocm', join(folder, 'mistakes.ocm'))
  })

  after(leaveWindow)

  /** Saves what was changed. VS Code also writes a file that wasn't, and empties it before; a test can't tell when that is over. */
  async function saveChanges(): Promise<void> {
    await vscode.page.locator('.tab.active.dirty').first().waitFor()
    await vscode.page.keyboard.press('Control+S')
    await vscode.page.locator('.tab.active:not(.dirty)').first().waitFor()
  }

  test('Fix All says what it fixed and what is left, and unsafe fixes are looked at before they are applied', async () => {
    const { page } = vscode
    await vscode.openFile('mistakes.ocm')
    await eventually('problems', async () => (await page.locator('.squiggly-error').count()) > 0)
    await vscode.runCommand('OpenChatML: Fix All')
    const said = await notification(
      vscode,
      'Fixed 4 of 18 problems. Quick fixes that may change the meaning: 12',
    )
    await saveChanges()
    await said.locator('.monaco-button').filter({ hasText: 'Fix All, Including Unsafe…' }).first().click()
    const preview = page.locator('.bulk-edit-panel')
    await preview.locator('.monaco-list-row').filter({ hasText: 'mistakes.ocm' }).first().waitFor()
    assert.equal(await page.locator('.tab.dirty').count(), 0, 'nothing is applied before the reader agrees')
    await preview.locator('.monaco-button').filter({ hasText: 'Discard' }).first().click()
    await preview.waitFor({ state: 'hidden' })
  })

  nightly(
    'all problems of one rule are fixed at once, after a look at fixes that may change the meaning',
    async () => {
      const { page } = vscode
      await vscode.openFile('two.ocm')
      await vscode.goTo(2, 30)
      await page.locator('.squiggly-error, .squiggly-warning').nth(1).waitFor()
      await (await offeredFix(page, 'Fix all 2 problems of unknown-value')).click()
      const preview = page.locator('.bulk-edit-panel')
      await preview.locator('.monaco-list-row').filter({ hasText: 'two.ocm' }).first().waitFor()
      await preview
        .locator('.monaco-list-row .monaco-checkbox, .monaco-list-row input[type=checkbox]')
        .first()
        .click()
      await preview.locator('.monaco-button').filter({ hasText: 'Apply' }).first().click()
      await eventually('fixed lines', async () => {
        const lines = await linesOf(vscode)
        return lines.filter((it) => it.includes('intent=preamble')).length === 2
      })
    },
  )

  nightly('a rule is turned off in the configuration in force', async () => {
    const { page } = vscode
    // The severity tells which configuration is in force, as soon as it is read.
    const turnOff = async (transcript: string, severity: string, configuration: string, written: string) => {
      const squiggles = page.locator(`.squiggly-${severity}`)
      await vscode.openFile(transcript)
      await vscode.goTo(2, 30)
      await squiggles.first().waitFor()
      await (await offeredFix(page, `Turn off unknown-value in this project (${configuration})`)).click()
      await squiggles.first().waitFor({ state: 'detached' })
      await isWritten(join(folder, configuration), written)
    }
    await mkdir(join(folder, 'nested'))
    await copyFile(join(folder, 'project.ocm'), join(folder, 'nested', 'inner.ocm'))
    await writeFile(join(folder, 'nested', '.openchatml.yml'), 'rules:\n  unknown-value: error\n')
    const off = 'rules:\n  unknown-value: "off" # reason:\n'
    await turnOff('nested/inner.ocm', 'error', 'nested/.openchatml.yml', off)
    await turnOff('project.ocm', 'warning', '.openchatml.yaml', off)
    await rm(join(folder, '.openchatml.yaml'))
  })

  nightly('commands for conversations are offered where there is one, also once it is typed', async () => {
    const { page } = vscode
    const offered = async (title: string) => {
      await page.keyboard.press('F1')
      await page.locator('.quick-input-widget:visible input').fill(`>${title}`)
      const first = page.locator('.quick-input-list .monaco-list-row').first()
      await first.waitFor()
      const text = await first.innerText()
      await page.keyboard.press('Escape')
      return text.includes(title)
    }
    await vscode.openFile('notes.md')
    for (const it of ['OpenChatML: Convert to…', 'OpenChatML: Copy as…', 'OpenChatML: Open as OpenChatML'])
      assert.equal(await offered(it), false, it)
    await vscode.goTo(4, 1)
    await page.keyboard.type('<|start|>user<|message|>Hi<|end|>')
    await eventually('the commands', () => offered('OpenChatML: Convert to…'))
    assert.equal(await offered('OpenChatML: Open as OpenChatML'), true)
    await page.keyboard.press('Control+Z')
  })

  nightly('a fixture is run from its editor, and says how it went', async () => {
    const { page } = vscode
    for (const [name, icon] of [
      ['fails.ocm', 'failed'],
      ['passes.ocm', 'passed'],
    ] as const) {
      await vscode.openFile(name)
      await page.locator('.testing-run-glyph').first().waitFor()
      await vscode.runCommand('Test: Run Tests in Current File')
      await page.locator(`.editor-instance .codicon-testing-${icon}-icon`).first().waitFor()
    }
  })

  nightly('the Testing view shows the name of a fixture as text', async () => {
    const { page } = vscode
    await vscode.openFile('$(flame) icon.ocm')
    await page.locator('.testing-run-glyph').first().waitFor()
    await vscode.runCommand('View: Show Testing')
    await page.locator('.test-explorer .label').filter({ hasText: '$(flame) icon.ocm' }).first().waitFor()
    await vscode.runCommand('View: Show Explorer')
  })
})
