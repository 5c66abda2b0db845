/** How the server begins: it answers `initialize` before it has loaded what answers everything else, and how its messages go out. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import {
  createMessageConnection,
  type Message,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { WholeMessageWriter } from '../../server/src/message-writer.ts'

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
  assert.deepEqual(
    pieces,
    expected.map((it) => `Content-Length: ${Buffer.byteLength(it)}\r\n\r\n${it}`),
  )
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
