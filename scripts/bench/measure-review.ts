/**
 * Measures review mode in a real VS Code: from a key to the next sample on the screen, in a large list with many decisions. The page's
 * own clock counts: from the time of the key's event until the frame after the one that shows the sample.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import {
  canonicalSample,
  hashText,
  readSample,
  viewOfSample,
  writeReviewLine,
} from '../../core/src/internal.ts'
import { openVSCode } from '../vscode/open.mjs'
import { datasetLines } from './dataset-lines.ts'
import { digits, milliseconds, percentile } from './measuring.ts'
import { assignment, atMost, report } from './row.ts'
import { until } from './until.ts'

const { isQuick, megabytes = isQuick ? 50 : 1000 } = assignment()
const mostDecided = 10_000 // samples that are decided before: every second one
const nKeys = isQuick ? 50 : 200
const most = 100 // milliseconds

/** Notes when keys come, and when the sample that they lead to has been painted. */
const watch = `(() => {
  const { shadowRoot } = document.querySelector('.review-host')
  globalThis.reviewTimes = []
  let pressed
  addEventListener('keydown', ({ timeStamp }) => { pressed = timeStamp }, true)
  const painted = () => {
    const from = pressed
    if (from !== undefined) requestAnimationFrame(() => requestAnimationFrame((now) => globalThis.reviewTimes.push(now - from)))
    pressed = undefined
  }
  new MutationObserver(painted).observe(shadowRoot.querySelector('.title'), { childList: true })
})()`

const folder = await mkdtemp(join(tmpdir(), 'openchatml-bench-'))
try {
  const nDecided = await writeDataset(join(folder, 'train.jsonl'))
  const vscode = await openVSCode({
    folder,
    settings: {
      'workbench.editorAssociations': { '*.jsonl': 'openchatml.dataset' },
      'openchatml.review.name': 'Ann',
    },
    isForTests: false,
    log: () => {},
  })
  try {
    await vscode.openFile('train.jsonl', { shows: 'iframe.webview' })
    const frame = await vscode.frameOf('.body .row')
    await frame.locator('.body .label').first().click()
    await vscode.runCommand('OpenChatML Review: Review Samples')
    await until(
      frame,
      `document.querySelector('.review-host')?.shadowRoot?.activeElement?.matches('.scroll')`,
    )
    const progress = `document.querySelector('.review-host').shadowRoot.querySelector('.progress')?.textContent`
    await until(frame, `${progress}?.startsWith('${nDecided.toLocaleString('en')} of')`)
    await frame.evaluate(watch)
    const { press } = vscode.page.keyboard
    for (const [what, key] of [
      ['to the next sample', 'ArrowRight'],
      ['that decides, to the next sample', 'k'],
    ] as const) {
      await frame.evaluate('globalThis.reviewTimes.length = 0')
      for (let nth = 1; nth <= nKeys; nth++) {
        await press.call(vscode.page.keyboard, key)
        await until(frame, `globalThis.reviewTimes.length === ${nth}`)
      }
      reportTimes(what, await frame.evaluate<number[]>('globalThis.reviewTimes'))
    }
  } finally {
    await vscode.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Writes a dataset with decisions about its first samples. @returns how many there are */
async function writeDataset(path: string): Promise<number> {
  const data = createWriteStream(path)
  const review = createWriteStream(`${path}.review.jsonl`)
  let place = 0
  let nDecided = 0
  for (const line of datasetLines(megabytes * 1e6)) {
    place++
    if (place % 2 === 0 && nDecided < mostDecided) {
      nDecided++
      const sample = readSample(new TextEncoder().encode(line), { rest: 'source' })
      const digest = createHash('sha256')
        .update(canonicalSample(viewOfSample(sample, 0)))
        .digest()
      review.write(`${writeReviewLine({ place, hash: hashText(digest), decision: 'keep', by: 'Ann' })}\n`)
    }
    if (!data.write(line)) await new Promise((done) => data.once('drain', () => done(undefined)))
  }
  review.end()
  data.end()
  await Promise.all([finished(data), finished(review)])
  return nDecided
}

function reportTimes(what: string, times: readonly number[]): void {
  report({
    what: `Review, from a key ${what}, list of ${digits(megabytes)} MB`,
    ours: `median ${milliseconds(percentile(times, 50))}, worst ${milliseconds(percentile(times, 100))}`,
    ...atMost(percentile(times, 95), most, (it) => `95th percentile ${milliseconds(it)}`),
  })
}
