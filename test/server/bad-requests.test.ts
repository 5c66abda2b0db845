/** Requests that cannot be answered: about places and documents that are not there, canceled, overtaken, or garbage. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  CancellationTokenSource,
  ErrorCodes,
  LSPErrorCodes,
  type ResponseError,
} from 'vscode-languageserver-protocol'
import { LspClient, startClient } from '../helpers/lsp-client.ts'

const position = { line: 0, character: 0 }
const range = { start: position, end: position }
const options = { tabSize: 2, insertSpaces: true }
const text = 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n'

/** What is asked of a document, with what belongs to the question. */
const atPosition: readonly (readonly [method: string, more?: object])[] = [
  ['hover'],
  ['completion'],
  ['definition'],
  ['references', { context: { includeDeclaration: true } }],
  ['documentHighlight'],
  ['linkedEditingRange'],
  ['prepareRename'],
  ['rename', { newName: 'x' }],
  ['onTypeFormatting', { ch: '>', options }],
  ['prepareCallHierarchy'],
]
const inRange: typeof atPosition = [
  ['codeAction', { context: { diagnostics: [] } }],
  ['inlayHint'],
  ['rangeFormatting', { options }],
  ['semanticTokens/range'],
]
const ofWhole: typeof atPosition = [
  ['documentSymbol'],
  ['foldingRange'],
  ['documentLink'],
  ['codeLens'],
  ['diagnostic'],
  ['formatting', { options }],
  ['semanticTokens/full'],
  ['semanticTokens/full/delta', { previousResultId: '1' }],
]

/** There is nothing to rename: a full answer, and an error by the protocol. */
function isRefusal({ code }: ResponseError): boolean {
  return code === LSPErrorCodes.RequestFailed
}

