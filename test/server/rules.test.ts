/** Severities in the language server: from the editor's settings, from configuration files, and changed on the way. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { CodeAction } from 'vscode-languageserver'
import type { FixPlanResult } from '../../server/src/handlers/fix-plan-request.ts'
import { editorCapabilities, type LspClient, startClient } from '../helpers/lsp-client.ts'
import { oddFiles, secret } from '../helpers/odd-files.ts'

const text =
  'version: 2.2\n<|start|>assistant<|channel|>analysis<|channel|>commentary<|message|>Need a tool.<|end|>\n'

async function severities(client: LspClient, uri: string) {
  return (await client.diagnostics(uri)).map(({ severity }) => severity)
}

test('the setting changes severities and turns rules off, also later', async () => {
  const client = await startClient({ settings: { rules: { 'repeated-channel': 'hint', nonsense: 1 } } })
  const uri = client.open(text)
  assert.deepEqual(await severities(client, uri), [4])
  client.configure({ rules: { 'E-PARSE-HEADER': 'off' } })
  await client.notification('workspace/diagnostic/refresh')
  assert.deepEqual(await severities(client, uri), [])
  assert.equal(await client.stop(), 0)
})

test('the setting for templates decides on placeholders', async () => {
  const client = await startClient()
  const uri = client.open('version: 2.2\n<|start|>{{ role }}<|message|>{{ text }}<|end|>\n')
  assert.deepEqual(await severities(client, uri), [])
  client.configure({ templates: false })
  await client.notification('workspace/diagnostic/refresh')
  assert.ok((await severities(client, uri)).length > 0)
  assert.equal(await client.stop(), 0)
})

test('the setting for intent decides on stops', async () => {
  const client = await startClient({ settings: { intent: 'none' } })
  const uri = client.open('version: 2.2\n<|start|>assistant<|channel|>final<|message|>Hi<|return|>\n')
  assert.deepEqual(await severities(client, uri), [])
  client.configure({ intent: 'history' })
  await client.notification('workspace/diagnostic/refresh')
  assert.deepEqual(await severities(client, uri), [2])
  assert.equal(await client.stop(), 0)
})

test('the nearest configuration file counts more, and is read again when it changes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ocm server-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true })
  const file = join(folder, '.openchatml.yaml')
  writeFileSync(file, 'overrides:\n  - files: deep/er/ä.ocm\n    rules: {repeated-channel: warning}\n')
  const client = await startClient({ settings: { rules: { 'repeated-channel': 'hint' } } })
  const special = client.open(text, pathToFileURL(join(folder, 'deep', 'er', 'ä.ocm')).href)
  const other = client.open(text, pathToFileURL(join(folder, 'deep', 'b.ocm')).href)
  const untitled = client.open(text)
  assert.deepEqual(await severities(client, special), [2])
  assert.deepEqual(await severities(client, other), [4])
  assert.deepEqual(await severities(client, untitled), [4])
  while (client.log.length > 0) client.log.pop()
  writeFileSync(file, 'rules:\n  repeated-channel: information\n  repeated-chanel: off\n')
  client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: pathToFileURL(file).href, type: 2 }] })
  await client.notification('workspace/diagnostic/refresh')
  assert.deepEqual(await severities(client, special), [3])
  assert.deepEqual(await severities(client, other), [3])
  assert.match(
    client.log[0] ?? '',
    /\.openchatml\.yaml:3:3: the configuration has problems: 1; run `ocm check`$/,
  )
  assert.ok(!client.log.some((it) => it.includes('repeated-chanel')), 'a log holds no words of a file')
  assert.equal(await client.stop(), 0)
})

test('many problems at once are not fixed while the configuration has errors', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ocm server-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, '.openchatml.yaml')
  const codeAction = {
    codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } },
    disabledSupport: true,
  }
  const textDocument = { ...editorCapabilities.textDocument, codeAction }
  const client = await startClient({ capabilities: { ...editorCapabilities, textDocument } })
  const uri = client.open(
    'version: 2.2\n<|start|>user<|message|>a <|channel|> b<|end|>\n',
    pathToFileURL(join(folder, 'a.ocm')).href,
  )
  const actions = (only?: readonly string[]) =>
    client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: { line: 1, character: 30 }, end: { line: 1, character: 30 } },
      context: { diagnostics: [], ...(only && { only }) },
    })
  const plan = () => client.request<FixPlanResult>('openchatml.fixPlan', { textDocument: { uri } })
  for (const isBroken of [false, true, false]) {
    // A rule with a mistyped severity stays on.
    writeFileSync(file, `rules:\n  token-in-body: ${isBroken ? 'of' : 'warning'}\n`)
    client.notify('workspace/didChangeWatchedFiles', {
      changes: [{ uri: pathToFileURL(file).href, type: 2 }],
    })
    const [all] = await actions(['source.fixAll'])
    assert.equal(all?.edit === undefined, isBroken)
    assert.equal(all?.disabled !== undefined, isBroken)
    const { edits, broken, total } = await plan()
    assert.equal(total, 1)
    assert.equal(edits.length, isBroken ? 0 : 1)
    assert.equal(broken, isBroken ? pathToFileURL(file).href : undefined)
    const [one] = await actions()
    assert.ok(one?.edit, 'one problem can be fixed')
  }
  assert.equal(await client.stop(), 0)
})

for (const [name, put] of Object.entries(oddFiles)) {
  test(`a configuration that is ${name} is reported, and nothing of it is read`, {
    skip: process.platform === 'win32' && 'no pipes, devices and links as here',
  }, async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'ocm server-'))
    t.after(() => rmSync(root, { recursive: true, force: true }))
    const folder = join(root, 'workspace')
    mkdirSync(folder)
    writeFileSync(join(root, 'secret.yaml'), `${secret}: 1\nrules: {repeated-channel: off}\n`)
    put(join(folder, '.openchatml.yaml'), join(root, 'secret.yaml'))
    const client = await startClient({ folder: pathToFileURL(folder).href })
    const document = client.open(text, pathToFileURL(join(folder, 'a.ocm')).href)
    assert.deepEqual(await severities(client, document), [1])
    assert.match(client.log.join('\n'), /\.openchatml\.yaml:1:1: the configuration has problems: 1/)
    assert.doesNotMatch(client.log.join('\n'), new RegExp(secret))
    assert.equal(await client.stop(), 0)
  })
}
