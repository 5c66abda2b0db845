/** The server as editors other than VS Code use it: nothing is registered later, nothing is pulled, no snippets. */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type {
  ClientCapabilities,
  CompletionItem,
  PublishDiagnosticsParams,
  TextEdit,
} from 'vscode-languageserver-protocol'
import { startClient } from '../helpers/lsp-client.ts'

/** What the plainest of these editors say of themselves. */
const capabilities: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: { applyEdit: true },
  textDocument: {
    synchronization: { dynamicRegistration: false, didSave: true },
    publishDiagnostics: { relatedInformation: true },
    completion: { dynamicRegistration: false, completionItem: { snippetSupport: false } },
    hover: { dynamicRegistration: false, contentFormat: ['markdown', 'plaintext'] },
    formatting: { dynamicRegistration: false },
  },
}

test('diagnostics are pushed, completion is plain, formatting works, and nothing is logged', async () => {
  const client = await startClient({
    capabilities,
    initializationOptions: { settings: { format: { blankLines: true } } },
    command: [process.execPath, resolve('dist/cli/ocm.js'), 'lsp', '--stdio'],
  })
  assert.equal(client.initializeResult?.capabilities.positionEncoding, 'utf-16')
  const uri = client.open(
    'version: 2.2\n<|start|>user<|message|>😀 <|channel|><|end|>\n<|start|>assistant<|channel|>final<|message|>Hi<|end|>\n',
  )
  const { diagnostics } = await client.notification<PublishDiagnosticsParams>(
    'textDocument/publishDiagnostics',
    (it) => it.diagnostics.length > 0,
  )
  assert.deepEqual(
    diagnostics.map(({ code, range }) => [code, range.start, range.end]),
    [['W-TOKEN-IN-BODY', { line: 1, character: 27 }, { line: 1, character: 38 }]],
  )
  const textDocument = { uri }
  const items = await client.request<CompletionItem[]>('textDocument/completion', {
    textDocument,
    position: { line: 2, character: 29 },
  })
  assert.ok(items.length > 0)
  assert.ok(items.every(({ insertTextFormat }) => insertTextFormat !== 2))
  const options = { tabSize: 2, insertSpaces: true }
  const edits = await client.request<TextEdit[]>('textDocument/formatting', { textDocument, options })
  assert.deepEqual(
    edits.map(({ newText }) => newText),
    ['\n\n'],
  )
  assert.equal(await client.stop(), 0)
  assert.deepEqual(client.log, [])
})

test('a client that writes null for what it lacks is served', async () => {
  const nothing = { diagnostic: null, codeAction: null, semanticTokens: null, foldingRange: null }
  // Not what the protocol allows, so no value of its types.
  const said = { workspace: null, textDocument: nothing } as unknown as ClientCapabilities
  const client = await startClient({ capabilities: said })
  const uri = client.open('version: 2.2\n<|start|>user<|message|><|channel|><|end|>\n')
  await client.notification<PublishDiagnosticsParams>(
    'textDocument/publishDiagnostics',
    (it) => it.uri === uri && it.diagnostics.length > 0,
  )
  assert.equal(await client.stop(), 0)
  assert.deepEqual(client.log, [])
})

test('settings of the start hold where the editor has no others when it is asked', async () => {
  const client = await startClient({
    capabilities: { ...capabilities, workspace: { configuration: true } },
    initializationOptions: { settings: { format: { blankLines: true } } },
    settings: null,
  })
  const message = '<|start|>user<|message|>a<|end|>\n'
  const uri = client.open(`version: 2.2\n${message}${message}`)
  // At once: the server waits for the answer of the editor before it formats.
  const options = { tabSize: 2, insertSpaces: true }
  const edits = await client.request<TextEdit[]>('textDocument/formatting', {
    textDocument: { uri },
    options,
  })
  assert.deepEqual(
    edits.map(({ newText }) => newText),
    ['\n\n'],
  )
  await client.stop()
})
