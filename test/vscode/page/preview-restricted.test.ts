/** Restricted Mode in a real VS Code: what is hidden in a transcript that nobody trusts is shown after a question only. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import { pageText, previewOf, until } from './preview-in-page.ts'

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-restricted-'))
  await cp('samples/02-weather-tool.ocm', join(folder, 'stranger.ocm'))
  vscode = await openVSCode({ folder, isRestricted: true })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

const views = [
  ['OpenChatML: Show Everything', '.everything-banner'],
  ['OpenChatML: Show What the Model Gets Next', '.context-banner'],
  ['OpenChatML: Show What a Model Is Trained On', '.training-banner'],
] as const

for (const [command, banner] of views) {
  test(`${command}: no hidden word without a Yes`, async () => {
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

function button(label: string) {
  return vscode.page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: label }).first()
}
