/** Measures our server on standard input and output compared with servers that do less and one that does the same for JSON. */
import { TextDocument } from 'vscode-languageserver-textdocument'
import { type Corpus, mixedCorpus } from './corpus.ts'
import { givenCorpus } from './given-corpus.ts'
import { median, megabytesOf, million, milliseconds, percentile, times } from './measuring.ts'
import { type Assignment, assignment, atMost, report } from './row.ts'
import { type Position, Session } from './server-session.ts'

const settings: Assignment = assignment()
const { isQuick } = settings
const sizes = isQuick ? [1, 10] : [1, 10, 50]
const openedSizes = isQuick ? [0.1, 1, 10] : [0.1, 1, 10, 50]

/** The servers in a race. */
interface Contestant {
  readonly program: string
  readonly languageId: 'openchatml' | 'json'
  /** Roughly how long a keystroke takes per megabyte, in milliseconds: who is slow types less. */
  readonly slowness: number
}

const contestants = {
  ours: { program: settings.server, languageId: 'openchatml', slowness: 0 },
  store: { program: settings.storeServer, languageId: 'openchatml', slowness: 0 },
  textDocuments: { program: settings.textDocumentServer, languageId: 'openchatml', slowness: 1 },
  json: { program: settings.jsonServer, languageId: 'json', slowness: 20 },
} satisfies Record<string, Contestant>
type Name = keyof typeof contestants
const names = Object.keys(contestants) as Name[]
type PerServer<Value> = Record<Name, Value>

function perServer<Value>(make: (name: Name) => Value): PerServer<Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as PerServer<Value>
}

/** Where it is typed. */
const places = ['top', 'middle', 'end'] as const
type Place = (typeof places)[number]

/** The median of our keystrokes at 1 MB, by place: what the other sizes are compared with. */
const smallest = new Map<Place, number>()

if (settings.corpus === undefined) {
  await measureStart()
  await measureLimit()
}
for (const size of openedSizes) await measureSize(size)

async function measureStart(): Promise<void> {
  const spans = perServer((): number[] => [])
  for (let round = 0; round < (isQuick ? 5 : 15); round++) {
    for (const name of names) {
      const begun = performance.now()
      const session = await start(name)
      spans[name].push(performance.now() - begun)
      await session.close()
    }
  }
  const spent = perServer((name) => median(spans[name]))
  report({
    what: 'Spawn to initialized',
    ours: milliseconds(spent.ours),
    peers: `JSON server ${milliseconds(spent.json)}, store-only ${milliseconds(spent.store)}`,
    ...atMost(spent.ours / spent.json, 1, times),
  })
}

/** Opens a text of which every message has a mistake. */
async function measureLimit(): Promise<void> {
  const mistakes = 5000
  const session = await start('ours')
  await session.open('<|start|>user<|message|>cut off'.repeat(mistakes))
  const { result } = await session.ask('textDocument/diagnostic')
  await session.close()
  const { items } = result as { readonly items: readonly { readonly message: string }[] }
  report({
    what: `Diagnostics sent for ${mistakes} messages with a mistake`,
    ours: `${items.length}, the last one: “${items.at(-1)?.message}”`,
    ...atMost(items.length, 1000, String),
  })
}

async function measureSize(size: number): Promise<void> {
  const { corpus: folder } = settings
  const corpus = folder === undefined ? mixedCorpus(size * million) : givenCorpus(folder, size * million)
  const sessions = await measureOpening(size, corpus)
  if (sizes.includes(size) && folder === undefined) {
    for (const place of places) await measureTyping(size, place, corpus, sessions)
    await measureBurst(size, corpus, sessions)
  }
  for (const name of names) await sessions[name].close()
}

/** Opens the conversation in every server; answers the sessions of the last round. */
async function measureOpening(size: number, corpus: Corpus): Promise<PerServer<Session>> {
  const spans = perServer((): number[] => [])
  const worked = perServer((): number[] => [])
  const grown = perServer((): number[] => [])
  const sessions = perServer((): Session | undefined => undefined)
  for (let round = 0; round < (isQuick ? 2 : 5); round++) {
    for (const name of names) {
      await sessions[name]?.close()
      await Promise.all(Object.values(sessions).map((it) => it?.rest()))
      const session = await start(name)
      sessions[name] = session
      const idle = session.memory()
      const spentBefore = session.spent()
      spans[name].push(await session.open(textFor(name, corpus)))
      const spentAfter = session.spent()
      if (spentBefore !== undefined && spentAfter !== undefined) worked[name].push(spentAfter - spentBefore)
      const opened = session.memory()
      if (idle && opened) grown[name].push(opened.peak - idle.now)
    }
  }
  const spent = perServer((name) => median(spans[name]))
  const what = `${size} MB${settings.corpus === undefined ? '' : ' of given conversations'}`
  report({
    what: `Open to complete diagnostics, ${what}`,
    ours: milliseconds(spent.ours),
    peers: showPeers(spent, milliseconds),
    ...atMost(spent.ours / spent.json, 1, times),
  })
  if (worked.ours.length > 0) {
    const busy = perServer((name) => median(worked[name]))
    report({
      what: `Processor time of that, all threads, ${what}`,
      ours: milliseconds(busy.ours),
      peers: showPeers(busy, milliseconds),
    })
  }
  const peak = perServer((name) => median(grown[name]))
  const largest = sizes.at(-1)
  if (settings.corpus === undefined && size === largest && grown.ours.length > 0) {
    report({
      what: `Peak of the server above idle, ${size} MB`,
      ours: megabytesOf(peak.ours),
      peers: showPeers(peak, megabytesOf),
      ...atMost(peak.ours, (8 * size + 80) * million, megabytesOf),
    })
  }
  return sessions as PerServer<Session>
}

