/** The list of samples: what it says of bad input, what a search finds, and that nothing hidden is in it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { placeOfSample } from '../../cli/src/dataset/stretch.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { datasetHtml } from '../../client/src/datasets/dataset-html.ts'
import type { FromDatasetPage, Layout, ToDatasetPage } from '../../client/src/datasets/dataset-protocol.ts'
import { fromDatasetPage } from '../../client/src/datasets/dataset-protocol.ts'
import { readSample } from '../../client/src/datasets/listed-sample.ts'
import { randomPlaces, splitUnits, takenLines } from '../../client/src/datasets/matching-samples.ts'
import { DatasetPageSession } from '../../client/src/datasets/page-session.ts'
import { summaryOf } from '../../client/src/datasets/summary.ts'
import { createDatasetPage, type DatasetHost } from '../../client/webview/dataset/dataset-page.ts'
import { datasetMappingIn, ruleSettingsFrom } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { freshWindow } from '../preview/dom.ts'
import { noHistory, noLayout, pageOf, rowsOf, sessionOf, until } from './list-page.ts'
import { memoryFile, textIn } from './memory-file.ts'

/** Writes a query into the box, as a user who then presses Enter. */
function type(window: ReturnType<typeof freshWindow>, text: string): void {
  const input = window.document.querySelector('input')
  assert.ok(input)
  input.value = text
  input.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Enter' }))
}

const canary = 'SECRETWORD'
const hidden = [
  JSON.stringify({
    messages: [
      { role: 'system', content: canary },
      { role: 'user', content: 'What is it?' },
      { role: 'assistant', reasoning_content: canary, content: 'A thing' },
    ],
  }),
  JSON.stringify({ text: `<|start|>assistant<|channel|>analysis<|message|>${canary}<|end|>` }),
  JSON.stringify({
    text: `<|im_start|>assistant
<|start_reflect|>${canary}<|end_reflect|><|im_end|>`,
  }),
  JSON.stringify({ text: `<|start|>system<|message|>${canary}` }),
  JSON.stringify({ text: canary }),
].join('\n')

test('rows say what a user sees first, roles, tokens and problems', async () => {
  const { rows } = await rowsOf(
    '{"messages": [{"role": "user", "content": "Hello\\nyou"}, {"role": "assistant", "content": "Hi"}]}',
  )
  assert.deepEqual(rows, [
    {
      place: 0,
      number: 1,
      size: 97,
      content: {
        kind: 'good',
        words: 'Hello you',
        roles: [
          { role: 'user', count: 1 },
          { role: 'assistant', count: 1 },
        ],
        tokens: rows[0]?.content.kind === 'good' ? rows[0].content.tokens : 0,
        errors: 0,
        warnings: 0,
        hints: 0,
        losses: 0,
        form: 'messages',
      },
    },
  ])
})

test('no hidden word is in what the page is told, nor on the page, also if it is looked for', async () => {
  for (const query of ['', canary.toLowerCase(), `/${canary.slice(0, 4)}./`, 'problem:*']) {
    const { messages, rows } = await rowsOf(hidden, query)
    assert.doesNotMatch(JSON.stringify(messages).replaceAll(JSON.stringify(query), ''), new RegExp(canary))
    assert.ok(query === 'problem:*' || rows.length === 5)
    const window = freshWindow()
    const state: unknown[] = []
    const receive = createDatasetPage(window, {
      postMessage: () => {},
      getState: () => undefined,
      setState: (it) => state.push(it),
    })
    for (const message of messages) receive(message)
    await new Promise((done) => window.requestAnimationFrame(done))
    assert.ok(!window.document.documentElement.outerHTML.includes(canary))
    assert.ok(!JSON.stringify(state).includes(canary))
  }
})

test('a field that may be hidden text has no values in the list, also if a page asks for its column', async () => {
  const fields = [
    'system',
    'reasoning',
    'developer',
    'tool_calls',
    'meta.cot',
    'system.text',
    'persona',
    'source',
  ]
  const line = JSON.stringify({
    ...Object.fromEntries(fields.slice(0, 4).map((name) => [name, canary])),
    meta: { cot: canary },
    system: { text: canary },
    persona: canary,
    source: 'web',
    ask: 'Color?',
    reply: 'Teal',
  })
  const mapping = datasetMappingIn({
    file_name: '*',
    columns: { prompt: 'ask', response: 'reply', system: 'persona' },
  })
  const dataset = new Dataset(memoryFile(`${line}\n${line}`), 'a.jsonl', async () => mapping)
  await dataset.load()
  const messages: unknown[] = []
  const session = new DatasetPageSession(dataset, {
    name: 'a.jsonl',
    options: () => ({ dialect: 'auto' }),
    count: async (texts) => texts.map(() => 1),
    request: () => {},
    history: noHistory,
    layout: noLayout,
    post: (message) => messages.push(message),
  })
  const has = (text: string) => JSON.stringify(messages).includes(text)
  session.receive({ kind: 'ready' })
  await until(() => has('"source"'))
  session.receive({ kind: 'layout', layout: { columns: fields.map((name) => ({ name })) } })
  session.receive({ kind: 'want', first: 0, count: 2 })
  await until(() => has('["source","web"]'))
  fields.forEach((name, id) => {
    const text = `${name}:`
    session.receive({ kind: 'complete', id, text, offset: text.length })
  })
  await until(() => has(`"id":${fields.length - 1},`))
  assert.doesNotMatch(JSON.stringify(messages), new RegExp(canary))
  session.dispose()
})

