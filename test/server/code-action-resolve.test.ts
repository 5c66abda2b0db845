/** Edits of actions that are made when they are chosen, for clients that ask then. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CodeAction, LSPErrorCodes } from 'vscode-languageserver-protocol'
import { settingsFrom } from '../../server/src/settings.ts'
import { editorCapabilities, startClient } from '../helpers/lsp-client.ts'

const header =
  'version: 2.2\n<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>'
const text = `${header}{"a":[1,2]}<|call|>\n`
const layout = 'Lay out the JSON on several lines'
const place = { line: 1, character: header.length - 'version: 2.2\n'.length + 2 }

function actionsAt(client: Awaited<ReturnType<typeof startClient>>, uri: string) {
  return client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: place, end: place },
    context: { diagnostics: [] },
  })
}

const resolving = {
  ...editorCapabilities,
  textDocument: {
    ...editorCapabilities.textDocument,
    codeAction: { dataSupport: true, resolveSupport: { properties: ['edit'] } },
  },
}

test('the edit of an action is made when it is chosen', async () => {
  const client = await startClient({ capabilities: resolving })
  const uri = client.open(text)
  const action = (await actionsAt(client, uri)).find(({ title }) => title === layout)
  assert.ok(action && !action.edit)
  const resolved = await client.request<CodeAction>('codeAction/resolve', action)
  const [change] = resolved.edit?.documentChanges ?? []
  assert.ok(change && 'edits' in change)
  const [edit] = change.edits
  assert.ok(edit && 'newText' in edit)
  assert.equal(edit.newText, '{\n  "a": [\n    1,\n    2\n  ]\n}')
  client.change(uri, { range: { start: place, end: place }, text: ' ' })
  await assert.rejects(client.request('codeAction/resolve', action), { code: LSPErrorCodes.ContentModified })
  assert.deepEqual(client.log, [])
  await client.stop()
})

test('a client that cannot ask later has the edit at once', async () => {
  const client = await startClient()
  const uri = client.open(text)
  const action = (await actionsAt(client, uri)).find(({ title }) => title === layout)
  assert.ok(action?.edit)
  assert.deepEqual(await client.request('codeAction/resolve', action), action)
  await client.stop()
})

test('a body that cannot be laid out within bounds is offered no layout', async () => {
  const client = await startClient({ capabilities: resolving })
  const uri = client.open(`${header}${'['.repeat(50_000)}1${']'.repeat(50_000)}<|call|>\n`)
  const titles = (await actionsAt(client, uri)).map(({ title }) => title)
  assert.ok(!titles.includes(layout), titles.join(', '))
  await client.stop()
})

test('the number of problems has a bound, whatever a client asks for', () => {
  assert.equal(settingsFrom({ maxProblems: Number.MAX_SAFE_INTEGER }).maxProblems, 100_000)
  assert.equal(settingsFrom({ maxProblems: Number.POSITIVE_INFINITY }).maxProblems, 100_000)
  assert.equal(settingsFrom({ maxProblems: 500 }).maxProblems, 500)
})

test('a list of quick fixes that is cut says so', async () => {
  const codeAction = { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } }
  for (const disabledSupport of [true, false]) {
    const textDocument = {
      ...editorCapabilities.textDocument,
      codeAction: { ...codeAction, disabledSupport },
    }
    const client = await startClient({ capabilities: { ...editorCapabilities, textDocument } })
    const fixesOf = async (count: number) => {
      const uri = client.open(`version: 2.2\n<|start|>user<|message|>${'a\u202e'.repeat(count)}<|end|>\n`)
      return client.request<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } },
        context: { diagnostics: [], only: ['quickfix'] },
      })
    }
    assert.equal((await fixesOf(1000)).length, 1000)
    const cut = await fixesOf(1001)
    assert.equal(cut.length, 1001)
    const note = cut.at(-1)
    assert.equal(note?.title, 'Not all quick fixes are listed: select less text to see the others')
    assert.equal(note.edit, undefined)
    assert.equal(note.disabled?.reason, disabledSupport ? 'The selection has too many problems' : undefined)
    await client.stop()
  }
})

test('whether a conversion changes one of very many messages, only choosing it tells', async () => {
  const client = await startClient({ capabilities: resolving })
  const conversionsOf = async (uri: string) => {
    const found = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      context: { diagnostics: [], only: ['source.convert'] },
    })
    return found.filter(({ kind }) => kind?.startsWith('source.convert'))
  }
  const message = '<|start|>user<|message|>x<|end|>\n'
  assert.deepEqual(await conversionsOf(client.open(message.repeat(20_000))), [])
  const offered = await conversionsOf(client.open(message.repeat(20_001)))
  assert.equal(offered.length, 5)
  const [first] = offered
  assert.ok(first)
  const resolved = await client.request<CodeAction>('codeAction/resolve', first)
  const [change] = resolved.edit?.documentChanges ?? []
  assert.deepEqual(change && 'edits' in change ? change.edits : [], [])
  await client.stop()
})
