/** The list of a dataset where extensions run in a Web Worker, as on vscode.dev. */

import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import { nightly } from '../../helpers/nightly.ts'
import { packedBy, parquetOf } from '../../sources/packed-files.ts'
import { eventually, until } from './preview-in-page.ts'

let folder: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-worker-'))
  await cp('samples/dataset.jsonl', join(folder, 'train.jsonl'))
  const samples = ['One', 'Two', 'Three'].map((content) => [
    { role: 'user', content },
    { role: 'assistant', content: 'Yes' },
  ])
  const lines = samples.map((messages) => `${JSON.stringify({ messages })}\n`).join('')
  for (const [program, ending] of [
    ['gzip', 'gz'],
    ['zstd', 'zst'],
  ] as const)
    await writeFile(join(folder, `packed.jsonl.${ending}`), packedBy(program, lines))
  await writeFile(join(folder, 'rows.parquet'), parquetOf(samples.map((messages) => ({ messages }))))
  const settings = {
    'openchatml.review.name': 'Ann',
    'workbench.editorAssociations': {
      '*.gz': 'openchatml.dataset',
      '*.zst': 'openchatml.dataset',
      '*.parquet': 'openchatml.dataset',
    },
  }
  vscode = await openVSCode({ folder, host: 'worker', settings })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

nightly('the list has rows with tokens and problems, and is searched', async () => {
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

for (const [name, first] of [
  ['packed.jsonl.gz', 1],
  ['packed.jsonl.zst', 1],
  ['rows.parquet', 0],
] as const)
  nightly(
    `${name} is reviewed, and its review file is written by the file system of the workspace`,
    async () => {
      await vscode.runCommand('View: Close All Editors')
      await eventually('that the page of before is gone', () => vscode.webviewFrames().length === 0)
      await vscode.openFile(name, { shows: 'iframe.webview' })
      const frame = await vscode.frameOf('.body .row')
      await frame.locator('.body .label').first().click()
      await frame.locator('button.review').click()
      const pane = `document.querySelector('.review-host').shadowRoot`
      const shows = (text: string) =>
        until(frame, `${pane}?.querySelector('.scroll')?.textContent.includes('${text}')`)
      await shows('One')
      await until(frame, `${pane}.activeElement?.matches('.scroll') && document.hasFocus()`)
      await vscode.page.keyboard.press('k')
      await shows('Two')
      await vscode.page.keyboard.press('x')
      await shows('Three')
      const written = (await readFile(join(folder, `${name}.review.jsonl`), 'utf8')).trimEnd().split('\n')
      assert.deepEqual(
        written.map((line) => JSON.parse(line)).map(({ place, decision, by }) => [place, decision, by]),
        [
          [first, 'keep', 'Ann'],
          [first + 1, 'reject', 'Ann'],
        ],
      )
    },
  )
