/** How the server begins: it answers `initialize` before it has loaded what answers everything else. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'

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