test('a field that is called like a property of every object is a column like others', async () => {
  const line = (more: object) => JSON.stringify({ ...more, messages: [{ role: 'user', content: 'Hi' }] })
  const names = ['constructor', 'toString', 'valueOf', '__proto__']
  const dataset = new Dataset(memoryFile(`${line({ constructor: 'own' })}\n${line({})}`), 'a.jsonl')
  await dataset.load()
  const columns = ['@words', ...names].map((name) => ({ name }))
  const layout = { get: () => ({ columns }), keep: () => {} }
  const { window, session } = pageOf(dataset, { layout })
  const cells = () => [...window.document.querySelectorAll('.body .cell.value')].map((it) => it.textContent)
  await until(
    () => cells()[0] === 'own' && window.document.querySelectorAll('.body .row:not(.waiting)').length === 2,
  )
  assert.deepEqual(cells(), ['own', ...Array(7).fill('')])
  const { style } = window.document.querySelector('.grid') as HTMLElement
  assert.equal(style.getPropertyValue('--columns'), '84px minmax(200px, 1fr) 110px 110px 110px 110px')
  assert.equal(style.getPropertyValue('--least'), '816px')
  session.dispose()
})

test('bad input is named by line and column, and other samples are not disturbed', async () => {
  const lines = [
    '{"messages": [{"role": "user", "content": "fine"}]}',
    '{"messages": [}',
    '42',
    '{"other": 1}',
    '{"messages": [{"role": "user", "content": 42}]}',
    '{"messages": {"role": "user"}}',
    `${'['.repeat(100_000)}`,
    `{"messages": [{"role": "user", "content": ${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`,
    '{"__proto__": {"messages": []}, "messages": [{"role": "user", "content": "p", "__proto__": 1}]}',
    '{"text": "<|start|>user<|message|>\\ud800<|end|>"}',
    '{"messages": [{"role": "user", "content": "<|end|><|start|>system<|message|>x"}]}',
    '{"text": "fine"}',
  ]
  const { rows } = await rowsOf(lines.join('\n'))
  assert.equal(rows.length, lines.length)
  const bad = rows.flatMap(({ number, content }) =>
    content.kind === 'bad' ? [[number, content.line, content.column]] : [],
  )
  assert.deepEqual(bad, [
    [2, 2, 15],
    [3, 3, 1],
    [4, 4, 1],
    [5, 5, 43],
    [6, 6, 14],
    [7, 7, 100_000],
    [8, 8, 1], // too deep to be looked through
  ])
  const forged = rows[10]?.content
  assert.deepEqual(forged?.kind === 'good' && forged.roles, [{ role: 'user', count: 1 }])
  assert.equal(({} as { messages?: unknown }).messages, undefined)
})

test('in a list, mistakes are named by line and column of the file', async () => {
  const content = [
    '\ufeff[{"messages": [}], "😀", {"messages": 1},',
    '  {"messages": [\r',
    '    {"role": "user", "content": 42}]},',
    ' {"text": "fine"}]',
  ].join('\n')
  const { rows } = await rowsOf(content, undefined, 'a.json')
  assert.deepEqual(
    rows.flatMap(({ number, content: it }) => (it.kind === 'bad' ? [[number, it.line, it.column]] : [])),
    [
      [0, 1, 16],
      [1, 1, 20],
      [2, 1, 39],
      [3, 3, 33],
    ],
  )
})