describe('the server', () => {
  let client: LspClient
  before(async () => {
    client = await startClient()
  })
  after(async () => {
    assert.deepEqual(client.log, [], 'nothing of this is a failure of the server')
    assert.equal(await client.stop(), 0)
  })

  /** Asks, and expects an error of the protocol. */
  async function refused(method: string, params: unknown, code: number = ErrorCodes.InvalidParams) {
    await assert.rejects(client.request(`textDocument/${method}`, params), (error: ResponseError) => {
      assert.equal(error.code, code, `${method}: ${error.message}`)
      return true
    })
  }

  test('answers a question about a line that is not there by an error', async () => {
    const uri = client.open(text)
    for (const line of [3, 1e9, -1, Number.MAX_SAFE_INTEGER]) {
      const nowhere = { line, character: 0 }
      for (const [method, more] of atPosition) {
        await refused(method, { textDocument: { uri }, position: nowhere, ...more })
      }
      await refused('selectionRange', { textDocument: { uri }, positions: [position, nowhere] })
    }
    for (const [method, more] of inRange) {
      const nowhere = { start: { line: 9, character: 0 }, end: { line: 12, character: 0 } }
      await refused(method, { textDocument: { uri }, range: nowhere, ...more })
    }
    client.close(uri)
  })

  test('takes a place behind the end of a line, and a range that ends behind the document, as the protocol says', async () => {
    const uri = client.open(text)
    for (const [method, more] of atPosition) {
      const behind = { line: 1, character: 1e6 }
      const request = client.request(`textDocument/${method}`, {
        textDocument: { uri },
        position: behind,
        ...more,
      })
      if (method === 'rename') await assert.rejects(request, isRefusal)
      else await request
    }
    for (const [method, more] of inRange) {
      const all = { start: position, end: { line: 1e6, character: 0 } }
      await client.request(`textDocument/${method}`, { textDocument: { uri }, range: all, ...more })
    }
    client.close(uri)
  })

  test('answers any question about a document that is closed, or never was open, by an error', async () => {
    const closed = client.open(text)
    client.close(closed)
    for (const uri of [closed, 'file:///nowhere.ocm']) {
      const textDocument = { uri }
      for (const [method, more] of atPosition) await refused(method, { textDocument, position, ...more })
      for (const [method, more] of inRange) await refused(method, { textDocument, range, ...more })
      for (const [method, more] of ofWhole) await refused(method, { textDocument, ...more })
      await refused('selectionRange', { textDocument, positions: [position] })
    }
  })

  test('answers garbage by an error', async () => {
    const uri = client.open(text)
    for (const [method, more] of [...atPosition, ...inRange]) {
      await refused(method, {})
      await refused(method, null)
      await refused(method, { textDocument: { uri }, ...more })
      await refused(method, { textDocument: { uri }, position: {}, range: {}, ...more })
      const words = { line: 'a', character: null }
      const wordsRange = { start: words, end: words }
      await refused(method, { textDocument: { uri }, position: words, range: wordsRange, ...more })
    }
    for (const [method, rest] of [
      ['references', { position }],
      ['rename', { position }],
      ['codeAction', { range }],
      ['selectionRange', {}],
      ['semanticTokens/full/delta', {}],
    ] as const) {
      await refused(method, { textDocument: { uri }, ...rest })
    }
    await assert.rejects(client.request('workspace/symbol', {}), { code: ErrorCodes.InvalidParams })
    await refused('nothing', { textDocument: { uri } }, ErrorCodes.MethodNotFound)
    client.close(uri)
  })

  test('answers every canceled question by an error, never by an empty result', async () => {
    const uri = client.open(text)
    for (const [method, more] of [...atPosition, ...inRange, ...ofWhole]) {
      const source = new CancellationTokenSource()
      const params = { textDocument: { uri }, position, range, ...more }
      // The cancellation is on its way before the server reads the question, or while it works.
      const request = client.request(`textDocument/${method}`, params, source.token)
      source.cancel()
      const outcome = await request.then(
        () => 'answered',
        (error: ResponseError) => error.code,
      )
      // One that was answered before the cancellation came has its full answer.
      const known = ['answered', LSPErrorCodes.RequestCancelled, LSPErrorCodes.RequestFailed]
      assert.ok(known.includes(outcome), `${method}: ${outcome}`)
    }
    client.close(uri)
  })

  test('answers a question that the closing of its document overtakes by an error', async () => {
    const uri = client.open(text + '<|start|>user<|message|>Hi\nthere<|end|>\n'.repeat(50_000))
    const requests = ['documentSymbol', 'foldingRange', 'semanticTokens/full'].map((method) =>
      client.request(`textDocument/${method}`, { textDocument: { uri } }).then(
        () => undefined,
        (error: ResponseError) => error.code,
      ),
    )
    client.close(uri)
    for (const code of await Promise.all(requests)) {
      const known: (number | undefined)[] = [
        undefined,
        LSPErrorCodes.ContentModified,
        ErrorCodes.InvalidParams,
      ]
      assert.ok(known.includes(code), `${code}`)
    }
  })
})

test('requests before the first one, a second first one, and requests after the last one', async () => {
  const client = new LspClient({})
  const initialize = { processId: null, rootUri: null, capabilities: {} }
  const refusedAs = (code: number) => (error: ResponseError) => error.code === code
  const hover = { textDocument: { uri: 'untitled:a' }, position }
  await assert.rejects(
    client.request('textDocument/hover', hover),
    refusedAs(ErrorCodes.ServerNotInitialized),
  )
  await client.request('initialize', initialize)
  client.notify('initialized', {})
  await assert.rejects(client.request('initialize', initialize), refusedAs(ErrorCodes.InvalidRequest))
  await assert.rejects(client.request('textDocument/nothing', hover), refusedAs(ErrorCodes.MethodNotFound))
  client.open(text, 'untitled:a')
  await client.request('textDocument/hover', hover)
  await client.request('shutdown', undefined)
  await assert.rejects(client.request('textDocument/hover', hover), refusedAs(ErrorCodes.InvalidRequest))
  assert.equal(await client.exit(), 0)
})
