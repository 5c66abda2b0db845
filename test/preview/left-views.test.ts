/** What a view of hidden text showed is nowhere on the page once the reader is back: not in elements that are hidden, nor in its state. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  ContextMessage,
  EverythingMessage,
  EverythingToolSide,
  ToPage,
  TrainingMessage,
} from '../../client/src/preview/preview-protocol.ts'
import { pageMessage, TestPage } from './dom.ts'

const canary = 'QZCANARYQZ'
const why = { reason: canary, section: canary, isUnusual: true }
const common = { problems: [{ severity: 'error', message: canary }], flags: [canary] } as const
const side: EverythingToolSide = {
  labels: [canary],
  blocks: [
    { name: canary, kind: 'json', text: `{"${canary}":1}` },
    { kind: 'text', text: canary },
    { kind: 'diff', text: `+${canary}` },
  ],
  raw: canary,
  why,
  omitted: 1,
}
const everything: readonly EverythingMessage[] = [
  {
    kind: 'hidden',
    id: '1',
    group: 'reasoning',
    role: canary,
    labels: [canary],
    text: canary,
    why,
    omitted: 2,
    ...common,
  },
  { kind: 'tool', id: '2', tool: canary, call: side, reply: side, isFailed: true, ...common },
  { kind: 'visible', id: '3', message: pageMessage('3', canary), privateText: canary, ...common },
]
const context: readonly ContextMessage[] = [
  {
    kind: 'messages',
    id: '1',
    author: canary,
    parts: [
      {
        fate: 'dropped',
        author: canary,
        labels: [canary],
        text: canary,
        omitted: 3,
        why: canary,
        section: canary,
      },
    ],
  },
]
const training: readonly TrainingMessage[] = [
  {
    id: '1',
    role: canary,
    flags: [canary],
    text: canary,
    omitted: 0,
    tokens: { first: 0, ids: [1], starts: [0], ends: [canary.length], flags: [2], parts: [] },
  },
]

function inserts<Message extends { readonly id: string }>(messages: readonly Message[]) {
  const changes = messages.map((message, index) => {
    const after = messages[index - 1]?.id
    return { kind: 'insert', message, ...(after !== undefined && { after }) } as const
  })
  return { sequence: 1, first: 0, total: messages.length, changes }
}

const settings = { uri: 'file:///a.ocm', isLocked: false, hasMath: true }
const totals = {
  trained: 1,
  total: 1,
  unit: 'tokens',
  choices: { template: canary, tokenizer: canary, mask: canary, length: canary },
  hasTemplateFile: true,
  notes: [canary],
} as const

const views: Readonly<Record<string, readonly ToPage[]>> = {
  everything: [
    { kind: 'everythingOpen', ...settings },
    { kind: 'everythingUpdate', ...inserts(everything) },
    { kind: 'everythingCounts', counts: { reasoning: 1, tools: 1, instructions: 0, problems: 1 } },
    { kind: 'edit', id: '1', text: canary },
  ],
  context: [
    { kind: 'contextOpen', ...settings },
    { kind: 'contextUpdate', ...inserts(context) },
    { kind: 'edit', id: '1', text: canary },
  ],
  'training that failed': [
    { kind: 'trainingOpen', ...settings },
    { kind: 'trainingUpdate', ...inserts(training) },
    { kind: 'trainingTotals', totals: { ...totals, state: 'failed', failure: canary } },
  ],
  training: [
    { kind: 'trainingOpen', ...settings },
    { kind: 'trainingUpdate', ...inserts(training) },
    { kind: 'trainingTotals', totals: { ...totals, state: 'done' } },
  ],
}

/** All that is in the page, whether it is drawn or not. */
function contents({ document, state }: TestPage): string {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
  return [
    document.documentElement.outerHTML,
    ...fields.map(({ value }) => value),
    JSON.stringify(state),
  ].join('\n')
}

for (const [name, messages] of Object.entries(views)) {
  test(`nothing is left of ${name}`, () => {
    const page = new TestPage()
    for (const message of messages) page.send(message)
    assert.ok(contents(page).includes(canary))
    assert.ok(!JSON.stringify(page.state).includes(canary))
    page.send({ kind: 'open', ...settings })
    assert.ok(!contents(page).includes(canary), contents(page))
    // What comes late is not shown under the name of another view.
    for (const message of messages.slice(1)) page.send(message)
    assert.ok(!contents(page).includes(canary), contents(page))
  })
}
