/** Columns that threads read are those that are read here, whatever becomes of the threads. */
import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { ColumnPass } from '../../client/src/datasets/column-pass.ts'
import { columnThreads } from '../../client/src/datasets/column-threads.ts'
import type { ColumnOrder, ColumnThreads } from '../../client/src/datasets/column-work.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { ruleSettingsFrom, type SampleReview } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { memoryFile } from './memory-file.ts'

const program = resolve('dist/client/columns.js')

const words = 'It is sunny in Zürich and 東京, and nobody knows why. '
const lines = Array.from({ length: 3000 }, (_, nth) => {
  const answer = { role: 'assistant', content: words.repeat(1 + (nth % 50)) }
  if (nth % 500 === 7) return '{"messages": ['
  const messages = nth % 100 === 3 ? [answer] : [{ role: 'user', content: `Why ${nth}?` }, answer]
  return JSON.stringify({ messages, source: nth % 3 === 0 ? 'wiki' : 'web', score: nth / 7 })
})
const content = `${lines.join('\n')}\n`

/** The columns of the file, read here. */
let readHere: ReturnType<typeof columnsWith> | undefined

/** The columns of the file. */
async function columnsWith(t: TestContext, openThreads?: () => ColumnThreads) {
  const dataset = new Dataset(memoryFile(content), 'train.jsonl')
  const review = {
    decision: 'keep',
    labels: ['good'],
    notes: 1,
    noteTexts: [],
    reviewers: [],
    isStale: false,
  }
  const pass = new ColumnPass(dataset, {
    options: () => ({
      dialect: 'auto',
      settings: [ruleSettingsFrom({ 'W-DATA-ORDER': 'error' })],
      reviewOf: (number) => (number % 2 === 0 ? (review as SampleReview) : undefined),
      problemsAmong: (number) =>
        number === 5 ? [{ code: 'W-DATA-DUPLICATE', rule: 'duplicate-sample', severity: 'warning' }] : [],
    }),
    count: async () => undefined,
    openThreads,
    changed: () => undefined,
  })
  t.after(() => pass.dispose())
  await pass.read('chars')
  const names = ['form', 'messages', 'turns', 'chars', 'calls', 'tools', 'errors', 'warnings']
  return {
    fields: pass.fields,
    columns: names.map((name) => lines.map((_, place) => pass.valuesOf(name)?.at(place))),
    sums: [...names, 'decision', 'score', 'source'].map((name) => [
      pass.statisticsOf(name).numbers(name)?.histogram(8),
      pass.statisticsOf(name).values(name)?.top(5),
    ]),
  }
}

nightly('threads read the same columns, in the order of the samples', async (t) => {
  assert.ok(content.length > 4 * 2 ** 20, 'enough for threads')
  readHere ??= columnsWith(t)
  const expected = await readHere
  const orders: ColumnOrder[] = []
  let ends = 0
  const found = await columnsWith(t, () => {
    const threads = columnThreads(program, 2)
    return {
      room: threads.room,
      answer(order) {
        orders.push(order)
        return threads.answer(order)
      },
      end() {
        ends++
        threads.end()
      },
    }
  })
  assert.deepEqual(found, expected)
  assert.ok(expected.columns.at(-1)?.[4] !== undefined)
  assert.equal(ends, 1)
  // Each sample is sent once, and each order is large enough to be worth a message.
  assert.equal(
    orders.reduce((sum, it) => sum + it.samples.length, 0),
    lines.length,
  )
  assert.ok(orders.length < 30, `${orders.length} orders`)
})

nightly('what threads cannot do is done here', async (t) => {
  readHere ??= columnsWith(t)
  const expected = await readHere
  assert.deepEqual(await columnsWith(t, () => columnThreads(join(program, 'missing'), 1)), expected)
  const last = () => {
    const threads = columnThreads(program, 1)
    let nth = 0
    const answer: ColumnThreads['answer'] = (order) => {
      if (nth++ === 2) threads.end()
      return threads.answer(order)
    }
    return { ...threads, answer }
  }
  assert.deepEqual(await columnsWith(t, last), expected)
})
