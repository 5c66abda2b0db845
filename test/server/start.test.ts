/** How the server begins: it answers `initialize` before it has loaded what answers everything else, and how its messages go out. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  createMessageConnection,
  type Message,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { WholeMessageWriter } from '../../server/src/message-writer.ts'
import { loadedFilesIn, reportsLoadedFiles } from '../helpers/loaded-files.ts'

const folder = join('dist', 'server')

test('what a client waits for first holds no parser and no rules', () => {
  const first = statSync(join(folder, 'node.js')).size
  assert.ok(first < 50_000, `${first} bytes are read before the server answers`)
  assert.ok(first < statSync(join(folder, 'services.js')).size / 10)
})

test('a client that does not wait for the first answer is served', async () => {
  const server = spawn(process.execPath, [join(folder, 'node.js'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const client = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  )
  client.listen()
  const uri = 'file:///a.ocm'
  const text = 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n'
  const initialized = client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })
  void client.sendNotification('initialized', {})
  void client.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'openchatml', version: 1, text },
  })
  const hover = client.sendRequest('textDocument/hover', {
    textDocument: { uri },
    position: { line: 1, character: 2 },
  })
  assert.match(JSON.stringify(await initialized), /hoverProvider/)
  assert.match(JSON.stringify(await hover), /Opens a message/)
  await client.sendRequest('shutdown')
  const ended = new Promise((done) => server.once('exit', done))
  void client.sendNotification('exit')
  assert.equal(await ended, 0)
  client.dispose()
})

test('a transcript that is opened at the start waits for nothing that only others need', async () => {
  const server = spawn(process.execPath, [...reportsLoadedFiles, join(folder, 'node.js'), '--stdio'])
  const report = textOf(server.stderr)
  const uri = 'file:///a.ocm'
  const text = 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n'
  /** What is sent in one piece when the answer before it is there. */
  const turns = [
    [{ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } }],
    [
      { method: 'initialized', params: {} },
      {
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'openchatml', version: 1, text } },
      },
      { id: 2, method: 'textDocument/diagnostic', params: { textDocument: { uri } } },
    ],
    [{ id: 3, method: 'shutdown' }, { method: 'exit' }],
  ].map((messages) => messages.map((it) => framed(JSON.stringify({ jsonrpc: '2.0', ...it }))).join(''))
  let answers = ''
  server.stdin.write(turns[0])
  for (let turn = 1; turn < turns.length; turn++) {
    while (!answers.includes(`"id":${turn},`)) answers += (await once(server.stdout, 'data'))[0]
    server.stdin.write(turns[turn])
  }
  assert.match(answers, /"id":2,"result":\{"kind":"full"/)
  assert.deepEqual(
    loadedFilesIn(await report).filter((it) => dirname(it) === 'parsers'),
    [join('parsers', 'yaml.js')],
  )
})

test('a message goes out in one piece, and in its turn', async () => {
  const pieces: string[] = []
  const output = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece.toString())
      setImmediate(done)
    },
  })
  const writer = new WholeMessageWriter(output)
  const bodies = ['a', 'é'.repeat(40_000), '']
  await Promise.all(bodies.map((method) => writer.write({ jsonrpc: '2.0', method } as Message)))
  const expected = bodies.map((method) => JSON.stringify({ jsonrpc: '2.0', method }))
  assert.deepEqual(pieces, expected.map(framed))
})

test('a client that is gone ends the writing', async () => {
  const output = new Writable({ write: (_piece, _encoding, done) => done(new Error('EPIPE')) })
  const writer = new WholeMessageWriter(output)
  const errors: string[] = []
  writer.onError(([{ message }]) => errors.push(message))
  const closed = new Promise<void>((done) => writer.onClose(done))
  await assert.rejects(writer.write({ jsonrpc: '2.0', method: 'a' } as Message), /EPIPE/)
  await closed
  assert.ok(errors.includes('EPIPE'))
})

test('what other code prints is no part of a message', async () => {
  const noise = `console.log('noise'); process.stdout.write('noise')`
  const program = `require(${JSON.stringify(resolve(folder, 'node.js'))}); ${noise}`
  const server = spawn(process.execPath, ['-e', program, '--', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  server.stdout.on('data', (piece: Buffer) => {
    output += piece.toString()
  })
  const client = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  )
  client.listen()
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })
  await client.sendRequest('shutdown')
  const ended = new Promise((done) => server.once('close', done))
  void client.sendNotification('exit')
  await ended
  client.dispose()
  assert.match(output, /^Content-Length: /)
  assert.doesNotMatch(output, /noise/)
})

function framed(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
