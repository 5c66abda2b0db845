/** What is found by name in transcripts that are not open: read from the disk, or asked of the client. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { SymbolInformation } from 'vscode-languageserver-protocol/node'
import { editorCapabilities, type LspClient, startClient } from '../helpers/lsp-client.ts'
import { connectInProcess } from '../helpers/server-in-process.ts'

const tool = (name: string) =>
  `<|start|>developer<|message|>namespace functions {\ntype ${name} = () => any;\n}<|end|>\n`
const call = (id: string) =>
  `<|start|>assistant to=functions.f call_id=${id}<|channel|>commentary<|message|>{}<|call|>\n`

/** Makes files in a new folder; its URI, and a way to change them. */
async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'openchatml-symbols-'))
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  for (const [name, text] of Object.entries(files)) await write(name, text)
  const uriOf = (name: string) => pathToFileURL(join(folder, name)).href
  const remove = (name = '') => rm(join(folder, name), { recursive: true, force: true })
  return { uri: pathToFileURL(folder).href, uriOf, write, remove }
}

/** One line per symbol: its name, what stands beside it, its file and line. */
async function symbols(client: LspClient, query: string): Promise<readonly string[]> {
  return described(await client.request<SymbolInformation[]>('workspace/symbol', { query }))
}

/** Asks until `expected` is found: what is not read in time is there for a later question, which waits as long as the first one did. */
async function finds(ask: () => Promise<readonly string[]>, expected: readonly string[]): Promise<void> {
  let found = await ask()
  for (let left = 20; left > 0 && !isDeepStrictEqual(found, expected); left--) found = await ask()
  assert.deepEqual(found, expected)
}

function described(found: readonly SymbolInformation[]): readonly string[] {
  return found
    .map(({ name, containerName = '', location }) => {
      const file = decodeURIComponent(location.uri).split('/').at(-1)
      return `${name} | ${containerName} | ${file}:${location.range.start.line}`
    })
    .sort()
}

const watched = {
  ...editorCapabilities,
  workspace: { ...editorCapabilities.workspace, didChangeWatchedFiles: { dynamicRegistration: true } },
}

test('tools, calls and files are found in folders, and again where files changed', async (t) => {
  const folder = await folderWith({
    'a.ocm': tool('weather') + call('first'),
    'deep/er/b c.ocm': call('second'),
    'node_modules/p/x.ocm': call('hidden'),
    '.git/y.ocm': call('hidden'),
    'notes.txt': call('hidden'),
  })
  t.after(() => folder.remove())
  const client = await startClient({ capabilities: watched, folder: folder.uri })
  const all = [
    'a.ocm |  | a.ocm:0',
    'b c.ocm |  | b c.ocm:0',
    'first | functions.f · a.ocm | a.ocm:3',
    'functions.weather | a.ocm | a.ocm:1',
    'second | functions.f · b c.ocm | b c.ocm:0',
  ]
  await finds(() => symbols(client, ''), all)
  await finds(() => symbols(client, 'WTH'), ['functions.weather | a.ocm | a.ocm:1'])
  await folder.write('a.ocm', call('third'))
  await folder.write('new.ocm', '')
  await folder.remove('deep')
  const changes = ['a.ocm', 'new.ocm', 'deep/er/b c.ocm'].map((name) => ({
    uri: folder.uriOf(name),
    type: 2,
  }))
  client.notify('workspace/didChangeWatchedFiles', { changes })
  await finds(
    () => symbols(client, ''),
    ['a.ocm |  | a.ocm:0', 'new.ocm |  | new.ocm:0', 'third | functions.f · a.ocm | a.ocm:0'],
  )
  assert.equal(await client.stop(), 0)
  assert.deepEqual(client.log, [])
})

test('folders that are opened later are searched, and those that are closed no more', async (t) => {
  const [first, second] = [
    await folderWith({ 'a.ocm': call('one') }),
    await folderWith({ 'b.ocm': call('two') }),
  ]
  t.after(() => Promise.all([first.remove(), second.remove()]))
  const capabilities = { ...watched, workspace: { ...watched.workspace, workspaceFolders: true } }
  const client = await startClient({ capabilities })
  assert.deepEqual(client.initializeResult?.capabilities.workspace?.workspaceFolders, {
    supported: true,
    changeNotifications: true,
  })
  const found = async () => (await symbols(client, '')).filter((it) => it.includes('functions.f'))
  const change = (added: readonly string[], removed: readonly string[] = []) => {
    const named = (uris: readonly string[]) => uris.map((uri) => ({ uri, name: 'folder' }))
    client.notify('workspace/didChangeWorkspaceFolders', {
      event: { added: named(added), removed: named(removed) },
    })
  }
  await finds(found, [])
  change([first.uri])
  await finds(found, ['one | functions.f · a.ocm | a.ocm:0'])
  change([first.uri, second.uri])
  await finds(found, ['one | functions.f · a.ocm | a.ocm:0', 'two | functions.f · b.ocm | b.ocm:0'])
  change([], [first.uri])
  await finds(found, ['two | functions.f · b.ocm | b.ocm:0'])
  assert.equal(await client.stop(), 0)
  assert.deepEqual(client.log, [])
})

