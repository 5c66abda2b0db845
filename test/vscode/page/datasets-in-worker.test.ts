/** The list of a dataset where extensions run in a Web Worker, as on vscode.dev. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import { until } from './preview-in-page.ts'

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-worker-'))
  await cp('samples/dataset.jsonl', join(folder, 'train.jsonl'))
  vscode = await openVSCode({ folder, host: 'worker' })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the list has rows with tokens and problems, and is searched', async () => {
  await vscode.openFile('train.jsonl')
  await vscode.runCommand('OpenChatML: Open as Dataset')
  const frame = await vscode.frameOf('.row.bad')
  await until(frame, `document.querySelectorAll('.body .tokens:not(:empty)').length > 5`)
  await until(frame, `/Line 11, column 43: /.test(document.body.textContent)`)
  const text = await frame.evaluate<string>(`document.body.textContent`)
  assert.match(text, /Why is the sky blue\?/)
  assert.doesNotMatch(text, /Rayleigh|get_weather/)
  await frame.locator('input').fill('rayleigh')
  await until(frame, `document.querySelectorAll('.body .row').length === 1`)
})
