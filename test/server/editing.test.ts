/** The editing features of the server, as clients ask for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CodeAction, TextEdit } from 'vscode-languageserver-protocol'
import { startClient } from '../helpers/lsp-client.ts'

const loose = 'version: 2.2\n<|start|>user  <|message|>a<|end|>\n\n<|start|>user  <|message|>b<|end|>\n'
const options = { tabSize: 2, insertSpaces: true }

test('a document is formatted, or a range of it, as the settings say', async () => {
  const client = await startClient({ settings: { format: { blankLines: true } } })
  const { capabilities } = client.initializeResult ?? {}
  assert.equal(capabilities?.documentFormattingProvider, true)
  const uri = client.open(loose)
  const textDocument = { uri }
  await client.diagnostics(uri) // settings have arrived by then
  const all = await client.request<TextEdit[]>('textDocument/formatting', { textDocument, options })
  assert.deepEqual(all, [
    { range: { start: { line: 1, character: 9 }, end: { line: 1, character: 15 } }, newText: 'user' },
    { range: { start: { line: 3, character: 9 }, end: { line: 3, character: 15 } }, newText: 'user' },
  ])
  const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 30 } }
  const some = await client.request<TextEdit[]>('textDocument/rangeFormatting', {
    textDocument,
    range,
    options,
  })
  assert.deepEqual(some, all.slice(1))
  await client.stop()
})

test('a selection in a body can be wrapped in a literal block, or its tokens escaped', async () => {
  const client = await startClient()
  const uri = client.open('version: 2.2\n<|start|>user<|message|>a <|channel|> b<|end|>\n')
  const range = { start: { line: 1, character: 24 }, end: { line: 1, character: 37 } }
  const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range,
    context: { diagnostics: [], only: ['refactor'] },
  })
  assert.deepEqual(
    actions.map(({ title, kind }) => ({ title, kind })),
    [
      { title: 'Wrap in a literal block', kind: 'refactor.rewrite' },
      { title: 'Escape control tokens', kind: 'refactor.rewrite' },
    ],
  )
  await client.stop()
})