test('a client that asks for transcripts itself is asked again when its folders change', async (t) => {
  const [first, second] = [
    await folderWith({ 'a.ocm': call('one') }),
    await folderWith({ 'b.ocm': call('two') }),
  ]
  t.after(() => Promise.all([first.remove(), second.remove()]))
  const capabilities = { ...watched, workspace: { ...watched.workspace, workspaceFolders: true } }
  const client = await startClient({ capabilities, initializationOptions: { findsTranscripts: true } })
  let files = [{ uri: first.uriOf('a.ocm'), size: 1, stamp: '1' }]
  client.connection.onRequest('openchatml.findTranscripts', () => files)
  const found = async () => (await symbols(client, '')).filter((it) => it.includes('functions.f'))
  await finds(found, ['one | functions.f · a.ocm | a.ocm:0'])
  files = [...files, { uri: second.uriOf('b.ocm'), size: 1, stamp: '1' }]
  const added = [{ uri: second.uri, name: 'second' }]
  client.notify('workspace/didChangeWorkspaceFolders', { event: { added, removed: [] } })
  await finds(found, ['one | functions.f · a.ocm | a.ocm:0', 'two | functions.f · b.ocm | b.ocm:0'])
  assert.equal(await client.stop(), 0)
})

test('of an open document what it says counts, and not what its file says', async (t) => {
  const folder = await folderWith({ 'a b.ocm': call('saved') })
  t.after(() => folder.remove())
  const client = await startClient({ folder: folder.uri })
  client.open(call('unsaved'), folder.uriOf('a b.ocm').replace('%20', ' '))
  await finds(() => symbols(client, 'saved'), ['unsaved | functions.f | a b.ocm:0'])
  assert.equal(await client.stop(), 0)
})

test('of files that are larger than the setting allows, the name alone is found', async (t) => {
  const folder = await folderWith({
    'large.ocm': call('large-call') + ' '.repeat(3000),
    'small.ocm': call('small-call'),
  })
  t.after(() => folder.remove())
  const settings = { workspaceSymbols: { maxFileSize: 0.002 } }
  const client = await startClient({ capabilities: watched, folder: folder.uri, settings })
  await finds(
    () => symbols(client, 'l'),
    [
      'large.ocm |  | large.ocm:0',
      'small-call | functions.f · small.ocm | small.ocm:0',
      'small.ocm |  | small.ocm:0',
    ],
  )
  client.configure({ workspaceSymbols: { maxFileSize: 1 } })
  await finds(
    () => symbols(client, 'large'),
    ['large-call | functions.f · large.ocm | large.ocm:0', 'large.ocm |  | large.ocm:0'],
  )
  assert.equal(await client.stop(), 0)
})

test('a folder that is not there has nothing, and garbage in files is no failure', async (t) => {
  const folder = await folderWith({ 'a.ocm': '\ufffd<|start|><|<|channel|>\u0000', 'b.ocm': '' })
  t.after(() => folder.remove())
  const client = await startClient({ folder: folder.uri })
  await finds(() => symbols(client, ''), ['a.ocm |  | a.ocm:0', 'b.ocm |  | b.ocm:0'])
  assert.equal(await client.stop(), 0)
  assert.deepEqual(client.log, [])
  const nowhere = await startClient({ folder: `${folder.uri}/nowhere` })
  await finds(() => symbols(nowhere, ''), [])
  assert.equal(await nowhere.stop(), 0)
})

test('where the server has no disk, the client finds and reads', async (t) => {
  const client = connectInProcess(t)
  const files = new Map([
    ['memfs:/a.ocm', call('first')],
    ['memfs:/gone.ocm', undefined],
  ])
  const read: string[] = []
  client.onRequest('openchatml.findTranscripts', () =>
    [...files].map(([uri, text]) => ({ uri, size: text?.length ?? 0, stamp: `${text?.length}` })),
  )
  client.onRequest('openchatml.readTranscript', ({ uri }: { readonly uri: string }) => {
    read.push(uri)
    return files.get(uri) ?? null
  })
  client.listen()
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: watched,
    initializationOptions: { findsTranscripts: true },
  })
  client.onRequest('client/registerCapability', () => null)
  client.onRequest('workspace/configuration', () => [null])
  await client.sendNotification('initialized', {})
  const found = async () =>
    described(await client.sendRequest<SymbolInformation[]>('workspace/symbol', { query: '' }))
  const all = ['a.ocm |  | a.ocm:0', 'first | functions.f · a.ocm | a.ocm:0', 'gone.ocm |  | gone.ocm:0']
  await finds(found, all)
  await finds(found, all)
  assert.deepEqual(read, ['memfs:/a.ocm', 'memfs:/gone.ocm'], 'a file that did not change is read once')
})
