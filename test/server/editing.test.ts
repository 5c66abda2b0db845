/** The editing features of the server, as clients ask for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  CodeAction,
  CodeLens,
  InlayHint,
  LinkedEditingRanges,
  SemanticTokens,
  SemanticTokensDelta,
  SymbolInformation,
  TextEdit,
} from 'vscode-languageserver-protocol'
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

test('channels that are not written and answers of calls are shown, unless a setting says no', async () => {
  const text = `version: 2.2
<|start|>developer<|message|>namespace functions { type f = () => any; }<|end|>
<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|>
<|start|>assistant<|message|>Done<|end|>
`
  const client = await startClient()
  const uri = client.open(text)
  const params = {
    textDocument: { uri },
    range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } },
  }
  const hints = async () => {
    const found = await client.request<InlayHint[]>('textDocument/inlayHint', params)
    return found.map(({ position, label }) => `${position.line}:${position.character} ${label}`)
  }
  const lenses = async () => (await client.request<CodeLens[]>('textDocument/codeLens', params)).length
  await client.diagnostics(uri)
  assert.deepEqual(await hints(), ['2:85 no reply', '3:18 final'])
  assert.equal(await lenses(), 1)
  client.configure({ inlayHints: { calls: false, channels: true }, codeLens: false })
  await client.diagnostics(uri)
  assert.deepEqual(await hints(), ['3:18 final'])
  assert.equal(await lenses(), 0)
  client.configure({ inlayHints: { calls: false, channels: false } })
  await client.diagnostics(uri)
  assert.deepEqual(await hints(), [])
  await client.stop()
})

test('a client that takes no ranges gets all semantic tokens, and then what changed', async () => {
  const client = await startClient({ capabilities: {} })
  const { capabilities } = client.initializeResult ?? {}
  assert.deepEqual(capabilities?.semanticTokensProvider?.full, { delta: true })
  const uri = client.open('<|start|>user<|message|>a<|end|>\n<|start|>user<|message|>b<|end|>\n')
  const textDocument = { uri }
  const full = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument })
  const place = { line: 1, character: 9 }
  client.change(uri, { range: { start: place, end: { line: 1, character: 13 } }, text: 'assistant' })
  const delta = await client.request<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', {
    textDocument,
    previousResultId: full.resultId,
  })
  assert.ok(delta.edits && delta.edits.length === 1)
  const patched = [...full.data]
  for (const { start, deleteCount, data = [] } of delta.edits) patched.splice(start, deleteCount, ...data)
  const fresh = await client.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument })
  assert.deepEqual(patched, fresh.data)
  assert.ok((delta.edits[0]?.data?.length ?? 0) < fresh.data.length)
  const unknown = await client.request<SemanticTokens>('textDocument/semanticTokens/full/delta', {
    textDocument,
    previousResultId: 'x',
  })
  assert.deepEqual(unknown.data, fresh.data)
  await client.stop()
})

test('a literal block is closed as it is typed, ids change together, tools are found from anywhere', async () => {
  const client = await startClient()
  const { capabilities } = client.initializeResult ?? {}
  assert.deepEqual(capabilities?.documentOnTypeFormattingProvider, { firstTriggerCharacter: '>' })
  const uri = client.open(`version: 2.2
<|start|>developer<|message|>namespace functions { type f = () => any; }<|end|>
<|start|>user<|message|><|literal|><|end|>
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>{}<|end|>
`)
  const textDocument = { uri }
  const position = { line: 2, character: 35 }
  const params = { textDocument, position, ch: '>', options }
  assert.deepEqual(await client.request<TextEdit[]>('textDocument/onTypeFormatting', params), [
    { range: { start: position, end: position }, newText: '<|endliteral|>' },
  ])
  const linked = await client.request<LinkedEditingRanges>('textDocument/linkedEditingRange', {
    textDocument,
    position: { line: 3, character: 43 },
  })
  assert.deepEqual(
    linked.ranges.map(({ start }) => [start.line, start.character]),
    [
      [3, 42],
      [4, 39],
    ],
  )
  const found = await client.request<SymbolInformation[]>('workspace/symbol', { query: 'f' })
  assert.deepEqual(
    found.map(({ name, location }) => [name, location.uri, location.range.start.line]),
    [['functions.f', uri, 1]],
  )
  await client.stop()
})

test('a header is inserted and converted by actions, where they are asked for', async () => {
  const client = await startClient()
  const titles = async (text: string, line: number, only?: readonly string[]) => {
    const uri = client.open(text)
    const at = { line, character: 0 }
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: at, end: at },
      context: { diagnostics: [], ...(only && { only }) },
    })
    return actions.filter(({ kind }) => kind === 'refactor.rewrite.header').map(({ title }) => title)
  }
  const message = '<|start|>user<|message|>a<|end|>\n'
  assert.deepEqual(await titles(message, 0, ['refactor']), [
    'Insert a header with version 2.2',
    'Insert a header with version 2.2 and its capabilities',
    'Insert a header with version 2.2 and the Harmony profile',
  ])
  assert.deepEqual(await titles(`version: 2.0\n\n${message}`, 0, ['refactor.rewrite']), [
    'Declare version 2.2 in the header',
    'Complete the header with the capabilities of version 2.2',
    'Complete the header with the Harmony profile',
    'Put the header between fences',
  ])
  assert.deepEqual(await titles(message, 0), [])
  assert.deepEqual(await titles(`version: 2.2\n${message}${message}`, 2, ['refactor']), [])
  const uri = client.open(`verson: 2.2\n${message}`)
  const at = { line: 0, character: 2 }
  const [fix] = await client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: at, end: at },
    context: { diagnostics: [], only: ['quickfix'] },
  })
  // The header without version is a problem, and its key a slip.
  assert.ok(fix)
  await client.stop()
})
