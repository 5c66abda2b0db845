/**
 * Measures the list of a large dataset in a real VS Code: how long the frames of its page take while the columns are read, and how long
 * queries, a sort, a drag in a histogram, and an export take, from the event to what they show.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openVSCode } from '../vscode/open.mjs'
import type { Frame } from '../vscode/playwright.d.mts'
import { linesWithWord, rareWord, writeLines } from './dataset-lines.ts'
import { digits, million, milliseconds, percentile } from './measuring.ts'
import { assignment, atLeast, report } from './row.ts'
import { until } from './until.ts'

const { isQuick, megabytes = isQuick ? 50 : 1000, pictures } = assignment()
const patience = 1_200_000 // milliseconds until all columns are read
const size = `${digits(megabytes)} MB`
const frameTime = 1000 / 60
const tolerance = 1 // milliseconds: clocks of frames are not that exact

/** Frames of the page as they come, by the page's own clock. A reader scrolls meanwhile. */
const frames = `new Promise((done) => {
  const times = []
  let last
  const grid = document.querySelector('.grid')
  const tick = (now) => {
    if (last !== undefined) times.push(now - last)
    last = now
    if (times.length >= 600) done(times)
    else {
      grid.scrollBy(0, 22)
      requestAnimationFrame(tick)
    }
  }
  requestAnimationFrame(tick)
})`

/** True while the file, its columns, or the samples of a query are read. */
const isBusy = `[...document.querySelectorAll('.bar')].some((it) => !it.hidden)`
const isFiltered = `document.querySelector('.status').textContent.includes(' of ')`

/** What the first row shows; nothing while it waits for that. */
const firstRow = `(document.querySelector('.body .row:not(.waiting)')?.textContent ?? '')`

const folder = await mkdtemp(join(tmpdir(), 'openchatml-bench-'))
try {
  await writeLines(join(folder, 'train.jsonl'), linesWithWord(megabytes * million))
  const settings = { 'workbench.editorAssociations': { '*.jsonl': 'openchatml.dataset' } }
  const vscode = await openVSCode({ folder, settings, isForTests: false, log: () => {} })
  try {
    const opened = performance.now()
    await vscode.openFile('train.jsonl', { shows: 'iframe.webview' })
    const frame = await vscode.frameOf('.body .row')
    await reportFrames('while columns are read', frame)
    if (!(await frame.evaluate<boolean>(isBusy))) throw new Error('The columns were read before the frames')
    await until(frame, `!(${isBusy})`)
    tell('all columns, from the click', performance.now() - opened)
    await picture('index')
    await frame.locator('input').click()
    await vscode.page.keyboard.type(rareWord)
    await timed(frame, 'a word typed, until all samples with it are found', `${isFiltered} && !(${isBusy})`)
    await picture('word')
    await frame.locator('input').fill('')
    await until(frame, `!(${isFiltered})`)
    await frame.locator('input').fill('messages>=8')
    await timed(frame, 'a query about a column', isFiltered)
    await frame.locator('input').fill('')
    await until(frame, `!(${isFiltered})`)
    const first = await frame.evaluate<string>(firstRow)
    await frame.locator('.title', { hasText: 'Messages' }).first().click()
    await timed(frame, 'a sort', `![${JSON.stringify(first)}, ''].includes(${firstRow})`)
    const box = await frame.locator('.head .roles .histogram').boundingBox()
    if (!box) throw new Error('There is no histogram')
    const { mouse } = vscode.page
    await mouse.move(box.x + 2, box.y + box.height / 2)
    await mouse.down()
    await mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await mouse.up()
    await timed(frame, 'a drag in a histogram', isFiltered)
    await picture('histogram')
    await reportFrames('when columns are known', frame)
    await exported()

    /** The samples that the histogram chose, in a file. */
    async function exported(): Promise<void> {
      const path = join(folder, 'train.matching.jsonl') // as the dialog proposes
      await vscode.runCommand('Export Matching Samples…', 'As in the file')
      const dialog = vscode.page.locator('.quick-input-widget', { hasText: 'Show Local' })
      await dialog.waitFor()
      const begun = performance.now()
      while (!existsSync(path)) {
        if (performance.now() - begun > patience)
          throw new Error(`Nothing was exported within ${patience} ms`)
        // The dialog takes it once it has read the folder.
        if (await dialog.isVisible()) await vscode.page.keyboard.press('Enter')
        await new Promise((done) => setTimeout(done, 200))
      }
      tell('an export of what the histogram chose', performance.now() - begun)
      if ((await stat(path)).size === 0) throw new Error('Nothing was exported')
    }

    /** What is on the screen, if pictures are wanted. */
    async function picture(of: string): Promise<void> {
      if (pictures === undefined) return
      await vscode.settled()
      await vscode.page.screenshot({ path: join(pictures, `list-of-a-gigabyte-${of}.png`) })
    }
  } finally {
    await vscode.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function reportFrames(when: string, frame: Frame): Promise<void> {
  const times = await frame.evaluate<number[]>(frames)
  const smooth = times.filter((it) => it <= frameTime + tolerance).length / times.length
  const at = (percent: number) => milliseconds(percentile(times, percent))
  report({
    what: `List of ${size}, scroll ${when}: frames in time for 60 a second`,
    ours: `median ${at(50)}, 95th percentile ${at(95)}, worst ${at(100)}`,
    ...atLeast(smooth, 0.95, (part) => `${digits(100 * part)} %`),
  })
}

async function timed(frame: Frame, what: string, condition: string): Promise<void> {
  const begun = performance.now()
  await until(frame, condition)
  tell(what, performance.now() - begun)
}

function tell(what: string, time: number): void {
  report({ what: `List of ${size}: ${what}`, ours: milliseconds(time) })
}
