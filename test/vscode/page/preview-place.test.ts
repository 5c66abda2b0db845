/** The place of a reader in the preview, in pixels of a real page: over changes above it, while it is hidden, and over a reload. */

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'
import { nightly } from '../../helpers/nightly.ts'
import { activatePreview, eventually, focusEditor, previewOf, until } from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'

describe('the place of a reader', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    ;({ folder, vscode } = await takeWindow())
    const texts = {
      'changed.ocm': conversation(400),
      'hidden.ocm': conversation(60),
      'reloaded.ocm': conversation(60),
      'notes.txt': 'Nothing to see',
    }
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text)
  })

  after(leaveWindow)

  nightly('what is read stays where it is when something changes above', async () => {
    const [name, number] = ['changed.ocm', 300]
    const frame = await previewAlone(name)
    const words = third(number)
    await scrollTo(frame, words)
    const place = await topOf(frame, words)
    const position = await positionOf(frame, words)
    const stays = async (change: string) => {
      await atRest(frame)
      const now = await topOf(frame, words)
      assert.ok(Math.abs(now - place) < 2, `${change}: ${now}, and was ${place}`)
    }

    const added = '<|start|>user<|message|>added\n\nabove<|end|>\n'.repeat(7)
    await change({ name, before: first(0), after: added + first(0) })
    await eventually('more messages', async () => (await positionOf(frame, words)) === position + 7)
    await stays('more messages above')

    await change({ name, before: first(number - 2), after: `${first(number - 2)}${'\n\nlonger'.repeat(30)}` })
    await until(frame, `document.querySelector('main').textContent.includes('longer')`)
    await stays('a longer message above')

    await change({ name, before: first(number), after: `${first(number)}${'\n\nmuch more'.repeat(9)}` })
    await until(frame, `document.querySelector('main').textContent.includes('much more')`)
    await stays('more in the same message')

    await change({ name, before: added, after: '' })
    await eventually('fewer messages', async () => (await positionOf(frame, words)) === position)
    await stays('fewer messages above')
  })

  nightly(
    'a preview that was hidden comes back to the same line, whatever came above it meanwhile',
    async () => {
      const name = 'hidden.ocm'
      let frame = await previewAlone(name)
      await scrollTo(frame, third(40))
      const place = await topOf(frame, third(40))
      const added = '<|start|>user<|message|>added\n\nabove<|end|>\n'.repeat(7)
      frame = await hiddenAndShown(frame, `Preview ${name}`, () =>
        change({ name, before: first(0), after: added + first(0) }),
      )
      await until(frame, `${paragraph(third(40))} !== undefined`)
      await atRest(frame)
      const now = await topOf(frame, third(40))
      assert.ok(Math.abs(now - place) < 3, `${now}, and was ${place}`)
    },
  )

  nightly(
    '*Everything* has a place of its own; after a reload there is the usual view, locked and where it was',
    async () => {
      const name = 'reloaded.ocm'
      let frame = await previewAlone(name)
      await scrollTo(frame, third(20))
      const place = await topOf(frame, third(20))
      await frame.locator('.lock').click()
      await until(frame, `document.querySelector('.lock').getAttribute('aria-pressed') === 'true'`)
      await activatePreview(vscode, vscode.page.locator('.tab', { hasText: `[Preview] ${name}` }).first())
      await vscode.runCommand('OpenChatML: Show Everything')
      await until(frame, `document.querySelector('.hidden-message') !== null`)
      await scrollTo(frame, third(35))
      const debugPlace = await topOf(frame, third(35))
      frame = await hiddenAndShown(frame, `[Everything] ${name}`)
      await until(frame, `document.querySelector('.hidden-message') && ${paragraph(third(35))} !== undefined`)
      await atRest(frame)
      const debugNow = await topOf(frame, third(35))
      assert.ok(Math.abs(debugNow - debugPlace) < 3, `everything: ${debugNow}, and was ${debugPlace}`)

      const before = frame
      await vscode.reload()
      await eventually('that the old page is gone', () => !vscode.webviewFrames().includes(before))
      await vscode.page.locator('.monaco-workbench .part.editor').first().waitFor()
      frame = await vscode.frameOf('.message')
      await until(frame, `${paragraph(third(20))} !== undefined`)
      await atRest(frame)
      assert.equal(await frame.evaluate(`document.querySelectorAll('.hidden-message').length`), 0)
      assert.equal(
        await frame.evaluate(`document.querySelector('.lock').getAttribute('aria-pressed')`),
        'true',
      )
      assert.ok(Math.abs((await topOf(frame, third(20))) - place) < 3, 'the usual view comes back')
    },
  )

  /** A conversation whose messages have several paragraphs, with hidden messages between them. */
  function conversation(nMessages: number): string {
    return Array.from(
      { length: nMessages },
      (_, index) =>
        `${first(index)}\n\nits second paragraph\n\n${third(index)}<|end|>\n<|start|>assistant<|channel|>analysis<|message|>hidden ${index}<|end|>\n`,
    ).join('')
  }

  function first(index: number): string {
    return `<|start|>user<|message|>This is number ${index}.`
  }

  function third(index: number): string {
    return `paragraph ${index}, the third`
  }

  /** Lets the other program replace text in a document of the workspace. */
  function change({ name, before, after }: { name: string; before: string; after: string }): Promise<void> {
    return vscode.ask({ name, replaced: { before, after } })
  }

  /** The preview of a file whose editor is behind another one. */
  async function previewAlone(name: string): Promise<Frame> {
    const frame = await previewOf(vscode, name)
    await focusEditor(vscode)
    await vscode.openFile('notes.txt')
    return frame
  }

  /** The page of a preview after another editor was in its place. */
  async function hiddenAndShown(
    frame: Frame,
    title: string,
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<Frame> {
    const tab = vscode.page.locator('.tab', { hasText: title }).first()
    await activatePreview(vscode, tab)
    await vscode.openFile('notes.txt')
    await eventually('that the page is gone', () => !vscode.webviewFrames().includes(frame))
    await meanwhile()
    await tab.click()
    return vscode.frameOf('.message')
  }

  /** How much of the screen the switch, and the label of another view, cover. */
  const covered = `document.querySelector('.top').getBoundingClientRect().height`

  /** Scrolls until a paragraph is at the top of the screen, and what stands before it is above; from screen to screen, as far as it is not on the page. */
  async function scrollTo(frame: Frame, words: string): Promise<void> {
    await eventually(words, async () => {
      const isThere: boolean = await frame.evaluate(`${paragraph(words)} !== undefined`)
      const by = isThere
        ? `${paragraph(words)}.getBoundingClientRect().top - ${covered} - 10`
        : '5 * innerHeight'
      await frame.evaluate(`window.scrollBy(0, ${by})`)
      await atRest(frame)
      return isThere
    })
  }

  function topOf(frame: Frame, words: string): Promise<number> {
    return frame.evaluate(`${paragraph(words)}.getBoundingClientRect().top`)
  }

  /** Which message has a paragraph, counted from one among all. */
  async function positionOf(frame: Frame, words: string): Promise<number> {
    return frame.evaluate(`Number(${paragraph(words)}?.closest('.message').getAttribute('aria-posinset'))`)
  }

  function paragraph(words: string): string {
    return `[...document.querySelectorAll('.message p')].find((it) => it.textContent.trim() === ${JSON.stringify(words)})`
  }

  /** Two frames are drawn: what a scroll or a change sets off in the page has happened. */
  async function atRest(frame: Frame): Promise<void> {
    await frame.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))',
    )
  }
})
