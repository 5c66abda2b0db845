/** Large transcripts: what a page holds, and what crosses to it, does not grow with the file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageChannel } from '../../client/src/preview/page-channel.ts'
import { visibleView } from '../../client/src/preview/page-view.ts'
import { defaultLimits } from '../../client/src/preview/page-window.ts'
import type { ToPage } from '../../client/src/preview/preview-protocol.ts'
import { PreviewSession } from '../../client/src/preview/preview-session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import { nightly } from '../helpers/nightly.ts'
import { pageMessage, TestPage } from './dom.ts'

const turn = (index: number) =>
  [
    `<|start|>user<|message|>Question ${index}, with **words**.<|end|>\n`,
    '<|start|>assistant<|channel|>analysis<|message|>Thinking about it.<|end|>\n',
    `<|start|>assistant<|channel|>final<|message|>Answer ${index}:\n\n- one\n- two\n\n\`\`\`js\nlet x = ${index}\n\`\`\`<|end|>\n`,
  ].join('')

function turns(count: number): string {
  return Array.from({ length: count }, (_, index) => turn(index)).join('')
}

/** Reads `text` in a page that is asked to be at each of `places`, parts of the text, and tells how much it held at most. */
function readEverywhere(text: string, places: readonly number[] = [0.3, 0.31, 1]) {
  const page = new TestPage()
  const sizes = { nodes: 0, message: 0, parts: 0 }
  const channel = new PageChannel(
    visibleView,
    (message: ToPage) => {
      sizes.message = Math.max(sizes.message, JSON.stringify(message).length)
      page.send(message)
      for (const said of page.posted.splice(0)) if (said.kind === 'applied') queue.push(said)
    },
    () => {},
  )
  const queue: Parameters<typeof channel.receive>[0][] = []
  const session = new PreviewSession(
    text,
    (it) => parseVisible(it),
    () => () => {},
  )
  page.posted.length = 0
  channel.open({ uri: 'file:///a.ocm', session })
  channel.takeOver({ index: 0, line: 0 })
  const total = session.entries.length
  for (const part of places) {
    for (const said of queue.splice(0)) channel.receive(said)
    channel.receive({ kind: 'want', index: Math.floor(part * (total - 1)), isJump: true })
    sizes.nodes = Math.max(sizes.nodes, nodesIn(page.document))
    sizes.parts = Math.max(sizes.parts, page.articles.length)
  }
  return sizes
}

function nodesIn(document: Document): number {
  const walker = document.createTreeWalker(document, -1)
  let count = 0
  while (walker.nextNode()) count++
  return count
}

nightly('the page of a transcript of any length holds the same number of nodes', () => {
  const small = readEverywhere(turns(200), [0.5])
  const large = readEverywhere(turns(800))
  assert.equal(small.parts, defaultLimits.messages)
  assert.equal(large.parts, defaultLimits.messages)
  assert.ok(Math.abs(large.nodes - small.nodes) < 50, `${small.nodes} and ${large.nodes}`)
  assert.ok(large.nodes < 60 * defaultLimits.messages, `${large.nodes}`)
  assert.ok(large.message < 2 * small.message, `${small.message} and ${large.message}`)
})

test('the page ends before browsers end it, however many messages there are', () => {
  const heights = (first: number, total: number) => {
    const page = new TestPage()
    page.send({ kind: 'open', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
    const changes = [{ kind: 'insert', message: pageMessage('a', 'Hello') }] as const
    page.send({ kind: 'update', sequence: 1, first, total, changes })
    return [...page.document.querySelectorAll<HTMLElement>('.space')].map(({ style }) =>
      Number.parseInt(style.height, 10),
    )
  }
  assert.deepEqual(heights(10, 31), [1600, 3200])
  const [above = 0, below = 0] = heights(750_000, 1_000_001)
  assert.deepEqual([above, below], [3_000_000, 1_000_000])
})

test('long messages are fewer, and one that is too long is cut', () => {
  const long = `<|start|>user<|message|>${'word '.repeat(30_000)}<|end|>\n`
  const { parts, message } = readEverywhere(long.repeat(20))
  assert.ok(parts <= 5, `${parts} messages of 150,000 characters`)
  assert.ok(message < 1_500_000)
  const giant = readEverywhere(`<|start|>user<|message|>${'word '.repeat(200_000)}<|end|>\n`)
  assert.ok(giant.message < 250_000, `${giant.message}`)
})