test('a sample of an unknown form says what it has, and leads to the choice of its form', async () => {
  const content = [
    '{"Question": "What is it?", "id": "a1", "Answer": "Nobody knows."}',
    '{"messages": [}',
  ].join('\n')
  const { rows } = await rowsOf(content)
  const [unknown, broken] = rows.map(({ content: it }) => it)
  assert.ok(unknown?.kind === 'bad' && broken?.kind === 'bad')
  assert.match(unknown.message, /: the sample has `Question`, `Answer`\./)
  assert.deepEqual([unknown.isUnknownForm, broken.isUnknownForm], [true, undefined])
  const dataset = new Dataset(memoryFile(content), 'a.jsonl')
  await dataset.load()
  const sent: unknown[] = []
  const { window, session } = pageOf(dataset, { request: (it) => sent.push(it) })
  const { document } = window
  await until(() => document.querySelectorAll('.row.bad .message').length === 2)
  const buttons = [...document.querySelectorAll<HTMLElement>('.row .action')]
  assert.deepEqual(
    buttons.map((it) => it.textContent),
    ['Choose Form…'],
  )
  buttons[0]?.click()
  await until(() => sent.length > 0)
  assert.deepEqual(sent, [{ kind: 'chooseForm', number: 1 }])
  session.dispose()
})

test('what was read of a list that is cut off is listed', async () => {
  const file = memoryFile('[{"text": "<|start|>user<|message|>first<|end|>"},\n{"te')
  const dataset = new Dataset(file, 'a.json')
  await dataset.load()
  const { window, session } = pageOf(dataset)
  await until(() => window.document.querySelector('.first')?.textContent === 'first')
  assert.equal(
    window.document.querySelector('.status')?.textContent,
    '1 sample. The list is not closed: it is cut off in line 2',
  )
  const { generation } = dataset
  await dataset.refresh()
  assert.equal(dataset.generation, generation)
  file.overwrite('[{"text": "<|start|>user<|message|>whole<|end|>"}]')
  await dataset.refresh()
  await until(() => window.document.querySelector('.first')?.textContent === 'whole')
  assert.equal(window.document.querySelector('.status')?.textContent, '1 sample')
  session.dispose()
})

test('the list has the focus when the page gets it', async () => {
  const dataset = new Dataset(memoryFile('{"text": "x"}'), 'a.jsonl')
  await dataset.load()
  const { window, session } = pageOf(dataset)
  const { document } = window
  await until(() => document.querySelectorAll('.body .row').length === 1)
  document.querySelector('input')?.focus()
  window.dispatchEvent(new window.Event('focus'))
  assert.equal(document.activeElement?.tagName, 'INPUT', 'what has the focus keeps it')
  document.querySelector('input')?.blur()
  window.dispatchEvent(new window.Event('focus'))
  assert.equal(document.activeElement?.className, 'grid')
  session.dispose()
})

test('a query that a command sets is not asked for again by the page, which could be late', async () => {
  const dataset = new Dataset(memoryFile('{"text": "one"}\n{"text": "two"}\n'), 'a.jsonl')
  await dataset.load()
  const said: FromDatasetPage[] = []
  const { window, session } = pageOf(dataset, { said: (message) => said.push(message) })
  session.search('line>1') // before the page shows anything
  await until(() => window.document.querySelectorAll('.body .row').length === 1)
  for (const query of ['', 'line>1']) session.search(query)
  const matching = await session.matching()
  assert.equal(matching.size, 1)
  const box = window.document.querySelector('input')
  await until(() => box?.value === 'line>1' && window.document.querySelectorAll('.body .row').length === 1)
  assert.deepEqual(
    said.filter(({ kind }) => kind === 'query'),
    [],
  )
})

test('a mistake of ours costs a row, and not the list', (t) => {
  t.mock.method(console, 'error', () => {})
  const summary = summaryOf(readSample(new TextEncoder().encode('{"text": "<|start|>user<|message|>x"}')), {
    dialect: 'auto',
    get settings(): never {
      throw new TypeError('a bug')
    },
  })
  assert.equal(summary.kind, 'bad')
})

test('the list follows settings, also where the page knows all its rows already', async () => {
  const dataset = new Dataset(
    memoryFile('{"text": "<|start|>asistant<|message|>x<|end|>"}\n'.repeat(3)),
    'a.jsonl',
  )
  await dataset.load()
  let severity: 'error' | 'off' = 'error'
  const { window, session } = pageOf(dataset, {
    options: () => ({ dialect: 'auto', settings: [ruleSettingsFrom({ 'unknown-role': severity })] }),
  })
  const badges = () => window.document.querySelectorAll('.badge.error').length
  await until(() => badges() === 3)
  severity = 'off'
  session.judgeAgain()
  await until(() => badges() === 0)
  type(window, 'errors>0')
  const shown = () => window.document.querySelectorAll('.body .row').length
  await until(() => shown() === 0)
  severity = 'error'
  session.judgeAgain()
  await until(() => shown() === 3 && badges() === 3)
  session.dispose()
})

