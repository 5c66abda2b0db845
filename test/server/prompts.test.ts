/** The rules on prompts in any editor: the server fills prompts from the files beside them. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type {
  CodeAction,
  Diagnostic,
  HandlerResult,
  Location,
  PublishDiagnosticsParams,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { PartReading } from '../../core/src/internal.ts'
import { editorCapabilities, type LspClient, startClient } from '../helpers/lsp-client.ts'
import { connectInProcess } from '../helpers/server-in-process.ts'

const prompt = `version: 2.2
inputs:
  current_date: { type: string }
budgets:
  prompt: 60
<|start|>system<|message|>Current date: 2025-08-08
{% include "parts/style.md" %}<|end|>
<|start|>user<|message|>Today is {{ current_date }}. Is it a holiday?<|end|>
`

async function folderWith(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openchatml-prompts-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

/** What is published for `uri` until `isWanted`. */
async function published(
  client: LspClient,
  uri: string,
  isWanted: (codes: readonly string[]) => boolean,
): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await client.notification<PublishDiagnosticsParams>(
    'textDocument/publishDiagnostics',
    (it) => it.uri === uri && isWanted(codesOf(it.diagnostics)),
  )
  return diagnostics
}

function messageOf(diagnostics: readonly Diagnostic[], wanted: string): string {
  return String(diagnostics.find(({ code }) => code === wanted)?.message)
}

function codesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code }) => String(code)).sort()
}

test('a prompt is filled with its parts and cases, follows both, and is fixed', async (t) => {
  const folder = await folderWith(t, {
    'support.ocm': prompt,
    'support.cases.yaml': 'one: { current_date: 2025-01-01 }\n',
  })
  const client = await startClient({
    capabilities: { ...editorCapabilities, textDocument: { codeAction: {} } },
    folder: pathToFileURL(folder).href,
  })
  const uri = pathToFileURL(join(folder, 'support.ocm')).href
  client.open(prompt, uri)
  const first = await published(client, uri, (codes) => codes.includes('W-PROMPT-DATE'))
  assert.deepEqual(codesOf(first), ['W-PROMPT-DATE', 'W-PROMPT-FILL'])
  assert.match(messageOf(first, 'W-PROMPT-FILL'), /parts\/style\.md/)

  const date = first.find(({ code }) => code === 'W-PROMPT-DATE')
  assert.ok(date)
  const context = { diagnostics: [date] }
  const actions = await client.request<readonly CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: date.range,
    context,
  })
  assert.ok(
    actions.some(({ title }) => title === 'Write `{{ current_date }}`'),
    JSON.stringify(actions),
  )

  const changed = (path: string) =>
    client.notify('workspace/didChangeWatchedFiles', {
      changes: [{ uri: pathToFileURL(join(folder, path)).href, type: 1 }],
    })
  await mkdir(join(folder, 'parts'))
  await writeFile(join(folder, 'parts/style.md'), 'Be kind.\n')
  changed('parts/style.md')
  await published(client, uri, (codes) => codes.join() === 'W-PROMPT-DATE')
  await writeFile(join(folder, 'support.cases.yaml'), `one: { current_date: "${'long '.repeat(100)}" }\n`)
  changed('support.cases.yaml')
  const long = await published(client, uri, (codes) => codes.includes('W-PROMPT-BUDGET'))
  assert.match(messageOf(long, 'W-PROMPT-BUDGET'), /in the case `one`, more than 60/)

  // Without `inputs` and `budgets`, it is no prompt.
  client.change(uri, { text: 'version: 2.2\n<|start|>system<|message|>Current date: 2025-08-08<|end|>\n' })
  await published(client, uri, (codes) => codes.length === 0)
  assert.deepEqual(client.log, [])
  assert.equal(await client.stop(), 0)
})

test('a part outside of the folder is refused, links followed', async (t) => {
  const outside = await folderWith(t, { 'secret.md': 'SECRET {{ 1 | nothing }}' })
  const folder = await folderWith(t, { 'a.ocm': '' })
  await symlink(join(outside, 'secret.md'), join(folder, 'link.md'))
  await symlink(outside, join(folder, 'parts'))
  const client = await startClient({
    capabilities: { ...editorCapabilities, textDocument: {} },
    folder: pathToFileURL(folder).href,
  })
  const uri = pathToFileURL(join(folder, 'a.ocm')).href
  const includes = ['link.md', 'parts/secret.md', '../secret.md', join(outside, 'secret.md')]
  const bodies = includes.map((it) => `<|start|>developer<|message|>{% include "${it}" %}<|end|>\n`)
  client.open(`version: 2.2\ninputs: {}\n${bodies.join('')}`, uri)
  const found = await published(client, uri, (codes) => codes.includes('W-PROMPT-FILL'))
  assert.equal(found.filter(({ code }) => code === 'W-PROMPT-FILL').length, includes.length)
  assert.doesNotMatch(JSON.stringify(found), /SECRET|nothing/)
  assert.equal(await client.stop(), 0)
})

