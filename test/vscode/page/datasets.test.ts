/** The list of a dataset in a real VS Code: looked at from outside, with the keyboard, in several themes, and with axe. */

import assert from 'node:assert/strict'
import { appendFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'
import { nightly } from '../../helpers/nightly.ts'
import { withCodec } from '../../sources/damaged-parquet.ts'
import { packedBy, parquetOf } from '../../sources/packed-files.ts'
import { accessibleInAllThemes } from './accessible.ts'
import { eventually, isWritten, previewIsActive, until } from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'

describe('the list of a dataset', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    const settings = {
      'workbench.editorAssociations': { '*.jsonl': 'openchatml.dataset', '*.parquet': 'openchatml.dataset' },
    }
    ;({ folder, vscode } = await takeWindow({ settings }))
    const samples = await readFile('samples/dataset.jsonl', 'utf8')
    const weighted = samples.replace(
      '"role": "assistant", "content": "Run',
      '"role": "assistant", "weight": 0, "content": "Run',
    )
    await writeFile(join(folder, 'train.jsonl'), weighted)
    await cp('samples/01-hello.ocm', join(folder, 'other.ocm'))
    await mkdir(join(folder, 'bad'))
    const line = '{"messages": [{"role": "user", "content": "Still here"}]}\n'
    await writeFile(join(folder, 'bad/cut.jsonl.gz'), packedBy('gzip', line.repeat(9_999)).subarray(0, -20))
    await writeFile(
      join(folder, 'codec.parquet'),
      withCodec(parquetOf([{ messages: [] }], { codec: 'UNCOMPRESSED' }), 6),
    )
    await symlink('..', join(folder, 'bad/loop'))
  })

  after(leaveWindow)

  /** The page of the list, once its rows are known. */
  async function list(): Promise<Frame> {
    await vscode.runCommand('View: Close All Editors')
    await eventually('that the page of before is gone', () => vscode.webviewFrames().length === 0)
    await vscode.openFile('train.jsonl', { shows: 'iframe.webview' })
    const frame = await vscode.frameOf('.row.bad')
    await until(frame, `document.querySelectorAll('.body .tokens:not(:empty)').length > 5`)
    return frame
  }

  const numbers = `[...document.querySelectorAll('.body .row .label')].map((it) => it.textContent).join(' ')`

  test('the list is searched with queries, shows nothing hidden, and opens a sample with the keyboard', async () => {
    const frame = await list()
    const text = await frame.evaluate<string>(`document.body.textContent`)
    assert.match(text, /Why is the sky blue\?/)
    assert.doesNotMatch(text, /Rayleigh|one sentence|Simple greeting|get_weather|celsius/)
    assert.match(text, /Line 7, column \d+: /)
    await frame.locator('input').fill('rayleigh')
    await until(frame, `${numbers} === '2' && document.querySelector('.hidden-hits')?.textContent !== ''`)
    const nLines = await frame.evaluate<number>(`(() => {
    const { style } = document.body
    style.fontSize = '18px'
    const words = document.querySelector('.hidden-hits').previousSibling
    words.append(' and more'.repeat(200))
    const lines = words.getBoundingClientRect().height / parseFloat(getComputedStyle(words).lineHeight)
    style.fontSize = ''
    return lines
  })()`)
    assert.ok(Math.abs(nLines - 1) < 0.1, `${nLines} lines: half a line is cut off`)
    await frame.locator('input').fill('sky turns>=')
    await until(frame, `document.querySelector('.mistake').textContent.startsWith('Column 12: ')`)
    await frame.locator('input').fill('is:broken')
    await until(frame, `${numbers} === '7 11'`)
    await frame.locator('input').fill('')
    await until(frame, `document.querySelectorAll('.body .row').length > 5`)
    await frame.locator('.label').first().click()
    await until(frame, `document.activeElement?.matches('.grid') && document.hasFocus()`)
    await vscode.page.keyboard.press('ArrowDown')
    await until(frame, `document.querySelector('.row.active .label').textContent === '2'`)
    await vscode.page.keyboard.press('Enter')
    await vscode.page.locator('.tab.active[data-resource-name="train.jsonl:2.ocm"]').waitFor()
  })

  nightly('the list is sorted by a click on a title, and filtered by a drag in a histogram', async () => {
    const frame = await list()
    const total = await frame.evaluate<string>(`document.querySelector('.status').textContent`)
    const title = (text: string) => frame.locator('.title', { hasText: text }).first()
    await title('Sample').click()
    await title('Sample').click()
    await until(frame, `${numbers}.startsWith(${JSON.stringify(total.split(' ')[0])} + ' ')`)
    await title('Sample').click()
    await until(frame, `${numbers}.startsWith('1 ')`)
    await until(frame, `document.querySelector('.head .roles .histogram') !== null`)
    const box = await frame.locator('.head .roles .histogram').boundingBox()
    assert.ok(box)
    const { mouse } = vscode.page
    await mouse.move(box.x + 2, box.y + box.height / 2)
    await mouse.down()
    await mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await mouse.up()
    await until(frame, `/^messages:0\\.\\.\\d+$/.test(document.querySelector('input').value)`)
    await until(frame, `/ of /.test(document.querySelector('.status').textContent)`)
  })

  nightly(
    'the preview of a sample shows its fields above it, and training flags at its messages',
    async () => {
      const frame = await list()
      await frame.locator('.label', { hasText: /^1$/ }).first().click()
      await until(frame, `document.activeElement?.matches('.grid') && document.hasFocus()`)
      await vscode.page.keyboard.press('Shift+Enter')
      const preview = await vscode.frameOf('dl.metadata:not([hidden])')
      await until(preview, `document.querySelector('dl.metadata').textContent.includes('sourcehandwritten')`)
      await until(
        preview,
        `document.querySelector('.notes .flags')?.textContent === 'For training: weight: 0'`,
      )
    },
  )

  nightly(
    'the preview of a sample marks what the query of the list found, and F3 goes there; hidden matches are named',
    async () => {
      const frame = await list()
      await frame.locator('input').fill('sky rayleigh')
      await until(frame, `${numbers} === '2'`)
      await frame.locator('.label').first().click()
      await until(frame, `document.activeElement?.matches('.grid') && document.hasFocus()`)
      await vscode.page.keyboard.press('Shift+Enter')
      const preview = await vscode.frameOf('.found:not([hidden])')
      const said = `document.querySelector('.found').textContent`
      await until(preview, `/^\\d match.* · in reasoning$/.test(${said})`)
      await until(preview, `[...CSS.highlights.get('found')].some((it) => it.toString() === 'sky')`)
      await preview.locator('.message').first().click()
      await vscode.page.keyboard.press('F3')
      await until(preview, `/^Match 1 of /.test(${said}) && CSS.highlights.get('found-current').size === 1`)
      assert.doesNotMatch(await preview.evaluate<string>(`document.body.textContent`), /Rayleigh/)
    },
  )

  nightly('the next and the previous sample are opened in the preview that has the focus', async () => {
    const frame = await list()
    await frame.locator('.label').first().click()
    await until(frame, `document.activeElement?.matches('.grid') && document.hasFocus()`)
    await vscode.page.keyboard.press('Shift+Enter')
    await previewIsActive(vscode)
    const shows = (number: number) =>
      vscode.page.locator('.tab.active', { hasText: `Preview train.jsonl:${number}.ocm` }).waitFor()
    await shows(1)
    await vscode.runCommand('OpenChatML: Open Next Sample')
    await shows(2)
    await vscode.page
      .locator('.editor-group-container.active .action-label[aria-label^="Open Previous Sample"]')
      .click()
    await shows(1)
    assert.equal(await vscode.page.locator('.tab').count(), 2)
  })

  nightly('two samples that are marked are compared', async () => {
    const frame = await list()
    await frame.locator('.label').first().click()
    await vscode.page.keyboard.press('Space')
    await vscode.page.keyboard.press('ArrowDown')
    await vscode.page.keyboard.press('Space')
    await until(frame, `!document.querySelector('.compare').disabled`)
    await frame.locator('.compare').click()
    await vscode.page.locator('.monaco-diff-editor').first().waitFor()
  })

  nightly('a list comes back as it was, behind another tab and after a reload of the window', async () => {
    const frame = await list()
    await frame.locator('input').fill('what')
    await until(frame, `${numbers} === '3 8'`)
    await frame.locator('.label').nth(1).click()
    const isAsBefore = `${numbers} === '3 8' && document.querySelector('input').value === 'what' &&
    document.querySelector('.row.active .label')?.textContent === '8'`
    await until(frame, isAsBefore)
    await vscode.openFile('other.ocm')
    await eventually('that the page is gone', () => vscode.webviewFrames().length === 0)
    const tabs = vscode.page.locator('.tab[data-resource-name="train.jsonl"]')
    await tabs.nth((await tabs.count()) - 1).click() // the one before may be that of the text
    await until(await vscode.frameOf('.row.active'), isAsBefore)

    await vscode.reload()
    await eventually('that the page is gone', () => vscode.webviewFrames().length === 0)
    await vscode.page.locator('.tab.active[data-resource-name="train.jsonl"]').first().waitFor()
    await until(await vscode.frameOf('.row.active'), isAsBefore)
  })

  nightly('a sample is duplicated, moved, and deleted with keys, and all of it is undone', async () => {
    const frame = await list()
    const file = join(folder, 'train.jsonl')
    const before = await readFile(file, 'utf8')
    const lines = before.split('\n')
    await frame.locator('.label', { hasText: /^2$/ }).first().click()
    await until(frame, `document.activeElement?.matches('.grid') && document.hasFocus()`)
    const [first = '', second = '', third = '', ...others] = lines
    const press = async (key: string, active: string, expected: readonly string[]) => {
      await vscode.page.keyboard.press(key)
      await isWritten(file, expected.join('\n'))
      await until(frame, `document.querySelector('.row.active .label')?.textContent === '${active}'`)
    }
    const duplicated = [first, second, second, third, ...others]
    const moved = [first, second, third, second, ...others]
    await press('Shift+Alt+ArrowDown', '3', duplicated)
    await press('Alt+ArrowDown', '4', moved)
    await press('Delete', '4', lines)
    await press('Control+z', '4', moved)
    await press('Control+z', '4', duplicated)
    await press('Control+z', '4', lines)
    // Moves are about the sample with the focus, also where the list has another order.
    const title = frame.locator('.title', { hasText: 'Sample' }).first()
    await title.click()
    await title.click()
    await until(frame, `!${numbers}.startsWith('1 ')`)
    await frame.locator('.label', { hasText: /^3$/ }).first().click()
    await until(frame, `document.activeElement?.matches('.grid') && document.hasFocus()`)
    await press('Alt+ArrowUp', '2', [first, third, second, ...others])
    await press('Alt+ArrowUp', '1', [third, first, second, ...others])
    await vscode.page.keyboard.press('Alt+ArrowUp')
    await vscode.page
      .locator('[role=alert]')
      .filter({ hasText: 'This is the first sample of its file' })
      .first()
      .waitFor()
    await press('Control+z', '1', [first, third, second, ...others])
    await press('Control+z', '1', lines)
    await title.click()
    await until(frame, `${numbers}.startsWith('1 ')`)
  })

  nightly(
    'safe fixes of matching samples are shown as differences, applied after that, and undone',
    async () => {
      const file = join(folder, 'train.jsonl')
      const before = await readFile(file, 'utf8')
      const fixable = 'version: 2.2\n<|start|>assistant<|channel|> final<|message|>Hi<|return|>\n'
      const [first = '', ...others] = before.split('\n')
      const content = [first, ...[1, 2].map((id) => JSON.stringify({ id, text: fixable })), ...others].join(
        '\n',
      )
      await writeFile(file, content)
      const frame = await list()
      await frame.locator('input').fill('line:2')
      await until(frame, `${numbers} === '2'`)
      const { page } = vscode
      await vscode.runCommand('OpenChatML: Apply Safe Fixes to Matching Samples…')
      await page.locator('.monaco-list-row', { hasText: 'Fixes: 1 · Samples: 1' }).first().waitFor()
      await page.locator('.multiDiffEntry .view-line', { hasText: 'channel' }).first().waitFor()
      await page.keyboard.press('Enter')
      const [, second = '', ...rest] = content.split('\n')
      await isWritten(file, [first, second.replace('|> final', '|>final'), ...rest].join('\n'))
      const fixed = await vscode.frameOf('.body .row')
      await until(fixed, `${numbers} === '2'`)
      await fixed.locator('.label').first().click()
      await until(fixed, `document.activeElement?.matches('.grid') && document.hasFocus()`)
      await page.keyboard.press('Control+z')
      await isWritten(file, content)
      await writeFile(file, before)
    },
  )

  nightly('nothing moves for those who want no motion', async () => {
    const frame = await list()
    const duration = `getComputedStyle(document.querySelector('.bar')).transitionDuration`
    await vscode.page.emulateMedia({ reducedMotion: 'reduce' })
    const moving = `[...document.querySelectorAll('*')].filter((it) => {
    const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(it)
    return /[1-9]/.test(transitionDuration) || animationName !== 'none' || scrollBehavior === 'smooth'
  }).length`
    assert.equal(await frame.evaluate<number>(moving), 0)
    await vscode.page.emulateMedia({ reducedMotion: 'no-preference' })
    assert.notEqual(await frame.evaluate<string>(duration), '0s')
  })

  nightly('axe finds nothing to complain about, in light, dark and high contrast', async () => {
    const frame = await list()
    await frame.locator('.label').nth(3).click()
    await accessibleInAllThemes(frame)
  })

  nightly(
    'a file that cannot be read says why, and a folder lists what can be read and names what cannot',
    async () => {
      const status = `document.querySelector('.status').textContent`
      await vscode.runCommand('View: Close All Editors')
      await eventually('that the page of before is gone', () => vscode.webviewFrames().length === 0)
      await vscode.openFile('codec.parquet', { shows: 'iframe.webview' })
      await until(
        await vscode.frameOf('.status'),
        `${status} === 'The file cannot be read: the Parquet file uses the compression LZO, which is not supported'`,
      )
      await vscode.runCommand('View: Close All Editors')
      await eventually('that the page of before is gone', () => vscode.webviewFrames().length === 0)
      await vscode.runCommand('OpenChatML: Open Files as Dataset…')
      await vscode.page.locator('.quick-input-widget:visible input').fill('bad/**')
      await vscode.page.keyboard.press('Enter')
      const frame = await vscode.frameOf('.body .row')
      await until(frame, `/Still here/.test(document.querySelector('.body .row').textContent)`)
      await until(
        frame,
        `/^[\\d,]+ samples\\. bad\\/cut\\.jsonl\\.gz: The file cannot be read: the gzip data is cut off\\. \`bad\\/loop\` is left out, because it is a link to a folder$/.test(${status})`,
      )
    },
  )

  nightly('exports are proposed next to the dataset, and inside of the workspace', async () => {
    const frame = await list()
    const proposed = async (path: string) => {
      const input = vscode.page.locator('.quick-input-widget:visible input').first()
      await eventually(path, async () => (await input.inputValue()) === join(folder, path))
      await vscode.page.keyboard.press('Escape')
    }
    await frame.locator('.label', { hasText: /^2$/ }).first().click()
    await until(frame, `document.activeElement?.matches('.grid') && document.hasFocus()`)
    await vscode.runCommand('OpenChatML: Export Matching Samples…', 'As in the file')
    await proposed('train.matching.jsonl')
    await until(frame, `document.hasFocus()`)
    await vscode.page.keyboard.press('Enter')
    await vscode.page.locator('.tab.active[data-resource-name="train.jsonl:2.ocm"]').waitFor()
    await vscode.runCommand('OpenChatML: Export Conversation…', 'Markdown')
    await proposed('train.jsonl-2.md')

    await vscode.runCommand('OpenChatML: Open Files as Dataset…')
    await vscode.page.locator('.quick-input-widget:visible input').fill('*.jsonl')
    await vscode.page.keyboard.press('Enter')
    await vscode.page.locator('.tab.active', { hasText: '*.jsonl' }).waitFor()
    await vscode.frameOf('.body .row')
    await vscode.runCommand('OpenChatML: Export Matching Samples…', 'As in the file')
    await proposed('workspace.matching.jsonl')
    await vscode.runCommand('OpenChatML: Save as JSONL…')
    await proposed('workspace.jsonl')
  })

  test('samples that another program appends are listed, and the rest of VS Code hears of the folder as well', async () => {
    const { page } = vscode
    const samples = join(folder, 'grows.jsonl')
    const line = '{"messages": [{"role": "user", "content": "Still here"}]}\n'
    await writeFile(samples, line.repeat(3))
    await vscode.runCommand('View: Close All Editors')
    await eventually('that the page of before is gone', () => vscode.webviewFrames().length === 0)
    await vscode.openFile('grows.jsonl', { shows: 'iframe.webview' })
    const frame = await vscode.frameOf('.body .row')
    await until(frame, `document.querySelector('.status').textContent === '3 samples'`)
    await appendFile(samples, line)
    await until(frame, `document.querySelector('.status').textContent === '4 samples'`)
    await vscode.runCommand('View: Show Explorer')
    const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'of-another-program.txt' })
    assert.equal(await row.count(), 0)
    await writeFile(join(folder, 'of-another-program.txt'), '')
    await row.waitFor()
  })

  // The last one: from here on VS Code opens the file as text, as it was opened last.
  nightly('a sample that cannot be read opens in the text of the file, where the mistake is', async () => {
    const frame = await list()
    await frame.locator('.label', { hasText: /^11$/ }).first().click()
    await until(frame, `document.activeElement?.matches('.grid') && document.hasFocus()`)
    await vscode.page.keyboard.press('Enter')
    await vscode.page.locator('.editor-instance .view-lines').first().waitFor()
    await vscode.page.locator('.statusbar-item', { hasText: 'Ln 11, Col 43' }).first().waitFor()
  })
})
