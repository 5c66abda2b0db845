/** Review mode in a real VS Code, driven by keys: what is decided is in the review file, and stays. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'
import { nightly } from '../../helpers/nightly.ts'
import { accessibleInAllThemes, assertAccessible } from './accessible.ts'
import { editorHasFocus, eventually, until } from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'
import { linesOf } from './typist.ts'

const nSamples = 52
const canary = 'SECRETWORD'

describe('review', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    const settings = {
      'workbench.editorAssociations': { '*.jsonl': 'openchatml.dataset' },
      'openchatml.review.name': 'Ann',
      'files.autoSave': 'off',
    }
    ;({ folder, vscode } = await takeWindow({ settings }))
    const samples = Array.from({ length: nSamples }, (_, index) => ({
      source: 'wiki',
      messages: [
        { role: 'user', content: `Question ${index + 1}` },
        { role: 'assistant', content: `Answer **${index + 1}**`, reasoning_content: canary },
      ],
    }))
    const lines = (values: readonly object[]) => values.map((it) => `${JSON.stringify(it)}\n`).join('')
    await writeFile(join(folder, 'reviewed.jsonl'), lines(samples))
    await writeFile(
      join(folder, 'pairs.jsonl'),
      lines([
        { prompt: 'Name a color', chosen: 'Teal is a calm color.', rejected: 'Seven is a calm color.' },
        { prompt: 'Name a number', chosen: 'Seven', rejected: 'Teal' },
      ]),
    )
  })

  after(leaveWindow)

  /** The pane that shows the sample. */
  const pane = `document.querySelector('.review-host').shadowRoot`

  /** Begins a review of the list of a file with its first sample: by the button of the list, or by the command. */
  async function review(name: string, by: 'button' | 'command' = 'button'): Promise<Frame> {
    if ((await vscode.page.locator('.tab').count()) > 0) {
      await vscode.runCommand('View: Close All Editors')
      await eventually('that the page of before is gone', () => vscode.webviewFrames().length === 0)
    }
    await vscode.openFile(name, { shows: 'iframe.webview' })
    const frame = await vscode.frameOf('.body .row')
    await frame.locator('.body .label').first().click()
    if (by === 'button') await frame.locator('button.review').click()
    else await vscode.runCommand('OpenChatML Review: Review Samples')
    await shows(frame, 1)
    await until(frame, `${pane}.activeElement?.matches('.scroll') && document.hasFocus()`)
    return frame
  }

  function shows(frame: Frame, line: number): Promise<void> {
    return until(frame, `${pane}?.querySelector('.title')?.textContent === 'Line ${line}'`)
  }

  /** Presses a key of review mode, and waits for the sample that it leads to. */
  async function press(frame: Frame, key: string, line: number): Promise<void> {
    await vscode.page.keyboard.press(key)
    await shows(frame, line)
  }

  /** What the review file of `name` says: the place of each line, and what is decided there. */
  async function written(name: string): Promise<readonly (readonly [place: number, more: object])[]> {
    const text = await readFile(join(folder, `${name}.review.jsonl`), 'utf8')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { v, place, hash, by, at, ...more } = JSON.parse(line)
        assert.deepEqual([v, by, typeof at, /^sha256:[\da-f]{64}$/.test(hash)], [1, 'Ann', 'string', true])
        return [place, more] as const
      })
  }

  /** VS Code learns that its window lost the focus when a timer of zero is over, unless a view in it had the focus. */
  function windowLosesAndGetsFocus(): Promise<unknown> {
    return vscode.page.evaluate(`new Promise((done) => {
      document.hasFocus = () => false
      for (const it of ['focus', 'blur']) dispatchEvent(new Event(it))
      setTimeout(() => {
        document.hasFocus = () => true
        dispatchEvent(new Event('focus'))
        delete document.hasFocus
        done()
      }, 0)
    })`)
  }

  test('samples are reviewed by keys alone, and the review is there when the list is opened again', async () => {
    let frame = await review('reviewed.jsonl', 'command')
    const expected: (readonly [number, object])[] = []
    for (let line = 1; line <= 50; line++) {
      if (line === 10) {
        await vscode.page.keyboard.press('4')
        await until(
          frame,
          `${pane}.querySelector('[data-label="3"]').getAttribute('aria-pressed') === 'true'`,
        )
        expected.push([10, { labels: ['refusal'] }])
      }
      if (line === 20) {
        await vscode.page.keyboard.press('n')
        await until(frame, `${pane}.activeElement?.matches('textarea')`)
        await vscode.page.keyboard.type('kxf is no decision')
        await vscode.page.keyboard.press('Enter')
        await until(frame, `${pane}.querySelector('.note-text')?.textContent === 'kxf is no decision'`)
        expected.push([20, { note: 'kxf is no decision' }])
      }
      if (line === 12 || line === 30) {
        await vscode.page.keyboard.press('f')
        await vscode.page.locator(`.tab.active[data-resource-name="reviewed.jsonl:${line}.ocm"]`).waitFor()
        await editorHasFocus(vscode.page)
        const end = `Question ${line}`
        await eventually('the transcript', async () => (await linesOf(vscode)).some((it) => it.includes(end)))
        const lines = await linesOf(vscode)
        const at = lines.findIndex((it) => it.includes(end))
        await vscode.goTo(at + 1, (lines[at]?.indexOf(end) ?? 0) + end.length + 1)
        await vscode.page.keyboard.type('?')
        await vscode.page.keyboard.press('Control+S')
        await vscode.page.locator('.tab.active[data-resource-name="reviewed.jsonl"]').waitFor()
        frame = await vscode.frameOf('.review-host')
        await shows(frame, line + 1)
        await until(frame, `document.hasFocus()`)
        expected.push([line, { decision: 'fix' }], [line, { decision: 'keep' }])
        continue
      }
      const [key, decision] = line % 5 === 0 ? ['x', 'reject'] : ['k', 'keep']
      // Keys that come faster than samples are drawn are not lost. VS Code prepares each command when it is run first.
      await vscode.page.keyboard.press(key)
      if (line <= 5 || [9, 11, 19, 29].includes(line)) await shows(frame, line + 1)
      expected.push([line, { decision }])
    }
    await shows(frame, 51)
    await press(frame, 'u', 50)
    await until(frame, `!${pane}.querySelector('.opinion')`)
    await press(frame, 'k', 51)
    expected.push([50, { decision: null }], [50, { decision: 'keep' }])
    assert.deepEqual(await written('reviewed.jsonl'), expected)

    frame = await review('reviewed.jsonl')
    await until(
      frame,
      `${pane}.querySelector('.progress').textContent === '50 of 52 decided · 42 kept · 8 rejected'`,
    )
    await press(frame, 'Shift+ArrowRight', 51)
    await press(frame, 'ArrowLeft', 50)
    const status = execFileSync(
      process.execPath,
      ['dist/cli/ocm.js', 'review', 'stats', '--format', 'json', join(folder, 'reviewed.jsonl')],
      { encoding: 'utf8' },
    )
    const { keep, reject, stale, undecided } = JSON.parse(status).files[0]
    assert.deepEqual({ keep, reject, stale, undecided }, { keep: 42, reject: 8, stale: 0, undecided: 2 })

    // What another machine appends is not reported, so the window looks when it gets the focus.
    const path = join(folder, 'reviewed.jsonl.review.jsonl')
    const before = await readFile(path, 'utf8')
    const last = JSON.parse(before.trimEnd().split('\n').at(-1) ?? '')
    await writeFile(path, `${before}${JSON.stringify({ ...last, by: 'Bob' })}\n`)
    await windowLosesAndGetsFocus()
    await until(frame, `${pane}.querySelector('.state').textContent.includes('Bob')`)
    await writeFile(path, before)
  })

  test('hidden text is shown after a question only', async () => {
    const frame = await review('reviewed.jsonl')
    const text = `${pane}.querySelector('.review').textContent`
    assert.doesNotMatch(await frame.evaluate<string>(text), new RegExp(canary))
    await vscode.page.keyboard.press('m')
    await until(frame, `!${pane}.querySelector('.metadata').hidden`)
    assert.equal(
      await frame.evaluate<string>(`${pane}.querySelector('.metadata').textContent`),
      '{\n  "source": "wiki"\n}',
    )
    const counts = frame.locator('.hidden-counts')
    assert.equal(await counts.textContent(), '1 hidden reasoning message')
    await counts.locator('button').first().click()
    await vscode.page
      .locator('.monaco-dialog-box .monaco-button', { hasText: 'Show Hidden Text' })
      .first()
      .click()
    await until(frame, `${text}.includes('${canary}')`)
    await frame.locator('.scroll').first().click()
    await until(frame, `document.hasFocus()`)
    await vscode.page.keyboard.press('h')
    await until(frame, `!${text}.includes('${canary}')`)
    await counts.waitFor()
    // The question is not asked again, and the training view opens beside the list.
    await vscode.page.keyboard.press('t')
    const training = await vscode.frameOf('.training-counts[data-state=done]')
    await until(
      training,
      `/^\\d+ of \\d+ tokens trained$/.test(document.querySelector('.training-counts').textContent)`,
    )
    await until(training, `document.body.textContent.includes('Answer **1**')`)
    assert.doesNotMatch(await frame.evaluate<string>(text), new RegExp(canary))
  })

  nightly('a pair is compared, and one side preferred', async () => {
    const frame = await review('pairs.jsonl')
    const sides = `[...${pane}.querySelectorAll('.side-name')].map((it) => it.textContent).join(' ')`
    await until(frame, `${sides} === 'chosen rejected'`)
    assert.equal(
      await frame.evaluate(`[...CSS.highlights.get('review-difference')].map(String).join(' ')`),
      'Teal Seven',
    )
    await vscode.page.keyboard.press('s')
    await until(frame, `${sides} === 'rejected chosen'`)
    await press(frame, 'Alt+ArrowLeft', 2)
    await vscode.page.keyboard.press('=')
    await until(frame, `${pane}.querySelector('.state .decision')?.textContent === 'reject'`)
    assert.deepEqual(await written('pairs.jsonl'), [
      [1, { decision: 'keep', branch: 'rejected' }],
      [2, { decision: 'reject', labels: ['tie'] }],
    ])
  })

  nightly(
    'notes on messages are comments in the opened sample, and those that are added there are in the review file',
    async () => {
      const frame = await review('pairs.jsonl')
      const own = (await written('pairs.jsonl')).length
      await vscode.page.keyboard.press('c')
      await until(frame, `${pane}.activeElement?.matches('textarea')`)
      const noted = `[...${pane}.querySelectorAll('.noted')].map((it) => it.querySelector('.name').textContent).join()`
      await until(frame, `${noted} === 'User'`)
      const about = `${pane}.activeElement.getAttribute('aria-describedby').split(' ').map((it) => ${pane}.querySelector('#' + it)?.textContent)`
      assert.match(await frame.evaluate<string>(`${about}.join()`), /^User,.*Enter saves/)
      await vscode.page.keyboard.type('Kept short')
      await vscode.page.keyboard.press('Enter')
      await until(frame, `${noted} === ''`)
      await until(frame, `${pane}.querySelector('.message-note')?.textContent.includes('Kept short')`)
      await vscode.page.keyboard.press('f')
      const comments = vscode.page.locator('.review-widget .comment-body')
      await comments.filter({ hasText: 'Kept short' }).first().waitFor()
      const lines = await linesOf(vscode)
      await vscode.goTo(lines.findIndex((it) => it.includes('Teal is a calm')) + 1, 1)
      await vscode.runCommand('Comments: Add Comment on Current Selection')
      await vscode.page.locator('.review-widget .comment-form .monaco-editor.focused').first().waitFor()
      await vscode.page.keyboard.type('Which one?')
      await vscode.page.keyboard.press('Control+Enter')
      await comments.filter({ hasText: 'Which one?' }).first().waitFor()
      assert.deepEqual((await written('pairs.jsonl')).slice(own), [
        [1, { note: 'Kept short', message: 0 }],
        [1, { decision: 'fix' }],
        [1, { note: 'Which one?', message: 1, branch: 'chosen' }],
      ])
    },
  )

  nightly(
    'long notes of others leave the sample its room, and can be scrolled with the keyboard',
    async () => {
      await cp(join(folder, 'reviewed.jsonl'), join(folder, 'noted.jsonl'))
      const hash = `sha256:${'0'.repeat(64)}`
      const line = { v: 1, place: 1, hash, decision: 'keep', note: `${'long '.repeat(4000)}`, by: 'Ann' }
      await writeFile(join(folder, 'noted.jsonl.review.jsonl'), `${JSON.stringify(line)}\n`)
      const frame = await review('noted.jsonl')
      await until(frame, `${pane}.querySelector('.state .note-text')`)
      const height = await frame.evaluate<number>(`${pane}.querySelector('.scroll').clientHeight`)
      assert.ok(height > 50, `${height} pixels`) // none without a limit; the panel of comments may be open, too
      await assertAccessible(frame, 'noted')
    },
  )

  nightly('axe finds nothing to complain about, in light, dark and high contrast', async () => {
    const frame = await review('pairs.jsonl')
    await vscode.page.keyboard.press('Shift+Slash')
    await until(frame, `!${pane}.querySelector('.keys').hidden`)
    await accessibleInAllThemes(frame)
    // At 200 % zoom, a window has half as many pixels each way: the list is above the sample, and nothing is cut off at the side.
    await vscode.page.emulateMedia({ reducedMotion: 'reduce' })
    await vscode.page.setViewportSize({ width: 640, height: 400 })
    await until(
      frame,
      `document.querySelector('main').getBoundingClientRect().bottom <= document.querySelector('.review-host').getBoundingClientRect().top + 1`,
    )
    await until(frame, `document.documentElement.scrollWidth <= innerWidth`)
    assert.deepEqual(
      await frame.evaluate(
        `[...${pane}.querySelectorAll('button, .title, .progress, .side')].filter((it) => it.getBoundingClientRect().right > innerWidth).map((it) => it.textContent)`,
      ),
      [],
    )
    await vscode.page.keyboard.press('Shift+Slash')
    await until(frame, `${pane}.querySelector('.keys').hidden`)
    assert.equal(await frame.evaluate(`document.getAnimations().length`), 0)
    await assertAccessible(frame, 'zoomed')
    await vscode.page.emulateMedia({ reducedMotion: 'no-preference' })
    await vscode.page.setViewportSize({ width: 1280, height: 800 })
  })

  nightly(
    'when the extension host is killed, what was shown as saved is in the file, and the review goes on',
    async () => {
      await cp(join(folder, 'reviewed.jsonl'), join(folder, 'killed.jsonl'))
      const frame = await review('killed.jsonl')
      const decided = `Number(/^\\d+/.exec(${pane}.querySelector('.progress').textContent)?.[0])`
      const host = extensionHost()
      const keys = (async () => {
        for (let nth = 0; nth < 40; nth++) await vscode.page.keyboard.press('k')
      })()
      await until(frame, `${decided} >= 5`)
      process.kill(host, 'SIGKILL')
      await keys
      await eventually('that another host runs', () => extensionHost() !== host)
      const shown = await frame.evaluate<number>(decided).catch(() => 5) // the page may be gone by now
      const saved = await written('killed.jsonl')
      assert.ok(saved.length >= shown, `${saved.length} of ${shown}`)
      assert.deepEqual(
        saved,
        saved.map((_, index) => [index + 1, { decision: 'keep' }]),
      )
      const again = await review('killed.jsonl')
      await until(again, `${decided} === ${saved.length}`)
      await vscode.page.keyboard.press('Shift+ArrowRight')
      await shows(again, saved.length + 1)
      await press(again, 'x', saved.length + 2)
      assert.deepEqual((await written('killed.jsonl')).at(-1), [saved.length + 1, { decision: 'reject' }])
    },
  )

  /** The process that runs extensions, as the server names it; the last one if there were several. */
  function extensionHost(): number {
    const output = vscode.server.output()
    const pid = [...output.matchAll(/<(\d+)> Launched Extension Host Process/g)].at(-1)?.[1]
    assert.ok(pid !== undefined, output)
    return Number(pid)
  }
})