test('a row that was saved is another one, wherever the page looked last', async () => {
  const line = '{"text": "<|start|>user<|message|>before<|end|>"}'
  const dataset = new Dataset(memoryFile(`${line}\n`.repeat(3)), 'a.jsonl')
  await dataset.load()
  const { window, session } = pageOf(dataset)
  const words = () => [...window.document.querySelectorAll('.first')].map((it) => it.textContent).join(' ')
  await until(() => words() === 'before before before')
  session.receive({ kind: 'want', first: 2, count: 1 })
  const before = await dataset.bytesOf(0)
  await dataset.replace(0, before, line.replace('before', 'after'))
  session.sampleChanged(0, before)
  await until(() => words() === 'after before before')
  session.dispose()
})

test('the focus goes to a sample wherever it is listed, and stays where it is if the query does not match it', async () => {
  const words = ['other', 'word', 'other', 'word', 'word']
  const lines = words.map((it) => JSON.stringify({ text: `<|start|>user<|message|>${it}<|end|>` }))
  const dataset = new Dataset(memoryFile(lines.join('\n')), 'a.jsonl')
  const sort = { column: 'line', isDescending: true }
  const layout = { ...noLayout, get: () => ({ columns: [], sort }) }
  const { window, session } = pageOf(dataset, { layout })
  const active = () => window.document.querySelector('.row.active .label')?.textContent
  type(window, 'word')
  await until(() => session.listing.size === 3)
  assert.equal(await session.focus(1), true)
  assert.equal(session.activePlace, 1)
  await until(() => active() === '2')
  assert.equal(await session.focus(2), false)
  assert.equal(session.activePlace, 1)
  session.dispose()
})

test('a key is about the row that has the focus, also before that is drawn', async () => {
  const content = ['one', 'two', 'three'].map((it) => `{"text": "<|start|>user<|message|>${it}<|end|>"}`)
  const dataset = new Dataset(memoryFile(content.join('\n')), 'a.jsonl')
  await dataset.load()
  const told: FromDatasetPage[] = []
  const { window, session } = pageOf(dataset, { said: (message) => told.push(message) })
  const rows = () => [...window.document.querySelectorAll<HTMLElement>('.body .row')]
  await until(() => rows().length === 3 && rows().every((it) => it.querySelector('.first')?.textContent))
  const keys = [
    { row: 2, key: 'Delete', act: 'change' },
    { row: 1, key: 'ArrowDown', altKey: true, act: 'change' },
    { row: 2, key: 'c', ctrlKey: true, act: 'copyLine' },
    { row: 1, key: 'C', ctrlKey: true, act: 'copyLine' }, // with Caps Lock
  ]
  for (const { row, act, ...key } of keys) {
    told.length = 0
    rows()[row]?.click()
    const grid = window.document.querySelector('.grid')
    grid?.dispatchEvent(new window.KeyboardEvent('keydown', { ...key, bubbles: true }))
    const at = told.findIndex(({ kind }) => kind === act)
    const place = told.slice(0, at).findLast((it) => it.kind === 'active')
    assert.ok(at >= 0 && place?.kind === 'active', act)
    assert.equal(place.index, row)
  }
  const [first] = rows()
  assert.ok(first)
  window.document.getSelection()?.selectAllChildren(first)
  told.length = 0
  const copy = new window.KeyboardEvent('keydown', {
    key: 'c',
    ctrlKey: true,
    bubbles: true,
    cancelable: true,
  })
  window.document.querySelector('.grid')?.dispatchEvent(copy)
  assert.deepEqual([told.some(({ kind }) => kind === 'copyLine'), copy.defaultPrevented], [false, false])
  window.document.getSelection()?.removeAllRanges()
  for (const key of ['f', 'F']) {
    window.document.querySelector<HTMLElement>('.grid')?.focus()
    const event = new window.KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true })
    window.document.activeElement?.dispatchEvent(event)
    assert.equal(window.document.activeElement?.tagName, 'INPUT', key)
  }
  session.dispose()
})

