/** Settings whose answers overtake one another: the last question counts. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createConnection } from 'vscode-languageserver/node'
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import type { PartReading } from '../../core/src/internal.ts'
import { startServer } from '../../server/src/server.ts'
import { startServices } from '../../server/src/services.ts'

test('an old answer about settings does not undo a newer one', async (t) => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient))
  let release: (reading: PartReading) => void = () => assert.fail('Nothing was asked')
  let nRead = 0
  startServer(server, {
    version: undefined,
    loadServices: () => ({ startServices }),
    // The first question hangs on the disk until it is released; all others are answered at once.
    readFile: () =>
      ++nRead === 1 ? new Promise((done) => (release = done)) : Promise.resolve({ kind: 'missing' }),
  })
  const client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
  t.after(() => {
    client.dispose()
    server.dispose()
  })
  let settings: unknown = null
  client.onRequest('workspace/configuration', () => [settings])
  const refreshed = new Promise<void>((done) => {
    client.onRequest('workspace/diagnostic/refresh', () => {
      done()
      return null
    })
  })
  client.listen()
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {
      workspace: { configuration: true, diagnostics: { refreshSupport: true } },
      textDocument: { diagnostic: {} },
    },
  })
  await client.sendNotification('initialized', {})
  const uri = 'file:///a/b.ocm'
  const text = '<|im_start|>user\nHi<|im_end|>\n'
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'openchatml', version: 1, text },
  })
  const hover = () =>
    client.sendRequest('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 2 } })
  while (nRead === 0) assert.notEqual(await hover(), null)
  settings = { dialect: '2.2' }
  await client.sendNotification('workspace/didChangeConfiguration', { settings: null })
  await refreshed
  assert.equal(await hover(), null)
  release({ kind: 'missing' })
  assert.equal(await hover(), null)
  await client.sendRequest('textDocument/diagnostic', { textDocument: { uri } })
  assert.equal(await hover(), null)
})
