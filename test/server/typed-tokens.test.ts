/** Diagnostics while a control token is typed: nothing appears that the next character takes away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CancellationTokenSource, LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol/node'
import { editorCapabilities, type LspClient, startClient } from '../helpers/lsp-client.ts'

const answer = '<|start|>assistant<|channel|>final<|message|>Hello<|end|>\n'
const transcript = `version: 2.2\n${answer}${answer}`
const behindHello = { line: 1, character: answer.indexOf('<|end|>') }
const betweenMessages = { line: 2, character: 0 }

interface Published {
  readonly uri: string
  readonly version: number
  readonly diagnostics: readonly { readonly data: { readonly rule: string } }[]
}

/** Types `text` at `place`, one change per character. */
function type(client: LspClient, uri: string, { line, character }: typeof behindHello, text: string): void {
  for (let index = 0; index < text.length; index++) {
    const cursor = { line, character: character + index }
    client.change(uri, { range: { start: cursor, end: cursor }, text: text.charAt(index) })
  }
}

function startPushed(): Promise<LspClient> {
  const { diagnostic: _, ...textDocument } = editorCapabilities.textDocument ?? {}
  return startClient({ capabilities: { textDocument } })
}

function published(client: LspClient, uri: string): Promise<Published> {
  return client.notification<Published>('textDocument/publishDiagnostics', (it) => it.uri === uri)
}

for (const [what, place, token] of [
  ['in front of a message', betweenMessages, '<|start|>'],
  ['at the end of a body', behindHello, '<|call|>'],
] as const) {
  test(`a client that is told hears of a token typed ${what} when it is complete`, async () => {
    const client = await startPushed()
    const uri = client.open(transcript)
    const { version } = await published(client, uri)
    type(client, uri, place, token)
    const next = await published(client, uri)
    assert.equal(next.version, version + token.length)
    assert.notDeepEqual(next.diagnostics, [])
    assert.equal(await client.stop(), 0)
  })
}

test('a client that is told hears of a token that nobody completes', async () => {
  const client = await startPushed()
  const uri = client.open(transcript)
  assert.deepEqual((await published(client, uri)).diagnostics, [])
  type(client, uri, behindHello, '<')
  const { diagnostics } = await published(client, uri)
  assert.deepEqual(
    diagnostics.map(({ data }) => data.rule),
    ['truncated-message'],
  )
  assert.equal(await client.stop(), 0)
})

test('a client that asks is answered when the next character has decided, or when none comes', async () => {
  const client = await startClient()
  const uri = client.open(transcript)
  const before = await client.pull(uri)
  assert.deepEqual(before.kind === 'full' && before.items, [])
  type(client, uri, behindHello, '<')
  const overtaken = client.pull(uri, before.resultId)
  const isAskedAgain = assert.rejects(overtaken, (error: ResponseError) => {
    assert.equal(error.code, LSPErrorCodes.ServerCancelled)
    return true
  })
  type(client, uri, { ...behindHello, character: behindHello.character + 1 }, 'b')
  assert.deepEqual(await client.pull(uri, before.resultId), { kind: 'unchanged', resultId: before.resultId })
  await isAskedAgain
  type(client, uri, { ...behindHello, character: behindHello.character + 2 }, '<')
  const after = await client.pull(uri, before.resultId)
  assert.equal(after.kind === 'full' && after.items.length, 1)
  assert.equal(await client.stop(), 0)
})

test('a question about a token that is being typed can be taken back', async () => {
  const client = await startClient()
  const uri = client.open(transcript)
  await client.pull(uri)
  type(client, uri, behindHello, '<')
  const source = new CancellationTokenSource()
  const params = { textDocument: { uri } }
  const request = client.request('textDocument/diagnostic', params, source.token)
  source.cancel()
  await assert.rejects(request, (error: ResponseError) => {
    assert.ok(error instanceof ResponseError)
    assert.equal(error.code, LSPErrorCodes.RequestCancelled)
    return true
  })
  assert.equal(await client.stop(), 0)
})
