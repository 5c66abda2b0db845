/** Configuration files of folders that only the client can read, as in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Diagnostic } from 'vscode-languageserver-protocol/node'
import type { PartReading } from '../../core/src/internal.ts'
import { connectInProcess } from '../helpers/server-in-process.ts'

/** What stands for a file that the client refuses to read. */
const unreadable = '\0'
const text = '<|start|>asistant<|message|>Hi<|end|>\n'

test('the client reads configuration files that the server cannot read', async (t) => {
  const client = connectInProcess(t)
  const files = new Map([
    ['memfs:/project/.openchatml.yaml', 'overrides:\n- files: drafts/\n  rules:\n    unknown-role: hint\n'],
  ])
  const asked: string[] = []
  client.onRequest<PartReading, void>('openchatml.readFile', ({ uri }: { readonly uri: string }) => {
    asked.push(uri)
    const content = files.get(uri)
    if (content === unreadable) return { kind: 'refused', reason: 'is larger than 1 MB' }
    return content === undefined ? { kind: 'missing' } : { kind: 'read', text: content }
  })
  let told: (diagnostics: readonly Diagnostic[]) => void = () => {}
  const toldOf = new Map<string, (diagnostics: readonly Diagnostic[]) => void>()
  client.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) =>
    (toldOf.get(uri) ?? told)(diagnostics),
  )
  client.listen()
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
    initializationOptions: { readsFiles: true },
  })
  await client.sendNotification('initialized', {})

  const opened: string[] = []
  const severityIn = async (uri: string) => {
    opened.push(uri)
    const diagnostics = await new Promise<readonly Diagnostic[]>((done) => {
      told = done
      const textDocument = { uri, languageId: 'openchatml', version: 1, text }
      void client.sendNotification('textDocument/didOpen', { textDocument })
    })
    return diagnostics.find(({ code }) => code === 'E-PARSE-HEADER')?.severity
  }
  assert.equal(await severityIn('memfs:/project/drafts/deep/a.ocm'), 4)
  assert.deepEqual(asked.slice(-4), [
    'memfs:/project/drafts/.openchatml.yaml',
    'memfs:/project/drafts/.openchatml.yml',
    'memfs:/project/drafts/.openchatml.json',
    'memfs:/project/.openchatml.yaml',
  ])
  assert.equal(await severityIn('memfs:/project/b.ocm'), 1)
  assert.equal(await severityIn('untitled:Untitled-1'), 1)
  assert.equal(await severityIn('memfs:/elsewhere/c.ocm'), 1)
  // A sample of a dataset is judged as the dataset.
  const sample = (dataset: string) =>
    `openchatml-sample:/x/a.jsonl/a.jsonl%3A3.ocm?${encodeURIComponent(dataset)}`
  assert.equal(await severityIn(sample('memfs:/project/drafts/my%20data.jsonl')), 4)
  assert.equal(await severityIn(sample('memfs:/project/data.jsonl')), 1)
  assert.equal(await severityIn('openchatml-sample:/x/a.jsonl%3A3.ocm?%'), 1)

  const close = (uri: string) => client.sendNotification('textDocument/didClose', { textDocument: { uri } })
  for (const uri of opened) if (uri !== 'memfs:/project/b.ocm') await close(uri)
  // What is wrong with the file is told as its diagnostics, until it is mended.
  const file = 'memfs:/project/.openchatml.yaml'
  const toldOfFile = async (content: string) => {
    files.set(file, content)
    const found = new Promise<readonly Diagnostic[]>((done) => {
      toldOf.set(file, done)
    })
    await client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: file, type: 2 }] })
    return (await found).map(({ message, range, severity }) => ({ message, range, severity }))
  }
  assert.deepEqual(await toldOfFile('rules:\n  unknown-rol: off\n'), [
    {
      message: 'Unknown rule or code `unknown-rol`; did you mean `unknown-role`?',
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 13 } },
      severity: 2,
    },
  ])
  assert.deepEqual(await toldOfFile('rules:\n  unknown-role: off\n'), [])
  const [unread] = await toldOfFile(unreadable)
  assert.match(String(unread?.message), /is larger than 1 MB/)
  await close('memfs:/project/b.ocm')
  await client.sendRequest('shutdown')
})