async function measureTyping(
  size: number,
  place: Place,
  corpus: Corpus,
  sessions: PerServer<Session>,
): Promise<void> {
  const spans = perServer((): number[] => [])
  const at = perServer((name) => ({ ...positionOf(place, name, corpus) }))
  const rounds = 4
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const strokes = strokesOf(name, size)
      await Promise.all(names.map((it) => sessions[it].rest()))
      for (let stroke = 0; stroke < strokes; stroke++) {
        spans[name].push(await sessions[name].type({ ...at[name], text: 'x' }))
        at[name].character++
      }
    }
  }
  const p50 = perServer((name) => median(spans[name]))
  const p95 = percentile(spans.ours, 95)
  const ratio = p50.ours / p50.store
  report({
    what: `Keystroke to fresh diagnostics, ${size} MB, ${place}`,
    ours: `p50 ${milliseconds(p50.ours)}, p95 ${milliseconds(p95)}`,
    peers: showPeers(p50, milliseconds),
    figure: `${times(ratio)}, p95 ${milliseconds(p95)}`,
    target: '≤ 4 ×, p95 < 5 ms',
    isReached: ratio <= 4 && p95 < 5,
  })
  const atSmallest = smallest.get(place)
  if (atSmallest === undefined) {
    smallest.set(place, p50.ours)
    return
  }
  report({
    what: `Keystroke, ${size} MB against ${sizes[0]} MB, ${place}`,
    ours: `${milliseconds(p50.ours)} against ${milliseconds(atSmallest)}`,
    ...atMost(p50.ours, 1.5 * atSmallest + 0.3, milliseconds),
  })
}

async function measureBurst(size: number, corpus: Corpus, sessions: PerServer<Session>): Promise<void> {
  const edits = 50
  const spans = perServer((): number[] => [])
  for (let round = 0; round < (isQuick ? 3 : 7); round++) {
    for (const name of names) {
      if (name === 'json' && round > 1) continue
      await Promise.all(names.map((it) => sessions[it].rest()))
      const { line, character } = positionOf('middle', name, corpus)
      const typed = Array.from({ length: edits }, (_, index) => ({
        line,
        character: character + index,
        text: 'y',
      }))
      spans[name].push(await sessions[name].type(...typed))
    }
  }
  const spent = perServer((name) => median(spans[name]))
  report({
    what: `Burst of ${edits} edits, then diagnostics, ${size} MB`,
    ours: milliseconds(spent.ours),
    peers: showPeers(spent, milliseconds),
    ...atMost(spent.ours, 25, milliseconds),
  })
}

async function start(name: Name): Promise<Session> {
  const { program, languageId } = contestants[name]
  const session = new Session(program, languageId)
  await session.initialize()
  return session
}

function textFor(name: Name, corpus: Corpus): string {
  return contestants[name].languageId === 'json' ? corpus.json : corpus.ocm
}

function strokesOf(name: Name, size: number): number {
  const most = isQuick ? 20 : 60
  const budget = isQuick ? 500 : 2000 // milliseconds a round
  const slowness = contestants[name].slowness * size
  return slowness === 0 ? most : Math.max(2, Math.min(most, Math.round(budget / slowness)))
}

/** A place inside the prose of an answer. */
function positionOf(place: Place, name: Name, corpus: Corpus): Position {
  const text = textFor(name, corpus)
  const isJson = contestants[name].languageId === 'json'
  const opening = isJson
    ? '"role":"assistant","channel":"final","content":"'
    : '<|start|>assistant<|channel|>final<|message|>'
  const offset = { top: text.indexOf(opening), middle: text.indexOf(opening, text.length / 2) }
  const found = place === 'end' ? text.lastIndexOf(opening) : offset[place]
  return TextDocument.create('file:///text', 'text', 1, text).positionAt(found + opening.length)
}

function showPeers(values: PerServer<number>, show: (value: number) => string): string {
  return [
    `store-only ${show(values.store)}`,
    `TextDocuments ${show(values.textDocuments)}`,
    `JSON server ${show(values.json)}`,
  ].join(', ')
}