test('a client reads what is not saved, and nothing is filled in a folder that is not trusted', async (t) => {
  const client = connectInProcess(t)
  const asked: string[] = []
  client.onRequest('openchatml.readFile', () => ({ kind: 'missing' }))
  let told: (diagnostics: readonly Diagnostic[]) => void = () => {}
  client.onNotification('textDocument/publishDiagnostics', ({ diagnostics }) => told(diagnostics))
  client.listen()
  const folder = 'memfs:/my%20project'
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: folder,
    capabilities: {},
    initializationOptions: { readsFiles: true },
  })
  await client.sendNotification('initialized', {})
  const textDocument = { uri: `${folder}/deep/a.ocm`, languageId: 'openchatml', version: 1, text: prompt }
  const untrusted = new Promise<void>((done) => {
    client.onRequest('openchatml.readPromptFile', ({ uri }: { readonly uri: string }) => {
      asked.push(uri)
      if (asked.length === 2) done()
      return { kind: 'untrusted' }
    })
  })
  const codes: string[] = []
  told = (diagnostics) => codes.push(...codesOf(diagnostics))
  await client.sendNotification('textDocument/didOpen', { textDocument })
  await untrusted
  assert.deepEqual(asked, [`${folder}/deep/parts/style.md`, `${folder}/deep/a.cases.yaml`])

  client.onRequest(
    'openchatml.readPromptFile',
    ({ uri }: { readonly uri: string }): HandlerResult<PartReading, void> =>
      uri.endsWith('style.md') ? { kind: 'read', text: '{{ nothing }}' } : { kind: 'missing' },
  )
  const found = new Promise<readonly Diagnostic[]>((done) => {
    told = (diagnostics) => {
      if (codesOf(diagnostics).includes('W-PROMPT-FILL')) done(diagnostics)
    }
  })
  // An address in another spelling is the same file.
  await client.sendNotification('openchatml.promptFilesChanged', {
    uris: ['memfs:/my project/deep/parts/style.md'],
  })
  assert.match(JSON.stringify(await found), /`nothing` is not declared/)
  assert.deepEqual(
    codes.filter((it) => it.startsWith('W-PROMPT')),
    [],
  )
})

test('an input is found and renamed in the parts and cases of its prompt, too', async (t) => {
  const text = `version: 2.2
inputs:
  tone: { type: string }
cases:
  one: { tone: warm }
<|start|>developer<|message|>Be {{ tone }}. {% include "parts/style.md" %}<|end|>
`
  const files = {
    'a.ocm': text,
    'a.cases.yaml': 'two:\n  "tone": cold\n',
    'parts/style.md': 'Stay {{ tone }}.\r\n{% include "more.md" %}\r\n',
    'parts/more.md': '{# tone #}{{ customer.tone }}{% if tone %}{% set other = tone %}{{ other }}{% endif %}',
  }
  const folder = await folderWith(t, files)
  const client = await startClient({
    capabilities: { ...editorCapabilities, textDocument: { codeAction: {} } },
    folder: pathToFileURL(folder).href,
  })
  const uriOf = (path: string) => pathToFileURL(join(folder, path)).href
  const uri = uriOf('a.ocm')
  client.open(text, uri)
  const at = { textDocument: { uri }, position: { line: 5, character: 36 } }
  const found = await client.request<readonly Location[]>('textDocument/references', {
    ...at,
    context: { includeDeclaration: true },
  })
  const nameOf = (it: string) => it.slice(pathToFileURL(folder).href.length + 1)
  assert.deepEqual(
    found.map((it) => `${nameOf(it.uri)} ${it.range.start.line}:${it.range.start.character}`),
    [
      'a.ocm 2:2',
      'a.ocm 4:9',
      'a.ocm 5:35',
      'parts/style.md 0:8',
      'parts/more.md 0:35',
      'parts/more.md 0:57',
      'a.cases.yaml 1:3',
    ],
  )
  const renamed = (newName: string) =>
    client.request<WorkspaceEdit>('textDocument/rename', { ...at, newName })
  const { documentChanges = [], changes = {} } = await renamed('voice')
  const edits = new Map(Object.entries(changes))
  for (const it of documentChanges) if ('edits' in it) edits.set(it.textDocument.uri, it.edits as TextEdit[])
  const after = Object.entries(files).map(([path, before]) =>
    TextDocument.applyEdits(TextDocument.create('', '', 0, before), edits.get(uriOf(path)) ?? []),
  )
  assert.deepEqual(after, [
    text.replaceAll('tone', 'voice'),
    'two:\n  "voice": cold\n',
    'Stay {{ voice }}.\r\n{% include "more.md" %}\r\n',
    '{# tone #}{{ customer.tone }}{% if voice %}{% set other = voice %}{{ other }}{% endif %}',
  ])
  // A variable of a part would take its place, or another name of it.
  for (const name of ['other', 'customer']) await assert.rejects(renamed(name), /already has this name/)
  assert.equal(await client.stop(), 0)
})

test('parts keep a name that the prompt gives another value', async (t) => {
  const text = `version: 2.2
inputs: { tone: { type: string } }
<|start|>developer<|message|>{% set tone = tone | upper %}{% include "style.md" %}<|end|>
`
  const folder = await folderWith(t, { 'a.ocm': text, 'style.md': '{{ tone }}' })
  const client = await startClient({
    capabilities: { ...editorCapabilities, textDocument: {} },
    folder: pathToFileURL(folder).href,
  })
  const uri = pathToFileURL(join(folder, 'a.ocm')).href
  client.open(text, uri)
  const { changes } = await client.request<WorkspaceEdit>('textDocument/rename', {
    textDocument: { uri },
    position: { line: 1, character: 11 },
    newName: 'voice',
  })
  assert.deepEqual(Object.keys(changes ?? {}), [uri])
  assert.equal(await client.stop(), 0)
})