test('a row is opened by a double click or Enter also before it is there, unless the reader goes elsewhere', async () => {
  const content = ['one', 'two', 'three'].map((it) => `{"text": "<|start|>user<|message|>${it}<|end|>"}`)
  const said: Parameters<DatasetHost['postMessage']>[0][] = []
  const window = freshWindow()
  const send = createDatasetPage(window, {
    postMessage: (message) => said.push(message),
    getState: () => undefined,
    setState: () => {},
  })
  const dataset = new Dataset(memoryFile(content.join('\n')), 'a.jsonl')
  await dataset.load()
  const held: ToDatasetPage[] = []
  let holds = true
  const session = sessionOf(dataset, (message) => {
    if (holds && message.kind === 'rows') held.push(message)
    else send(message)
  })
  session.receive({ kind: 'ready' })
  const rows = () => [...window.document.querySelectorAll<HTMLElement>('.body .row')]
  await until(() => rows().length === 3)
  for (const message of said.splice(0)) if (message.kind === 'want') session.receive(message)
  const isHeld = (index: number) =>
    held.some((it) => it.kind === 'rows' && it.first <= index && index < it.first + it.rows.length)
  await until(() => [0, 1, 2].every(isHeld)) // each row is a message, and a busy machine pauses between them
  const opened = () => said.flatMap((it) => (it.kind === 'open' ? [it.number] : []))
  const mouse = (index: number, type: string, detail: number) => {
    const event = new window.MouseEvent(type, { bubbles: true, cancelable: true, detail })
    rows()[index]?.dispatchEvent(event)
    return event
  }
  assert.equal(mouse(0, 'mousedown', 1).defaultPrevented, false)
  assert.equal(mouse(0, 'mousedown', 2).defaultPrevented, true, 'no words are selected')
  mouse(0, 'dblclick', 2)
  mouse(1, 'click', 1)
  mouse(1, 'dblclick', 2)
  assert.deepEqual(opened(), [])
  holds = false
  for (const message of held) send(message)
  for (const message of held) send(message)
  assert.deepEqual(opened(), [2], 'once, and not the one before')
  session.dispose()
})

nightly('a page comes back as it was: query, place and row, also while the file is still read', async () => {
  const line = (index: number) => `{"text": "<|start|>user<|message|>${index % 2 ? 'odd' : 'even'}<|end|>"}\n`
  const content = Array.from({ length: 4000 }, (_, index) => line(index)).join('')
  const dataset = new Dataset(memoryFile(content, 1000), 'a.jsonl')
  let kept: unknown = { query: 'odd', top: 1500, active: 1503 }
  const memory = {
    getState: () => kept,
    setState: (it: unknown) => {
      kept = it
    },
  }
  const { window, session } = pageOf(dataset, { memory })
  void dataset.load()
  const { document } = window
  await until(() => document.querySelector('.row.active .label')?.textContent === '3,008')
  assert.equal(document.querySelector('input')?.value, 'odd')
  await until(() => document.querySelector('.status')?.textContent === '2,000 of 4,000 samples')
  assert.deepEqual(kept, { query: 'odd', top: 1500, active: 1503 })
  session.dispose()
})

test('bytes that are not UTF-8 are named, and so are samples of ten megabytes read', () => {
  const broken = readSample(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d))
  const position = { line: 0, character: 2 }
  assert.deepEqual(broken, { kind: 'bad', message: 'This is not UTF-8', position })
  const long = JSON.stringify({ text: `<|start|>user<|message|>${'long '.repeat(2_000_000)}<|end|>` })
  assert.equal(readSample(new TextEncoder().encode(long)).kind, 'good')
})

test('a query finds text in any case, spelled in any way, and what is broken', async () => {
  const content = [
    '{"text": "<|start|>user<|message|>Gr\\u00fcn \\"tea\\"<|end|>"}',
    '{"text": "<|start|>user<|message|>grün<|end|>"}',
    '{"text": "<|start|>assistant<|channel|>commentary<|constrain|>json<|message|>{grün<|call|>"}',
    '{"grün',
  ].join('\n')
  const found = async (query: string) => (await rowsOf(content, query)).rows.map(({ number }) => number)
  assert.deepEqual(await found('GRÜN'), [1, 2, 3, 4])
  assert.deepEqual(await found('"\\"tea\\""'), [1])
  assert.deepEqual(await found('grün is:broken'), [4])
  assert.deepEqual(await found('-is:broken errors=0'), [1, 2])
  assert.ok((await found('problem:*')).includes(3))
  assert.deepEqual(await found('tokens>0'), [1, 2, 3])
  assert.deepEqual(await found('"nothing of the kind"'), [])
})

