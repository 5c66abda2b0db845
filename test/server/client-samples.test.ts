/** Samples of datasets, whose tools only the client knows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Diagnostic } from 'vscode-languageserver-protocol/node'
import { editableSample, readSample } from '../../core/src/internal.ts'
import { connectInProcess } from '../helpers/server-in-process.ts'

const parameters = { type: 'object', properties: { n: { type: 'integer', maximum: 5 } } }

/** The transcript of a sample with a call, and the tools that it does not say. */
function sampleWith(n: number) {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: JSON.stringify({ n }) } }
  const value = {
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    ],
  }
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const sample = editableSample(readSample(bytes, { rest: 'source' }))
  assert.equal(sample.kind, 'good')
  return sample
}

test('calls in a sample are judged by the schemas of its request', async (t) => {
  const client = connectInProcess(t)
  const asked: string[] = []
  const answers = new Map<string, unknown>()
  client.onRequest('openchatml.sampleTools', ({ uri }: { readonly uri: string }) => {
    asked.push(uri)
    return answers.get(uri)
  })
  let told: (diagnostics: readonly Diagnostic[]) => void = () => {}
  client.onNotification('textDocument/publishDiagnostics', ({ diagnostics }) => told(diagnostics))
  client.listen()
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
    initializationOptions: { readsSamples: true },
  })
  await client.sendNotification('initialized', {})

  const messagesFor = async (uri: string, text: string) => {
    const diagnostics = await new Promise<readonly Diagnostic[]>((done) => {
      told = done
      const textDocument = { uri, languageId: 'openchatml', version: 1, text }
      void client.sendNotification('textDocument/didOpen', { textDocument })
    })
    return diagnostics.filter(({ code }) => code === 'E-CALL-SCHEMA').map(({ message }) => message)
  }
  const uriOf = (number: number) => `openchatml-sample:/x/a.jsonl/a.jsonl%3A${number}.ocm?file%3A///x/a.jsonl`
  const high = sampleWith(6)
  answers.set(uriOf(1), high.requestTools)
  assert.deepEqual(await messagesFor(uriOf(1), high.text), ['`n` must be at most 5, but is the number `6`'])
  const fine = sampleWith(5)
  answers.set(uriOf(2), fine.requestTools)
  assert.deepEqual(await messagesFor(uriOf(2), fine.text), [])
  for (const [index, answer] of [null, undefined, 1, { body: 1 }, { body: '', json: '[' }].entries()) {
    answers.set(uriOf(10 + index), answer)
    assert.deepEqual(await messagesFor(uriOf(10 + index), high.text), [])
  }
  assert.deepEqual(await messagesFor('file:///x/b.ocm', high.text), [])
  assert.ok(asked.every((it) => it.startsWith('openchatml-sample:')))
  assert.equal(new Set(asked).size, 7)
})
