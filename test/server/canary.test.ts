/** No log line and no error that a client would log holds a value of a document, whatever fails. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createConnection } from 'vscode-languageserver/node'
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver-protocol/node'
import { failureText, InvariantError } from '../../core/src/internal.ts'
import { ConfigurationProblems } from '../../server/src/configuration-problems.ts'
import { startServer } from '../../server/src/server.ts'
import { ServerContext } from '../../server/src/server-context.ts'
import { startServices } from '../../server/src/services.ts'
import { SettingsInForce } from '../../server/src/settings-in-force.ts'
import { Workspace } from '../../server/src/workspace.ts'
import { canary, failures, value } from '../helpers/canary.ts'
import { editorCapabilities } from '../helpers/lsp-client.ts'
import { connectInProcess } from '../helpers/server-in-process.ts'

test('an error in words has its name and its places, and no value', () => {
  for (const fail of failures) {
    let text = ''
    try {
      fail()
      continue // this engine does not mind
    } catch (error) {
      text = failureText(error)
    }
    assert.doesNotMatch(text, new RegExp(canary), text)
    assert.match(text, /^(?:\w+(?:\n {4}at .*)*)$/)
  }
  assert.match(failureText(new TypeError('x')), /^TypeError\n {4}at .*\d+:\d+/)
  assert.match(failureText(new InvariantError('a sentence of ours')), /^InvariantError: a sentence of ours\n/)
})

const document = { uri: 'untitled:a' }
const position = { line: 1, character: 3 }
const range = { start: position, end: position }
const item = { name: 'a', kind: 1, uri: document.uri, range, selectionRange: range }

const requests: Readonly<Record<string, object>> = {
  'textDocument/hover': { position },
  'textDocument/completion': { position },
  'textDocument/foldingRange': {},
  'textDocument/documentSymbol': {},
  'textDocument/selectionRange': { positions: [position] },
  'textDocument/documentHighlight': { position },
  'textDocument/definition': { position },
  'textDocument/documentLink': {},
  'textDocument/references': { position, context: { includeDeclaration: true } },
  'textDocument/prepareRename': { position },
  'textDocument/rename': { position, newName: canary },
  'textDocument/codeAction': { range, context: { diagnostics: [] } },
  'textDocument/formatting': { options: { tabSize: 2, insertSpaces: true } },
  'textDocument/rangeFormatting': { range, options: { tabSize: 2, insertSpaces: true } },
  'textDocument/onTypeFormatting': { position, ch: '\n', options: { tabSize: 2, insertSpaces: true } },
  'textDocument/linkedEditingRange': { position },
  'textDocument/codeLens': {},
  'textDocument/inlayHint': { range },
  'textDocument/prepareCallHierarchy': { position },
  'callHierarchy/incomingCalls': { item },
  'callHierarchy/outgoingCalls': { item },
  'textDocument/semanticTokens/range': { range },
  'textDocument/semanticTokens/full': {},
  'textDocument/semanticTokens/full/delta': { previousResultId: '1' },
  'textDocument/diagnostic': {},
}

const notifications: Readonly<Record<string, object>> = {
  'textDocument/didOpen': {
    textDocument: { ...document, languageId: 'openchatml', version: 1, text: value },
  },
  'textDocument/didChange': { textDocument: { ...document, version: 2 }, contentChanges: [{ text: value }] },
  'textDocument/didClose': { textDocument: document },
  'workspace/didChangeConfiguration': { settings: value },
}

test('requests and notifications that fail say nothing of the document', async (t) => {
  const client = connectInProcess(t)
  const log: string[] = []
  for (const method of ['window/logMessage', 'window/showMessage', '$/logTrace', 'telemetry/event'])
    client.onNotification(method, (params) => {
      log.push(JSON.stringify(params))
    })
  for (const method of ['workspace/configuration', 'client/registerCapability'])
    client.onRequest(method, () => null)
  client.listen()
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: editorCapabilities })
  await client.sendNotification('initialized', {})
  await client.sendNotification('$/setTrace', { value: 'verbose' })
  let fail: () => unknown = () => undefined
  const broken = () => {
    fail()
    throw new Error(value)
  }
  t.mock.method(ServerContext.prototype, 'document', broken)
  for (const method of ['open', 'change', 'close', 'configure'] as const)
    t.mock.method(Workspace.prototype, method, broken)
  t.mock.method(SettingsInForce.prototype, 'settled', broken)
  let nFailed = 0
  for (fail of failures) {
    for (const [method, params] of Object.entries(notifications))
      await client.sendNotification(method, params)
    for (const [method, params] of Object.entries(requests)) {
      const answer = await client
        .sendRequest(method, { textDocument: document, ...params })
        .catch((error: Error) => {
          nFailed++
          return error.message
        })
      assert.doesNotMatch(JSON.stringify(answer) ?? '', new RegExp(canary), method)
    }
  }
  assert.ok(nFailed > 20 * failures.length, `${nFailed} requests failed`)
  assert.ok(log.length > nFailed, `${log.length} lines`)
  assert.deepEqual(
    log.filter((it) => it.includes(canary)),
    [],
  )
})

test('messages that are not of the protocol are logged without what they say', async (t) => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient))
  startServer(server, { version: undefined, loadServices: () => ({ startServices }) })
  t.after(() => server.dispose())
  const log: string[] = []
  const reader = new StreamMessageReader(toClient)
  const isAnswered = new Promise((done) => {
    reader.listen((message) => {
      log.push(JSON.stringify(message))
      if ('id' in message) done(undefined)
    })
  })
  const words = JSON.stringify(value)
  for (const content of [
    words,
    `[${words}]`,
    `{"jsonrpc":"2.0",${words}:1}`,
    `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":${words},"data":${words}}}`,
    `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":${words}}}`,
    `{"jsonrpc":"2.0","id":${words},"result":${words}}`,
    `{"jsonrpc":"2.0","method":"textDocument/didChange","params":${words}}`,
    `{"jsonrpc":"2.0","method":"textDocument/didChange","params":[${words},${words}]}`,
    `{"jsonrpc":"2.0","method":"$/progress","params":{"token":${words},"value":${words}}}`,
    '{"jsonrpc":"2.0","id":1,"method":"shutdown"}',
  ])
    toServer.write(`Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`)
  await isAnswered
  assert.ok(log.length > 4, `${log.length} lines`)
  assert.deepEqual(
    log.filter((it) => it.includes(canary)),
    [],
  )
})

test('what is wrong with a configuration file is logged by line only', () => {
  const log: string[] = []
  const connection = { sendDiagnostics: () => Promise.resolve() } as never
  const problem = { range: { start: 3, end: 4 }, message: `Unknown key ${canary}`, isError: true }
  new ConfigurationProblems(connection, (line) => log.push(line)).found('file:///a.yaml', 'a\nb\n', [problem])
  assert.equal(log.length, 1)
  assert.match(log[0] ?? '', /^file:\/\/\/a\.yaml:2:2: /)
  assert.doesNotMatch(log[0] ?? '', new RegExp(canary))
})