test('rows show what a query found: visible words marked, hidden ones by name', async () => {
  const content = [
    { role: 'system', content: 'Rayleigh' },
    { role: 'user', content: `${'Tell me more. '.repeat(30)}Who was\nRayleigh, and was RAYLEIGH a lord?` },
    { role: 'assistant', reasoning_content: 'Rayleigh!', content: 'A physicist.' },
  ]
  const { rows } = await rowsOf(JSON.stringify({ messages: content }), 'rayleigh')
  const row = rows[0]?.content
  assert.ok(row?.kind === 'good')
  assert.match(row.words, /^…more\. .*Who was Rayleigh, and was RAYLEIGH a lord\?$/)
  assert.deepEqual(
    row.marks?.map(({ from, to }) => row.words.slice(from, to)),
    ['Rayleigh', 'RAYLEIGH'],
  )
  assert.deepEqual(row.hidden, ['system', 'reasoning'])
  const { rows: hidden } = await rowsOf(JSON.stringify({ messages: content }), 'reasoning:rayleigh')
  const other = hidden[0]?.content
  assert.ok(other?.kind === 'good')
  assert.match(other.words, /^Tell me more\./)
  assert.deepEqual([other.marks, other.hidden], [undefined, ['reasoning']])
})

test('a query with a mistake is explained with its column, and the list stays as it was', async () => {
  const dataset = new Dataset(
    memoryFile('{"text": "<|start|>user<|message|>x<|end|>"}\n'.repeat(3)),
    'a.jsonl',
  )
  await dataset.load()
  const { window, session } = pageOf(dataset)
  const { document } = window
  const shown = () => document.querySelectorAll('.body .row').length
  await until(() => shown() === 3)
  type(window, 'x turns>=many')
  const mistake = () => document.querySelector('.mistake')?.textContent
  await until(() => mistake() === 'Column 10: Expected a number after `>=`')
  assert.equal(document.querySelector('input')?.getAttribute('aria-invalid'), 'true')
  assert.equal(shown(), 3)
  const empty = () => document.querySelector('.empty:not([hidden])')?.textContent ?? ''
  type(window, 'nothing')
  await until(() => empty().startsWith('No sample matches the query.'))
  assert.ok(document.querySelector('.grid:not([hidden]) .head'), 'choices in the columns can be taken back')
  type(window, 'nothing turns>=many')
  await until(() => mistake() === 'Column 16: Expected a number after `>=`')
  assert.equal(empty(), 'Correct or clear the query to see samples.')
  type(window, 'line:2..')
  await until(() => shown() === 2 && mistake() === '')
  type(window, '')
  await until(() => shown() === 3)
  session.dispose()
})

test('the box proposes fields and values, and goes back in the history', async () => {
  const dataset = new Dataset(memoryFile('{"text": "<|start|>user<|message|>x<|end|>"}\n'), 'a.jsonl')
  await dataset.load()
  const queries: string[] = ['turns>=2']
  const history = { get: () => queries, keep: (query: string) => queries.unshift(query) }
  const { window, session } = pageOf(dataset, { history })
  const { document } = window
  await until(() => document.querySelectorAll('.body .row').length === 1)
  const input = document.querySelector('input')
  assert.ok(input)
  input.focus()
  const press = (key: string) => input.dispatchEvent(new window.KeyboardEvent('keydown', { key }))
  const write = (text: string) => {
    input.value = text
    input.setSelectionRange(text.length, text.length)
    input.dispatchEvent(new window.Event('input'))
  }
  const proposed = () =>
    [...document.querySelectorAll('[role=option]')].map((it) => it.firstChild?.textContent)
  write('x -ha')
  await until(() => proposed().join() === 'has:')
  press('ArrowDown')
  assert.equal(input.getAttribute('aria-activedescendant'), 'proposal-0')
  press('Enter')
  await until(() => input.value === 'x -has:' && proposed().includes('reasoning'))
  write('x -has:im')
  await until(() => proposed().join() === 'images')
  press('Tab')
  assert.equal(input.value, 'x -has:images ')
  input.dispatchEvent(new window.Event('change'))
  await until(() => queries.length === 2)
  write('new')
  await until(() => proposed().length === 0)
  press('ArrowUp')
  assert.equal(input.value, 'x -has:images ')
  press('ArrowUp')
  assert.equal(input.value, 'turns>=2')
  press('ArrowDown')
  press('ArrowDown')
  assert.equal(input.value, 'new')
  session.dispose()
})

test('a file that grows is followed: what was found stays, and what is new is looked at', async () => {
  const line = (word: string) => `{"text": "<|start|>user<|message|>${word}<|end|>"}\n`
  const first = line('odd') + line('even')
  const file = memoryFile(first)
  const dataset = new Dataset(file, 'a.jsonl')
  await dataset.load()
  const { window, session } = pageOf(dataset)
  type(window, 'odd')
  const status = () => window.document.querySelector('.status')?.textContent
  await until(() => status() === '1 of 2 samples')
  const { generation } = dataset
  file.overwrite(`${first}${line('odd')}${line('even')}`)
  await dataset.refresh()
  await until(() => status() === '2 of 4 samples')
  assert.equal(dataset.generation, generation, 'nothing was read twice')
  file.overwrite(`${first}${line('odd')}${line('even')}${line('odd').trimEnd()}`)
  await dataset.refresh()
  await until(() => status() === '3 of 5 samples')
  file.overwrite(`${line('even')}${first}${line('odd')}${line('odd')}`)
  await dataset.refresh()
  await until(() => status() === '3 of 5 samples' && dataset.generation > generation)
  session.dispose()
})

