/** The page of a list, driven by a test: what it is told of samples, and a window that shows it. */
import assert from 'node:assert/strict'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import type { FromDatasetPage, Row, ToDatasetPage } from '../../client/src/datasets/dataset-protocol.ts'
import { fromDatasetPage } from '../../client/src/datasets/dataset-protocol.ts'
import type { DatasetView } from '../../client/src/datasets/dataset-view.ts'
import {
  DatasetPageSession,
  type DatasetRequest,
  type LayoutMemory,
  type QueryHistory,
} from '../../client/src/datasets/page-session.ts'
import type { SummaryOptions } from '../../client/src/datasets/summary.ts'
import { createDatasetPage, type DatasetHost } from '../../client/webview/dataset/dataset-page.ts'
import { freshWindow } from '../preview/dom.ts'
import { memoryFile } from './memory-file.ts'

/** No query was made before. */
export const noHistory = { get: () => [], keep: () => {} }
/** No layout was chosen before. */
export const noLayout = { get: () => undefined, keep: () => {} }

/** The session of a page for `dataset` that remembers nothing, and posts to `post`. */
export function sessionOf(dataset: DatasetView, post: (message: ToDatasetPage) => void = () => {}) {
  return new DatasetPageSession(dataset, {
    name: 'a.jsonl',
    options: () => ({ dialect: 'auto' }),
    count: async (texts) => texts.map(() => 1),
    request: () => {},
    history: noHistory,
    layout: noLayout,
    post,
  })
}

/** What a page would be told of the samples that `query` finds in a file with `content`. */
export async function rowsOf(content: string, query = '', name = 'a.jsonl') {
  const dataset = new Dataset(memoryFile(content), name)
  await dataset.load()
  const rows = new Map<number, Row>()
  const messages: ToDatasetPage[] = []
  const session = sessionOf(dataset, (message) => {
    messages.push(message)
    if (message.kind === 'rows') for (const row of message.rows) rows.set(row.place, row)
  })
  const count = () => messages.findLast((it) => it.kind === 'count')
  session.receive({ kind: 'ready' })
  session.receive({ kind: 'query', text: query })
  await until(() => count()?.kind === 'count' && !count()?.progress)
  const { listed } = count() ?? { listed: 0 }
  session.receive({ kind: 'want', first: 0, count: listed })
  await until(() => {
    const known = [...rows.values()]
    return (
      known.length === listed &&
      known.every(({ content }) => content.kind === 'bad' || content.tokens !== undefined)
    )
  })
  session.dispose()
  return { rows: [...rows.values()].sort((one, other) => one.place - other.place), messages }
}

/** What a page remembers, and who hears of it. */
interface PageParts {
  readonly options?: () => SummaryOptions
  readonly memory?: Pick<DatasetHost, 'getState' | 'setState'>
  readonly history?: QueryHistory
  readonly layout?: LayoutMemory
  readonly request?: (request: DatasetRequest) => void
  /** Called with each message of the page, in order. */
  readonly said?: (message: FromDatasetPage) => void
}

/** A page that shows `dataset`. */
export function pageOf(
  dataset: DatasetView,
  {
    options = () => ({ dialect: 'auto' }),
    memory = { getState: () => undefined, setState: () => {} },
    history = noHistory,
    layout = noLayout,
    request = () => {},
    said = () => {},
  }: PageParts = {},
) {
  const window = freshWindow()
  const session = new DatasetPageSession(dataset, {
    name: 'a.jsonl',
    options,
    count: async (texts) => texts.map(() => 1),
    request,
    history,
    layout,
    post: (message) => setImmediate(() => receive(message)),
  })
  const receive = createDatasetPage(window, {
    ...memory,
    postMessage: (message) => {
      const own = fromDatasetPage(message)
      if (!own) return
      said(own)
      setImmediate(() => session.receive(own))
    },
  })
  return { window, session }
}

/** Resolves when `condition` holds. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 120_000 // the machine may be busy
  while (!condition()) {
    assert.ok(performance.now() < end, 'within two minutes')
    await new Promise((done) => setImmediate(done))
  }
}
