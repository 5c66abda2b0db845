/** Conversions, links and JSON layout, as clients ask for them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { CodeAction, DocumentLink, LocationLink, TextEdit } from 'vscode-languageserver-protocol'
import { startClient } from '../helpers/lsp-client.ts'

const header = 'version: 2.2\nprofiles: {harmony: {enabled: true}}\n'
const text = `${header}<|start|>user<|message|>See https://example.com<|end|>
<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>
<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{"a":[1,2]}<|call|>
<|start|>tool name=functions.f call_id=c to=assistant<|channel|>commentary<|message|>1<|end|>
<|start|>assistant<|channel|>final<|message|>Yes<|return|>
`
const call = 4 // line of the call

test('a transcript is converted by source actions, and a header by refactoring', async () => {
  const client = await startClient()
  const uri = client.open(text)
  const ask = (only: readonly string[] | undefined, line: number, character: number) =>
    client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: { line, character }, end: { line, character } },
      context: { diagnostics: [], ...(only && { only }) },
    })
  const kinds = async (only: readonly string[] | undefined, line = 0, character = 0) =>
    (await ask(only, line, character)).map(({ kind }) => kind)
  assert.deepEqual(await kinds(['source']), [
    'source.convert.openchatml.training',
    'source.convert.openchatml.history',
    'source.convert.openchatml.drop-reasoning',
    'source.convert.openchatml.harmony-headers',
  ])
  assert.deepEqual(await kinds(['source.convert.openchatml.history']), ['source.convert.openchatml.history'])
  assert.deepEqual(await kinds(['source.organizeImports']), [])
  const titles = (actions: readonly CodeAction[]) => actions.map(({ title }) => title)
  assert.ok(titles(await ask(undefined, call, 12)).includes('Write this header as Harmony models do'))
  assert.deepEqual(titles(await ask(['refactor'], call, 100)), ['Lay out the JSON on several lines'])
  await client.stop()
})

test('addresses and keys of the header are links, and the keys lead to their page', async () => {
  const client = await startClient({ initializationOptions: { documentationBase: 'file:///docs/rules' } })
  const uri = client.open(text)
  const textDocument = { uri }
  const links = await client.request<DocumentLink[]>('textDocument/documentLink', { textDocument })
  assert.deepEqual(
    links.map(({ target, range }) => [target, range.start]),
    [
      ['file:///docs/profiles/harmony.md', { line: 1, character: 11 }],
      ['https://example.com', { line: 2, character: 28 }],
    ],
  )
  const position = { line: 1, character: 13 }
  const [place] = await client.request<LocationLink[]>('textDocument/definition', { textDocument, position })
  assert.equal(place?.targetUri, 'file:///docs/profiles/harmony.md')
  await client.stop()
})

test('clients that name no documentation get that beside the server', async () => {
  const client = await startClient()
  const uri = client.open('<|start|>asistant<|message|>x<|end|>\n')
  const [problem] = await client.diagnostics(uri)
  const href = problem?.codeDescription?.href ?? ''
  assert.match(href, /^file:.*\/docs\/rules\/unknown-role\.md$/)
  assert.ok(existsSync(fileURLToPath(href)))
  await client.stop()
})

test('JSON is laid out where it is selected, and nowhere else', async () => {
  const client = await startClient()
  const uri = client.open(text)
  const textDocument = { uri }
  const format = (start: { line: number; character: number }, end: { line: number; character: number }) =>
    client.request<TextEdit[]>('textDocument/rangeFormatting', {
      textDocument,
      range: { start, end },
      options: { tabSize: 4, insertSpaces: true },
    })
  const line = text.split('\n')[call] ?? ''
  const from = line.indexOf('{')
  const to = line.indexOf('<|call|>')
  const edits = await format({ line: call, character: from }, { line: call, character: to })
  let laidOut = line
  for (const { range, newText } of [...edits].reverse()) {
    laidOut = laidOut.slice(0, range.start.character) + newText + laidOut.slice(range.end.character)
  }
  assert.equal(laidOut.slice(from, -'<|call|>'.length), '{\n    "a": [\n        1,\n        2\n    ]\n}')
  assert.deepEqual(await format({ line: call, character: 0 }, { line: call + 1, character: 0 }), [])
  assert.deepEqual(await format({ line: 0, character: 0 }, { line: 99, character: 0 }), [])
  await client.stop()
})

test('commands change a bounded number of places, say so, and go on when they run again', async () => {
  const limit = 20_000
  const message =
    'Only the first 20000 places are changed at once. Run the command again to change the others.'
  const unformatted = '<|start|>user <|message|>a<|end|>\n'
  const client = await startClient()
  const edits = async (count: number) => {
    const uri = client.open(unformatted.repeat(count))
    const options = { tabSize: 2, insertSpaces: true }
    const all = await client.request<TextEdit[]>('textDocument/formatting', {
      textDocument: { uri },
      options,
    })
    return all.length
  }
  assert.equal(await edits(limit), limit)
  assert.deepEqual(client.shown, [])
  assert.equal(await edits(limit + 1), limit)
  assert.deepEqual(client.shown, [message])
  const call = '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>\n'
  const uri = client.open(`version: 2.2\n${call.repeat(limit + 1)}`)
  const convert = 'source.convert.openchatml.harmony-headers'
  const [action] = await client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    context: { diagnostics: [], only: [convert] },
  })
  assert.equal(action?.title, 'Write all headers as Harmony models do (the first 20000 places)')
  assert.deepEqual(client.shown, [message], 'nothing was changed yet')
  await client.stop()
})