test('a click on the title of a column sorts, and a part of its histogram filters', async () => {
  const sample = (score: number | undefined, turns: number) =>
    JSON.stringify({
      messages: Array.from({ length: turns }, () => [
        { role: 'user', content: 'Q' },
        { role: 'assistant', content: 'A' },
      ]).flat(),
      ...(score !== undefined && { score }),
      source: turns > 1 ? 'wiki' : 'web forum',
    })
  const content = [sample(0.5, 1), sample(undefined, 2), sample(2.5, 3), sample(-1, 1), sample(0.5, 4)].join(
    '\n',
  )
  const dataset = new Dataset(memoryFile(content), 'a.jsonl')
  await dataset.load()
  const kept: Layout[] = []
  const layout = {
    get: (): Layout => ({ columns: ['@words', 'turns', 'score', 'source'].map((name) => ({ name })) }),
    keep: (it: Layout) => kept.push(it),
  }
  const { window, session } = pageOf(dataset, { layout })
  const { document } = window
  const numbers = () => [...document.querySelectorAll('.body .label')].map((it) => it.textContent).join(' ')
  const title = (name: string) =>
    [...document.querySelectorAll<HTMLElement>('.title')].find((it) => it.firstChild?.textContent === name)
  const sorting = (name: string) => title(name)?.parentElement?.getAttribute('aria-sort')
  await until(() => numbers() === '1 2 3 4 5' && document.querySelectorAll('.histogram').length === 2)
  assert.deepEqual(
    [...document.querySelectorAll('.body .row')].map((row) =>
      [...row.querySelectorAll('.value')].map((it) => it.textContent).join('|'),
    ),
    ['1|0.5|web forum', '2||wiki', '3|2.5|wiki', '1|-1|web forum', '4|0.5|wiki'],
  )
  session.receive({ kind: 'ready' }) // as after another tab was shown
  await until(() => document.querySelectorAll('.histogram').length === 2)
  const bars = (name: string) => title(name)?.closest('[role=columnheader]')?.textContent
  const turns = () => document.querySelectorAll('.histogram')[0]?.children.length
  assert.equal(turns(), 4, bars('turns'))
  const before = await dataset.bytesOf(4)
  await dataset.replace(4, before, sample(0.5, 6))
  session.sampleChanged(4, before)
  await until(() => turns() === 6)
  document
    .querySelectorAll('.body .row')[3]
    ?.dispatchEvent(new window.MouseEvent('contextmenu', { bubbles: true }))
  await until(() => document.querySelector('.row.active .label')?.textContent === '4')
  assert.match(
    document.querySelector<HTMLElement>('.grid')?.dataset.vscodeContext ?? '',
    /openchatml\.sample/,
  )
  title('score')?.click()
  await until(() => numbers() === '4 1 5 3 2')
  assert.equal(sorting('score'), 'ascending')
  assert.deepEqual(kept.at(-1)?.sort, { column: 'score', isDescending: false })
  title('score')?.click()
  await until(() => numbers() === '3 1 5 4 2')
  title('Sample')?.click()
  title('Sample')?.click()
  await until(() => numbers() === '5 4 3 2 1')
  title('Sample')?.click()
  await until(() => numbers() === '1 2 3 4 5' && sorting('Sample') === 'none')
  const input = document.querySelector('input')
  document.querySelector<HTMLElement>('.share')?.click()
  await until(() => input?.value === 'source:wiki' && numbers() === '2 3 5')
  const menuOf = (name: string) =>
    title(name)?.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'ArrowDown' }))
  const item = (text: RegExp) =>
    [...document.querySelectorAll<HTMLElement>('.menu button')].find((it) => text.test(it.textContent ?? ''))
  menuOf('turns')
  item(/^2: 1 sample$/)?.click()
  await until(() => input?.value === 'source:wiki turns=2' && numbers() === '2')
  menuOf('turns')
  item(/^3: 1 sample$/)?.click()
  await until(() => input?.value === 'source:wiki turns=3' && numbers() === '3')
  menuOf('turns')
  item(/^Move Right$/)?.click()
  menuOf('turns')
  item(/^Wider$/)?.click()
  menuOf('source')
  item(/^Hide Column$/)?.click()
  await until(() => kept.at(-1)?.columns.length === 3)
  assert.deepEqual(kept.at(-1)?.columns, [
    { name: '@words' },
    { name: 'score' },
    { name: 'turns', width: 130 },
  ])
  session.dispose()
})

