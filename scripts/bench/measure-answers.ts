/**
 * Measures how long our server takes to answer what editors ask while someone writes: completion, hover and the outline
 * of a large transcript, each right after a keystroke. What the transport alone takes is measured with a server that has the
 * same answer ready and only sends it.
 */
import { TextDocument } from 'vscode-languageserver-textdocument'
import { mixedCorpus } from './corpus.ts'
import { median, milliseconds, percentile } from './measuring.ts'
import { type Assignment, assignment, atMost, report } from './row.ts'
import { type Position, Session } from './server-session.ts'

const settings: Assignment = assignment()
const megabytes = 10
const frame = 16 // milliseconds: what comes within one is there at once
const rounds = settings.isQuick ? 60 : 200

const { ocm, messageCount } = mixedCorpus(megabytes * 1e6)
const text = TextDocument.create('file:///text', 'text', 1, ocm)
const inBody = positionBehind('<|start|>assistant<|channel|>final<|message|>')
const inHeader = positionBehind('<|start|>assistant<|channel|>')

/** What is asked; the outline knows no place. */
const questions = [
  { what: 'Completion in a header', method: 'textDocument/completion', position: inHeader },
  { what: 'Completion in a body', method: 'textDocument/completion', position: behind(inBody, 1) },
  { what: 'Hover', method: 'textDocument/hover', position: behind(inHeader, -1) },
  { what: 'Outline', method: 'textDocument/documentSymbol', position: undefined },
] as const

const server = new Session(settings.server, 'openchatml')
const sender = new Session(settings.storeServer, 'openchatml')
await Promise.all([server.initialize(), sender.initialize()])
await server.open(ocm)

for (const { what, method, position } of questions) {
  const spent: number[] = []
  const sent: number[] = []
  for (let round = 0; round < rounds; round++) {
    await server.type({ ...inBody, text: 'x' })
    const answer = await server.ask(method, position && { position })
    if (!answer.result) throw new Error(`${method} is answered by nothing`)
    spent.push(answer.spent)
    sender.tell('bench/answer', { answer: answer.result })
    sent.push((await sender.ask('bench/answer')).spent)
  }
  // The two take turns, so a busy moment of the machine meets both.
  const [p95, floor] = [percentile(spent, 95), percentile(sent, 95)]
  report({
    what: `${what}, ${megabytes} MB, ${messageCount.toLocaleString('en-US')} messages`,
    ours: `p50 ${milliseconds(median(spent))}, p95 ${milliseconds(p95)}`,
    peers: `transport alone p50 ${milliseconds(median(sent))}, p95 ${milliseconds(floor)}`,
    ...atMost(p95 - floor, frame, milliseconds),
  })
}
await Promise.all([server.close(), sender.close()])

/** The place after the first `words` in the second half of the conversation. */
function positionBehind(words: string): Position {
  return text.positionAt(ocm.indexOf(words, ocm.length / 2) + words.length)
}

function behind({ line, character }: Position, distance: number): Position {
  return { line, character: character + distance }
}
