/** The preview in a real VS Code, looked at from outside: what is on the page, and what crossed to it. */

import assert from 'node:assert/strict'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { analyze, Transcript, visibleMessages, visibleTexts } from '../../../core/src/internal.ts'
import { isNight, nightly } from '../../helpers/nightly.ts'
import {
  chooseEntry,
  eventually,
  focusEditor,
  isWritten,
  pageText,
  previewOf,
  until,
} from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'

/** Every word that the page says by itself is on the page of this transcript. */
const chrome = [
  '<|start|>user name=x<|message|>x<|end|>',
  '<|start|>assistant<|channel|>commentary intent=preamble<|message|>x<|end|>',
  '<|start|>user<|message|>```\nx\n```\n\n| x |\n|---|\n\n![x](data:image/png;base64,AA==)<|end|>',
  '<|start|>assistant<|channel|>final<|constrain|>json<|message|>{}<|end|>',
  '<|start|>assistant<|channel|>final<|message|>x',
].join('\n')

/** The words around the numbers of hidden messages. */
const numbers =
  'hidden reasoning message messages tool call calls instruction instructions because of an error errors'

const settings = { 'explorer.autoReveal': false, 'workbench.editorLargeFileConfirmation': 100 }

/**
 * Samples, each of them at night, and a few malformed shapes: `visible-words.test.ts` looks at a page of every one, without VS Code.
 */
const sources = [
  { from: 'samples', shapes: isNight ? /\.ocm$/ : /^(?:02|15)-.*\.ocm$/ },
  { from: 'test/fixtures/malformed', shapes: /^\d5-.*\.ocm$/ },
]

/** More messages than would fit into a page of a browser, at their own height. */
const nMany = 450_000

