/** Token counts, as clients meet them: behind messages where the setting asks for them, and in the status. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InlayHint } from 'vscode-languageserver-protocol'
import { startClient } from '../helpers/lsp-client.ts'

const text = `version: 2.2
<|start|>user<|message|>What is 2 + 2?<|end|>
<|start|>assistant<|channel|>analysis<|message|>Simple arithmetic.<|end|>
<|start|>assistant<|channel|>final<|message|>4.<|return|>
`
const whole = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } }

test('each message says how many tokens it has, once that is asked for', async () => {
  const client = await startClient({ settings: { inlayHints: { tokens: true } } })
  const uri = client.open(text)
  await client.diagnostics(uri) // settings have arrived by then
  const hints = async () => {
    const found = await client.request<InlayHint[]>('textDocument/inlayHint', {
      textDocument: { uri },
      range: whole,
    })
    return found.map(({ position, label }) => `${position.line}:${position.character} ${label}`)
  }
  assert.deepEqual(await hints(), ['1:45 12 tokens', '2:73 9 tokens', '3:57 8 tokens'])
  client.change(uri, {
    range: { start: { line: 1, character: 24 }, end: { line: 1, character: 38 } },
    text: '',
  })
  assert.deepEqual(await hints(), ['1:31 4 tokens', '2:73 9 tokens', '3:57 8 tokens'])
  client.configure({})
  await client.diagnostics(uri)
  assert.deepEqual(await hints(), [])
  assert.deepEqual(client.log, [])
  await client.stop()
})

test('texts are counted for a client that shows what a model would be sent', async () => {
  const client = await startClient({})
  const uri = client.open(text)
  await client.diagnostics(uri)
  const counts = await client.request('openchatml.countTexts', { texts: ['What is 2 + 2?', '', '<|end|>'] })
  assert.deepEqual(counts, [8, 0, 5])
  await client.stop()
})

test('a hint holds numbers alone, nothing that a message says', async () => {
  const client = await startClient({ settings: { inlayHints: { tokens: true } } })
  const uri = client.open(text)
  await client.diagnostics(uri)
  const found = await client.request<InlayHint[]>('textDocument/inlayHint', {
    textDocument: { uri },
    range: whole,
  })
  for (const { label, tooltip } of found) {
    assert.doesNotMatch(JSON.stringify({ label, tooltip }), /arithmetic|Simple|What/)
  }
  await client.stop()
})

interface Status {
  readonly uri: string
  readonly tokens?: number
}

test('the status tells the total, and again after an edit', async () => {
  const client = await startClient({ initializationOptions: { status: true } })
  const uri = client.open(text)
  const total = (wanted: number) =>
    client.notification<Status>('openchatml.status', (it) => it.uri === uri && it.tokens === wanted)
  await total(29)
  client.change(uri, {
    range: { start: { line: 1, character: 24 }, end: { line: 1, character: 38 } },
    text: '',
  })
  await total(21)
  assert.deepEqual(client.log, [])
  await client.stop()
})

test('a client without interest in the status, or with the setting off, makes nobody count', async () => {
  const client = await startClient({
    initializationOptions: { status: true },
    settings: { tokenCount: false },
  })
  const uri = client.open(text)
  const status = await client.notification<Status>('openchatml.status', (it) => it.uri === uri)
  assert.equal(status.tokens, undefined)
  await client.stop()
})