test('the session of an agent is one sample, not a line of mistakes for each entry', async () => {
  const entry = (type: string, uuid: string, parentUuid: string | null, content: unknown) =>
    JSON.stringify({ type, uuid, parentUuid, sessionId: 's', message: { role: type, content } })
  const content = [
    entry('user', '1', null, 'List the files'),
    entry('assistant', '2', '1', [{ type: 'text', text: 'There are two.' }]),
  ].join('\n')
  const { rows } = await rowsOf(`${content}\n`)
  assert.deepEqual(
    rows.map(({ number, content: it }) => [
      number,
      it.kind === 'good' && it.form,
      it.kind === 'good' && it.words,
    ]),
    [[1, 'claude-code', 'List the files']],
  )
})

test('the page runs its own script only, and messages from it are checked', () => {
  const html = datasetHtml({ nonce: 'n', script: 's.js', style: 's.css' })
  assert.match(html, /default-src 'none'; script-src 'nonce-n'; style-src 'nonce-n'; base-uri 'none'/)
  assert.doesNotMatch(html, /unsafe|https?:/)
  const source = ['column-head', 'column-menu', 'dataset-page', 'query-box', 'sample-list', 'row-view']
    .map((name) => readFileSync(`client/webview/dataset/${name}.ts`, 'utf8'))
    .join('\n')
  assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|document\.write/)
  for (const value of [
    undefined,
    {},
    { kind: 'open', number: -1, as: 'text' },
    { kind: 'open', number: 1, as: 'command:x' },
    { kind: 'want', first: 0.5, count: 1 },
    { kind: 'query', text: 1 },
    { kind: 'query', text: 'x'.repeat(30_000) },
    { kind: 'complete', id: 1, text: 'x', offset: -1 },
    { kind: 'compare', numbers: [1] },
  ])
    assert.equal(fromDatasetPage(value), undefined)
  assert.deepEqual(fromDatasetPage({ kind: 'want', first: 0, count: 1e9 }), {
    kind: 'want',
    first: 0,
    count: 200,
  })
})

test('samples are taken along byte for byte, in another form, by chance as ocm chooses, and split', async () => {
  const line = (word: string, user: string) =>
    `{"messages": [ {"role":"user","content":"${word}"}, {"role":"assistant","content":"A","thinking":"T"} ], "user": "${user}"}`
  const lines = ['odd', 'even', 'odd', 'even', 'odd', 'even'].map((it, index) => line(it, `u${index % 3}`))
  const dataset = new Dataset(memoryFile(`${lines.join('\n')}\n{"broken\n`), 'a.jsonl')
  await dataset.load()
  const session = sessionOf(dataset)
  const written = async (query: string, to?: 'harmony') => {
    session.search(query)
    const taken = { lines: 0, omitted: 0, lossy: 0 }
    const samples = await session.matching()
    const all: string[] = []
    for await (const it of takenLines(samples, to, taken)) all.push(`${textIn(it)}\n`)
    return { text: all.join(''), taken }
  }
  const odd = lines.filter((it) => it.includes('odd'))
  assert.deepEqual(await written('odd'), {
    text: `${odd.join('\n')}\n`,
    taken: { lines: 3, omitted: 0, lossy: 0 },
  })
  assert.deepEqual((await written('')).taken, { lines: 6, omitted: 1, lossy: 0 })
  assert.equal((await written('is:broken')).text, '{"broken\n')
  const harmony = await written('odd', 'harmony')
  assert.equal(harmony.taken.lines, 3)
  assert.match(harmony.text, /^\{"text":"<\|start\|>/)
  session.search('')
  const samples = await session.matching()
  const keyOf = (place: number) => placeOfSample('a.jsonl', 'line', dataset.index.numberOf(place))
  const chosen = await randomPlaces(samples, { size: 2, seed: 7, keyOf })
  assert.equal(chosen.size, 2)
  assert.deepEqual(await randomPlaces(samples, { size: 2, seed: 7, keyOf }), chosen)
  assert.deepEqual(
    (await splitUnits(samples, { stratum: 'turns', group: 'user', keyOf })).map(({ key, group, stratum }) =>
      [key, group, stratum].join(' '),
    ),
    [0, 1, 2, 3, 4, 5].map((it) => `a.jsonl:${it + 1} u${it % 3} 1`),
  )
  assert.throws(() => session.search('turns>=many'), RangeError)
  session.dispose()
})
