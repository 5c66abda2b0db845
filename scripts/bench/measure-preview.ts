/**
 * Measures the preview of a large transcript, as users see it and with the cards of *Everything*: how long it takes until the first page is there, compared with the parse alone; how much
 * a page holds; and, in a real VS Code, how long frames take while a reader scrolls.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parserForEverything } from '../../client/src/preview/everything-source.ts'
import { everythingView } from '../../client/src/preview/everything-view.ts'
import { PageChannel } from '../../client/src/preview/page-channel.ts'
import { type PageView, visibleView } from '../../client/src/preview/page-view.ts'
import { type ParseText, PreviewSession } from '../../client/src/preview/preview-session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import { factsOf, Transcript } from '../../core/src/internal.ts'
import { openVSCode } from '../vscode/open.mjs'
import type { Frame } from '../vscode/playwright.d.mts'
import { asFromFile, mixedCorpus } from './corpus.ts'
import { digits, milliseconds, percentile, race, times } from './measuring.ts'
import { assignment, atLeast, atMost, report } from './row.ts'

const { isQuick } = assignment()
const size = isQuick ? 10 : 50
const text = asFromFile(mixedCorpus(size * 1e6).ocm)

/** A reader scrolls on and on, with jumps, for some hundred frames. The page's own clock counts, so that nothing outside does. */
const scroll = `new Promise((done) => {
  const frames = []
  let nodes = 0
  let last
  let step = 0
  const tick = (now) => {
    if (last !== undefined) frames.push(now - last)
    last = now
    nodes = Math.max(nodes, document.querySelectorAll('*').length)
    if (++step > 600) done({ frames, nodes, messages: document.querySelectorAll('.message').length })
    else {
      if (step % 200 === 0) window.scrollTo(0, document.documentElement.scrollHeight * (step / 800))
      else window.scrollBy(0, 48)
      requestAnimationFrame(tick)
    }
  }
  requestAnimationFrame(tick)
})`

const frameTime = 1000 / 60
const tolerance = 4 // milliseconds: clocks of browsers are coarse, and screens are not exact

const noProblems: [] = []
const noFlags: [] = []

await measureOpening()
await measurePage()

/** Until the first window of messages has crossed to the page. */
async function measureOpening(): Promise<void> {
  const parseEverything = parserForEverything({ problems: () => noProblems, flags: () => noFlags })
  const time = await race(
    {
      parse: () => parsed(),
      preview: () => opened(visibleView, (it, touch) => parseVisible(it, {}, touch)),
      everything: () => opened(everythingView, (it, touch) => parseEverything(it, {}, touch)),
    },
    { turns: isQuick ? 1 : 3, runs: 3 },
  )
  const peers = `parse alone ${milliseconds(time.parse)}`
  report({
    what: `Preview, open ${size} MB`,
    ours: milliseconds(time.preview),
    peers,
    ...atMost(time.preview / time.parse, 1.5, times),
  })
  report({
    what: `Preview, open ${size} MB in Everything`,
    ours: milliseconds(time.everything),
    peers,
    // A call is shown with its reply, so all of them are paired first.
    ...atMost(time.everything / time.parse, 2.5, times),
  })
}

function parsed(): Transcript {
  const transcript = Transcript.parse(text)
  transcript.forEachSegment((segment) => void factsOf(segment))
  return transcript
}

function opened<Message, Shown extends { readonly id: string }>(
  view: PageView<Message, Shown>,
  parse: ParseText<Message>,
): unknown {
  let messages = 0
  const session = new PreviewSession(text, parse, () => () => {})
  const channel = new PageChannel(
    view,
    () => messages++,
    () => {},
  )
  channel.open({ uri: 'file:///large.ocm', session })
  channel.takeOver({ index: 0, line: 0 })
  if (messages < 2) throw new Error('nothing crossed to the page')
  session.dispose() // what would be done after the first window
  return [session, channel]
}

async function measurePage(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'openchatml-bench-'))
  try {
    // What VS Code shares with extensions ends at 50 MiB.
    await writeFile(join(folder, 'large.ocm'), text.slice(0, 50 * 2 ** 20))
    const vscode = await openVSCode({
      folder,
      settings: { 'workbench.editorLargeFileConfirmation': 1024 },
      isForTests: false,
      log: () => {},
    })
    try {
      await vscode.openFile('large.ocm')
      await vscode.runCommand('OpenChatML: Open Preview')
      const frame = await vscode.frameOf('.message', { timeout: 120_000 })
      await vscode.settled({ timeout: 60_000 })
      await reportPage(frame, '')
      await vscode.runCommand('OpenChatML: Show Everything')
      const everything = await vscode.frameOf('.tool-card', { timeout: 120_000 })
      await vscode.settled({ timeout: 60_000 })
      await reportPage(everything, ' in Everything')
    } finally {
      await vscode.close()
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    report({
      what: `Preview, scroll ${size} MB`,
      ours: 'not measured',
      peers: String(reason),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param where the view, for the names of the rows */
async function reportPage(frame: Frame, where: string): Promise<void> {
  const { frames, nodes } = await frame.evaluate<{ frames: number[]; nodes: number }>(scroll)
  report({
    what: `Preview, elements of the page, ${size} MB${where}`,
    ours: digits(nodes),
    ...atMost(nodes, 15_000, digits),
  })
  const smooth = frames.filter((it) => it <= frameTime + tolerance).length / frames.length
  const at = (percent: number) => milliseconds(percentile(frames, percent))
  report({
    what: `Preview, scroll ${size} MB${where}: frames in time for 60 a second`,
    ours: `median ${at(50)}, 95th percentile ${at(95)}, worst ${at(100)}`,
    ...atLeast(smooth, 0.95, (part) => `${digits(100 * part)} %`),
  })
}