describe('the preview', () => {
  let folder: string
  let vscode: SharedVSCode
  let names: string[]

  before(async () => {
    ;({ folder, vscode } = await takeWindow({ settings }))
    await writeFile(join(folder, 'chrome.ocm'), chrome)
    await writeFile(join(folder, 'empty.ocm'), 'version: 2.2\n')
    await writeFile(join(folder, 'unseen.ocm'), '<|start|>system<|message|>x<|end|>')
    const long = Array.from({ length: 300 }, (_, index) => `<|start|>user<|message|>number ${index}<|end|>\n`)
    for (const name of ['long', 'typed', 'shared', 'quick', 'kept'])
      await writeFile(join(folder, `${name}.ocm`), long.join(''))
    for (const name of ['debug', 'cursor', 'menu', 'replay']) {
      await cp('samples/02-weather-tool.ocm', join(folder, `${name}.ocm`))
    }
    names = []
    for (const { from, shapes } of sources) {
      for (const file of await readdir(from)) {
        if (!shapes.test(file)) continue
        const name = `${basename(from)}-${file}`
        await cp(join(from, file), join(folder, name))
        names.push(name)
      }
    }
  })

  after(leaveWindow)

  test('no word of a hidden place reaches the page, for samples and some malformed shapes', async () => {
    await vscode.openFile('chrome.ocm')
    await vscode.runCommand('OpenChatML: Open Preview to the Side')
    const frame = await vscode.frameOf('.message')
    await until(frame, `document.querySelectorAll('.message').length === 5`)
    const chromeWords = wordsIn(await pageText(frame))
    await vscode.openFile('empty.ocm')
    await until(frame, `document.querySelectorAll('.message').length === 0`)
    for (const word of wordsIn(await pageText(frame))) chromeWords.add(word)
    await vscode.openFile('unseen.ocm')
    await until(frame, `document.querySelector('.empty')?.textContent.includes('Everything')`)
    for (const word of wordsIn(await pageText(frame))) chromeWords.add(word)
    for (const word of wordsIn(numbers)) chromeWords.add(word)
    // Everything that crosses from the extension host from now on.
    await frame.evaluate(
      `window.crossed = []; window.addEventListener('message', ({ data }) => window.crossed.push(JSON.stringify(data)))`,
    )
    const numberWords = wordsIn(
      'hiddenCounts counts reasoning tools instructions problems isEmpty true false',
    )
    for (const name of names.sort()) {
      const { visible, secret } = wordsOf(await readFile(join(folder, name), 'utf8'))
      await vscode.ask({ name, briefly: true }) // dozens of tabs would slow down each other
      await until(
        frame,
        `crossed.slice(crossed.findLastIndex((it) => it.includes('"kind":"open"') && it.includes('/${name}"')))
        .some((it, index, all) => all[0].includes('/${name}"') && it.includes('"kind":"update"'))`,
      )
      const shown = wordsIn(await pageText(frame))
      for (const word of visible)
        assert.ok(shown.has(word), `${name}: ${word} is visible, and not on the page`)
      const crossed: string = await frame.evaluate(
        `window.crossed.filter((it) => !it.includes('"kind":"open"')).join(' ').replaceAll('\\\\n', ' ')`,
      )
      const arrived = wordsIn(crossed)
      for (const word of secret) {
        if (!chromeWords.has(word)) assert.ok(!shown.has(word), `${name}: ${word} is on the page`)
        if (!protocolWords.has(word) && !numberWords.has(word))
          assert.ok(!arrived.has(word), `${name}: ${word} crossed to the page`)
      }
      await frame.evaluate(`window.crossed = []`)
    }
  })

  test('hidden messages are there after the reader asks for them, labelled, and gone after one click', async () => {
    const frame = await previewOf(vscode, 'debug.ocm')
    await vscode.runCommand('OpenChatML: Show Everything')
    await until(
      frame,
      `document.querySelectorAll('.card').length === 4 && document.querySelector('.tool-card')`,
    )
    await until(frame, `document.querySelector('.everything-banner').checkVisibility()`)
    assert.match(await pageText(frame), /Hidden: analysis is private reasoning/)
    await frame.locator('.everything-banner button').click()
    await until(frame, `document.querySelectorAll('.message').length === 2`)
    assert.doesNotMatch(await pageText(frame), /analysis|get_current_weather|Call functions/)
    assert.equal(
      await frame.evaluate(`document.querySelector('.everything-banner').checkVisibility()`),
      false,
    )
  })

  test('nothing hidden is on the page as what the user sees, not even while the reader switches', async () => {
    const frame = await previewOf(vscode, 'debug.ocm')
    // Looks at the page after every change of it, as a reader would see it.
    await frame.evaluate(`{
    window.seen = { hidden: 0, leaks: [] }
    const look = () => {
      const view = document.querySelector('.views [aria-pressed=true]').dataset.view
      const secrets = /get_current_weather|Hidden:/.exec(document.querySelector('main').textContent)
      if (secrets && (view === 'user' || view === 'replay')) window.seen.leaks.push(view)
      if (secrets) window.seen.hidden++
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
  }`)
    for (const view of ['everything', 'user', 'context', 'replay', 'everything', 'user']) {
      await frame.locator(`[data-view=${view}]`).click()
      await until(
        frame,
        `document.querySelector('[data-view=${view}]').getAttribute('aria-pressed') === 'true'`,
      )
      await until(
        frame,
        view === 'replay'
          ? `document.querySelector('.replay').checkVisibility()`
          : `document.querySelector('.feed .message')`,
      )
    }
    const seen = await frame.evaluate<{ hidden: number; leaks: string[] }>(`window.seen`)
    assert.deepEqual(seen.leaks, [])
    assert.ok(seen.hidden > 0, 'the test sees hidden text where it is shown')
  })

  nightly('a message leads to its source, and the message with the text cursor has a mark', async () => {
    const frame = await previewOf(vscode, 'cursor.ocm')
    await frame.locator('.message').nth(1).hover()
    await frame.locator('.message').nth(1).locator('[data-action=source]').click()
    await until(frame, `document.querySelectorAll('.message')[1].hasAttribute('aria-current')`)
    await vscode.page.locator('.tab.active[data-resource-name="cursor.ocm"]').first().waitFor()
  })

  test('a message is edited where it is read, and the document takes it back', async () => {
    const frame = await previewOf(vscode, 'cursor.ocm')
    const text = `document.querySelector('.message .content').textContent`
    const before = await frame.evaluate<string>(text)
    await frame.locator('.message').first().press('Enter')
    await frame.locator('.editor textarea').fill('Edited <|end|> in place')
    await frame.locator('.editor textarea').press('Control+Enter')
    await until(frame, `${text}.trim() === 'Edited <|end|> in place'`)
    await focusEditor(vscode)
    await vscode.page.keyboard.press('Control+Z')
    await until(frame, `${text} === ${JSON.stringify(before)}`)
    await frame.locator('.message').first().click()
    await vscode.page.keyboard.press('Control+Y')
    await until(frame, `${text}.trim() === 'Edited <|end|> in place'`)
    await frame.locator('.message').first().click() // the focus is on its way back from the editor
    await vscode.page.keyboard.press('Control+Z')
    await until(frame, `${text} === ${JSON.stringify(before)}`)
  })

  nightly('every edit is undone, however fast the keys come', async () => {
    const frame = await previewOf(vscode, 'quick.ocm')
    const text = (nth: number) => `document.querySelectorAll('.message .content')[${nth}].textContent.trim()`
    for (const nth of [0, 1, 2, 3, 4, 5]) {
      await frame.locator('.message').nth(nth).press('Enter')
      await frame.locator('.editor textarea').fill('Edited')
      await frame.locator('.editor textarea').press('Control+Enter')
      await until(frame, `${text(nth)} === 'Edited'`)
    }
    // As often as a key that is held down.
    await frame.evaluate(`for (let count = 0; count < 6; count++) setTimeout(() => document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, cancelable: true })), 50 * count)`)
    await until(frame, `${text(0)} === 'number 0'`)
    for (const nth of [1, 2, 3, 4, 5]) assert.equal(await frame.evaluate(text(nth)), `number ${nth}`)
  })

  nightly('Ctrl+S saves the file, and what is typed into a message', async () => {
    const frame = await previewOf(vscode, 'kept.ocm')
    const saved = () => readFile(join(folder, 'kept.ocm'), 'utf8')
    await frame.locator('.message').first().press('Enter')
    await frame.locator('.editor textarea').fill('Typed, and kept')
    await frame.locator('.editor textarea').press('Control+S')
    await eventually('the file', async () =>
      (await saved()).startsWith('<|start|>user<|message|>Typed, and kept<|end|>'),
    )
    assert.equal(await frame.locator('.editor textarea').inputValue(), 'Typed, and kept')
    await frame.locator('.editor textarea').press('Control+Enter')
    await vscode.page.locator('.tab.dirty').waitFor({ state: 'detached' })
  })

  nightly(
    'what another extension writes into a message while it is edited is not lost, nor is what was typed',
    async () => {
      const frame = await previewOf(vscode, 'shared.ocm')
      const line = (text: string) =>
        vscode.page.locator('.editor-instance .view-line').filter({ hasText: text })
      const field = `document.querySelector('.editor textarea')`
      await frame.locator('.message').first().press('Enter')
      await frame.locator('.editor textarea').fill('Typed')
      await vscode.ask({ name: 'shared.ocm', replaced: { before: 'number 0', after: 'Written' } })
      await line('Written').first().waitFor()
      await frame.locator('.editor textarea').press('Control+Enter')
      await until(frame, `${field}?.value === 'Typed'`)
      await line('Written').first().waitFor()
      await frame.locator('.editor textarea').press('Control+Enter')
      await line('Typed').first().waitFor()
    },
  )

  nightly(
    'what is typed into a message is saved when the reader scrolls on, or goes to an editor',
    async () => {
      const frame = await previewOf(vscode, 'typed.ocm')
      const first = `document.querySelector('.message .content').textContent.trim()`
      await frame.locator('.message').first().press('Enter')
      await frame.locator('.editor textarea').fill('Typed, and scrolled on')
      await frame.evaluate(`window.scrollTo(0, document.documentElement.scrollHeight)`)
      await until(frame, `!document.querySelector('.message[aria-posinset="1"]')`)
      await frame.evaluate(`window.scrollTo(0, 0)`)
      await until(frame, `${first} === 'Typed, and scrolled on'`)
      await frame.locator('.message').first().press('Enter')
      await frame.locator('.editor textarea').fill('Typed, and left')
      await focusEditor(vscode)
      await until(frame, `${first} === 'Typed, and left'`)
      await vscode.page.locator('.editor-instance .view-line').filter({ hasText: 'left' }).first().waitFor()
    },
  )

  nightly('reasoning is edited where it is read', async () => {
    const frame = await previewOf(vscode, 'debug.ocm')
    await vscode.runCommand('OpenChatML: Show Everything')
    const reasoning = frame.locator('.hidden-message.reasoning').first()
    await reasoning.press('Enter')
    await frame.locator('.editor textarea').fill('Another thought')
    await frame.locator('.editor textarea').press('Control+Enter')
    await until(
      frame,
      `document.querySelector('.hidden-message.reasoning .gist').textContent === 'Another thought'`,
    )
    // VS Code saves it by itself. A file that is deleted before would be opened again, in the next test.
    await isWritten(join(folder, 'debug.ocm'), /Another thought/)
  })

  nightly('the menu of a message inserts one below, which is edited at once, and deletes it', async () => {
    const frame = await previewOf(vscode, 'menu.ocm')
    const messages = () => frame.locator('.message').count()
    const before = await messages()
    const chooses = async (nth: number, ...names: string[]) => {
      await frame.locator('.message').nth(nth).hover()
      await frame.locator('.message').nth(nth).locator('[data-action=menu]').click()
      for (const name of names.slice(0, -1)) {
        const submenu = vscode.page.locator('.monaco-menu .action-label', { hasText: name }).first()
        await submenu.waitFor()
        await submenu.hover()
      }
      await chooseEntry(vscode.page, names.at(-1) ?? '')
    }
    await chooses(0, 'Insert or Move', 'Insert Message Below')
    await frame.locator('.editor textarea').fill('In between')
    await frame.locator('.editor textarea').press('Control+Enter')
    await until(frame, `document.querySelectorAll('.message')[1].textContent.includes('In between')`)
    assert.equal(await messages(), before + 1)
    await chooses(1, 'Delete Message')
    await until(frame, `document.querySelectorAll('.message').length === ${before}`)
    assert.doesNotMatch(await pageText(frame), /In between/)
  })

  nightly('the page follows the scrolling of the editor, and the editor that of the page', async () => {
    const frame = await previewOf(vscode, 'long.ocm')
    await focusEditor(vscode)
    await vscode.page.keyboard.press('Control+End')
    await until(frame, `/number 299/.test(document.querySelector('.message[aria-current]')?.textContent)`)
    await until(frame, `document.querySelectorAll('.message').length <= 120`)
    await until(frame, `document.documentElement.dataset.lead === undefined`)
    await frame.evaluate(`window.scrollTo(0, 0)`)
    await until(frame, `/number 0/.test(document.querySelector('.message')?.textContent)`)
    await vscode.page
      .locator('.editor-instance .view-lines')
      .filter({ hasText: /number\s1\b/ })
      .first()
      .waitFor()
  })

  nightly(
    'the end of a very long transcript is reached with the scroll bar, and its middle too',
    async () => {
      const many = Array.from(
        { length: nMany },
        (_, index) => `<|start|>user<|message|>number ${index}<|end|>\n`,
      )
      await writeFile(join(folder, 'many.ocm'), many.join(''))
      const frame = await previewOf(vscode, 'many.ocm')
      const shown = (index: number) =>
        `[...document.querySelectorAll('.message')].some((it) => {
      const { top, bottom } = it.getBoundingClientRect()
      return 0 <= top && bottom <= innerHeight && /number ${index}\\b/.test(it.textContent)
    })`
      await frame.evaluate(`window.scrollTo(0, 1e9)`)
      await until(frame, shown(nMany - 1))
      await until(frame, `document.documentElement.scrollHeight < 8e6`)
      // Half way by the scroll bar is about half way through the messages.
      await frame.evaluate(`window.scrollTo(0, document.documentElement.scrollHeight / 2)`)
      await until(
        frame,
        `[...document.querySelectorAll('.message')].some((it) => {
      const { top } = it.getBoundingClientRect()
      const number = Number(/number (\\d+)/.exec(it.textContent)?.[1])
      return 0 <= top && top <= innerHeight && ${nMany * 0.45} < number && number < ${nMany * 0.55}
    })`,
      )
    },
  )

  nightly(
    'Ctrl+F finds words in messages that are not on the page, and none of what the view hides',
    async () => {
      let frame = await previewOf(vscode, 'long.ocm')
      const status = `document.querySelector('.find .matches').textContent`
      const find = async (words: string, says: string) => {
        await frame.locator('.find input').fill(words)
        await until(frame, `${status} === ${JSON.stringify(says)}`)
      }
      await vscode.page.keyboard.press('Control+F')
      await until(frame, `document.activeElement === document.querySelector('.find input')`)
      await find('NUMBER 28', '1 of 11')
      await frame.locator('.find input').press('Shift+Enter')
      await until(frame, `${status} === '11 of 11'`)
      await until(
        frame,
        `[...CSS.highlights.get('find-current')].some((it) => {
      const { top, bottom } = it.getBoundingClientRect()
      return it.toString() === 'number 28' && it.endContainer.textContent === 'number 289' && 0 < top && bottom < innerHeight
    })`,
      )
      await find('', '')
      await frame.locator('.find input').press('Escape')

      frame = await previewOf(vscode, 'debug.ocm')
      await vscode.page.keyboard.press('Control+F')
      await find('get_current_weather', 'No results')
      await frame.locator('[data-view=everything]').click()
      await until(frame, `/^1 of \\d/.test(${status})`)
      await frame.locator('[data-view=user]').click()
      await until(frame, `${status} === 'No results'`)
      assert.doesNotMatch(await pageText(frame), /get_current_weather/)
    },
  )

  nightly('a replay plays with its command, to the end of what users see, and can be stopped', async () => {
    const frame = await previewOf(vscode, 'replay.ocm')
    await vscode.runCommand('OpenChatML: Show Replay')
    await until(frame, `document.querySelector('.replay').checkVisibility()`)
    await until(frame, `document.querySelector('.replay .content')`) // it plays at once
    await frame.evaluate(`{
    const slider = document.querySelector('.replay input')
    slider.value = '0'
    slider.dispatchEvent(new Event('input'))
  }`)
    assert.equal(await frame.evaluate(`document.querySelectorAll('.replay .message').length`), 0)
    await frame.locator('.replay [aria-label="Step forward"]').click()
    await until(frame, `document.querySelector('.replay .content')?.textContent.trim() === "What's"`)

    const status = `document.querySelector('.replay-status')`
    await frame.evaluate(`{
    window.steps = []
    const observer = new MutationObserver(() => window.steps.push(performance.now()))
    observer.observe(${status}, { childList: true })
  }`)
    const plays = async (speed: string, until: () => Promise<void>) => {
      await frame.evaluate(`{
      const select = document.querySelector('.replay select')
      select.value = [...select.options].find((it) => it.text === '${speed}').value
      select.dispatchEvent(new Event('change'))
      window.steps = []
    }`)
      await frame.locator('.replay [aria-label="Play"]').click()
      await until()
      return meanGap(await frame.evaluate<number[]>('window.steps'))
    }
    const pausesAfter = (nSteps: number) => async () => {
      await until(frame, `window.steps.length >= ${nSteps}`)
      await frame.locator('.replay [aria-label="Pause"]').click()
      await until(frame, `document.querySelector('.replay [aria-label="Play"]') !== null`)
      const stopped = await frame.evaluate('window.steps.length')
      // 30 frames are 500 ms, in which every speed would go on.
      await frame.evaluate(`new Promise((done) => {
      const wait = (frames) => requestAnimationFrame(() => (frames === 0 ? done(true) : wait(frames - 1)))
      wait(30)
    })`)
      assert.equal(await frame.evaluate('window.steps.length'), stopped, 'nothing moves after the pause')
    }
    const slow = await plays('Slow', pausesAfter(4))
    assert.ok(slow > 140, `${slow} ms from step to step: no faster than it says`)
    await plays('Fast', () => until(frame, `/^Step (\\d+) of \\1\\./.test(${status}.textContent)`))

    await until(frame, `document.querySelector('.replay [aria-label="Play"]') !== null`)
    const source = await readFile(join(folder, 'replay.ocm'), 'utf8')
    assert.deepEqual(
      await frame.evaluate(
        `[...document.querySelectorAll('.replay .content')].map((it) => it.textContent.trim())`,
      ),
      visibleTexts(analyze(Transcript.parse(source))),
    )
    await frame.locator('.replay [aria-label="End the replay"]').click()
    await until(frame, `document.querySelector('main').checkVisibility()`)
  })

  const protocolWords = wordsIn(
    'kind update sequence first total changes insert replace remove after message id role user assistant name isPreamble isJson hasMath parts markdown literal text isTruncated omitted top line mark reveal lock isLocked true false unavailable',
  )

  /** What a transcript says to its user, and every other word of it. */
  function wordsOf(source: string) {
    const messages = [...visibleMessages(analyze(Transcript.parse(source)))]
    const said = messages
      .flatMap(({ name, parts }) => [name ?? '', ...parts.map(({ text }) => text)])
      .join(' ')
    const known = wordsIn(said)
    const plain = messages.flatMap(({ parts }) =>
      parts.map(({ text }) => text.replaceAll(/[`*[\](){}<>|#\\]|https?:\S+/g, ' ')),
    )
    return {
      visible: [...wordsIn(plain.join(' '))].filter((word) => !/_|-/.test(word)),
      secret: [...wordsIn(source)].filter((word) => !known.has(word)),
    }
  }

  /** The time from one moment to the next: clocks that were late catch up, so it is that of all together. */
  function meanGap(moments: readonly number[]): number {
    return ((moments.at(-1) ?? Number.NaN) - (moments[0] ?? Number.NaN)) / (moments.length - 1)
  }

  function wordsIn(text: string): Set<string> {
    return new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])
  }
})
