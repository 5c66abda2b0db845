/** The language server over standard input and output, as editors use it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  CancellationTokenSource,
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver-protocol/node'
import { editorCapabilities, type LspClient, startClient } from '../helpers/lsp-client.ts'

const twoChannels =
  'version: 2.2\n<|start|>assistant<|channel|>analysis<|channel|>commentary<|message|>Need a tool.<|end|>\n'
const at = (line: number, character: number) => ({ line, character })
const behind = (uri: string, line: number, character: number) => ({
  textDocument: { uri },
  position: at(line, character),
})

describe('a session', () => {
  let client: LspClient
  before(async () => {
    client = await startClient({ initializationOptions: { documentationBase: 'file:///docs/rules/' } })
  })
  after(async () => {
    assert.equal(await client.stop(), 0)
    assert.deepEqual(client.log, [])
  })

  test('the server says who it is and what it can do', () => {
    const { serverInfo, capabilities } = client.initializeResult ?? {}
    assert.equal(serverInfo?.name, 'openchatml')
    assert.equal(capabilities?.positionEncoding, 'utf-16')
    assert.deepEqual(capabilities?.diagnosticProvider, {
      identifier: 'openchatml',
      interFileDependencies: false,
      workspaceDiagnostics: false,
    })
  })

  test('a diagnostic carries code, link, source, related information and the name of its rule', async () => {
    const uri = client.open(twoChannels)
    const [diagnostic, ...others] = await client.diagnostics(uri)
    assert.deepEqual(others, [])
    assert.deepEqual(diagnostic, {
      range: { start: at(1, 37), end: at(1, 58) },
      severity: 1,
      code: 'E-PARSE-HEADER',
      codeDescription: { href: 'file:///docs/rules/repeated-channel.md' },
      source: 'openchatml',
      message: diagnostic?.message,
      relatedInformation: [
        { location: { uri, range: { start: at(1, 18), end: at(1, 29) } }, message: 'The first channel' },
      ],
      data: { rule: 'repeated-channel' },
    })
    client.close(uri)
  })

  test('a pull with the last result id answers that nothing changed, also after an edit that changes no diagnostic', async () => {
    const uri = client.open(twoChannels)
    const first = await client.pull(uri)
    const again = await client.pull(uri, first.resultId)
    assert.equal(again.kind, 'unchanged')
    client.change(uri, { range: { start: at(1, 80), end: at(1, 80) }, text: 'x' })
    assert.deepEqual(await client.pull(uri, first.resultId), { kind: 'unchanged', resultId: first.resultId })
    client.change(uri, { range: { start: at(1, 37), end: at(1, 58) }, text: '' })
    assert.deepEqual(await client.pull(uri, first.resultId), {
      kind: 'full',
      resultId: (await client.pull(uri)).resultId,
      items: [],
    })
    client.close(uri)
  })

  test('changes are applied in order, with positions in UTF-16 and any line break', async () => {
    const uri = client.open('version: 2.2\r\n<|start|>user<|message|>😀\r\nsecond\rthird<|end|>\r\n')
    client.change(
      uri,
      { range: { start: at(1, 27), end: at(1, 27) }, text: 'behind the face' },
      { range: { start: at(2, 0), end: at(2, 6) }, text: 'SECOND' },
      {
        range: { start: at(3, 0), end: at(3, 5) },
        text: '<|start|>assistant<|channel|>analysis<|channel|>final<|message|>',
      },
    )
    const [diagnostic] = (await client.diagnostics(uri)).filter(
      ({ data }) => data.rule === 'repeated-channel',
    )
    assert.deepEqual(diagnostic?.range, { start: at(3, 37), end: at(3, 53) })
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    })
    assert.equal(symbols[1]?.children?.[0]?.name, 'user: 😀behind the face SECOND')
    client.close(uri)
  })

  test('a change without range replaces the text', async () => {
    const uri = client.open('<|start|>user<|message|>Hi<|end|>\n')
    await client.pull(uri)
    client.change(uri, { text: twoChannels })
    assert.equal((await client.diagnostics(uri))[0]?.range.start.line, 1)
    client.close(uri)
  })

  test('hover explains, completion proposes, with an edit each', async () => {
    const uri = client.open('version: 2.2\n<|start|>assistant<|channel|>ana<|message|>Hm<|end|>\n')
    const hover = await client.request<Hover>('textDocument/hover', behind(uri, 1, 20))
    assert.match(JSON.stringify(hover.contents), /Declares the channel of the message/)
    assert.deepEqual(hover.range, { start: at(1, 18), end: at(1, 29) })
    const items = await client.request<CompletionItem[]>('textDocument/completion', behind(uri, 1, 32))
    assert.deepEqual(items.find(({ label }) => label === 'analysis')?.textEdit, {
      range: { start: at(1, 29), end: at(1, 32) },
      newText: 'analysis',
    })
    assert.equal(await client.request('textDocument/hover', behind(uri, 1, 44)), null)
    client.close(uri)
  })

  test('a list ends by its own filter before the next question, and where what is typed is complete', async () => {
    const uri = client.open('')
    const filters = async (text: string, label: string) => {
      client.change(uri, { text })
      const items = await client.request<CompletionItem[]>(
        'textDocument/completion',
        behind(uri, text.split('\n').length - 1, text.length - text.lastIndexOf('\n') - 1),
      )
      return items.filter((it) => it.label === label).map(({ filterText }) => filterText)
    }
    const message = '<|start|>user<|message|>'
    assert.deepEqual(await filters(`${message}<|`, '<|end|>'), ['<|end'])
    assert.deepEqual(await filters(`${message}<|end|`, '<|end|>'), ['<|end|'])
    assert.deepEqual(await filters(`${message}<|end|>`, '<|end|>'), [])
    assert.deepEqual(await filters('<|start|>as', 'assistant'), ['assistan'])
    assert.deepEqual(await filters('<|start|>assistant', 'assistant'), [])
    assert.deepEqual(await filters('version: 2', '2.2'), ['2'])
    assert.deepEqual(await filters('version: 2.', '2.2'), ['2.'])
    assert.deepEqual(await filters('version: 2.2', '2.2'), [])
    assert.deepEqual(await filters('version: ', '2.2'), ['2'])
    assert.deepEqual(await filters('model', 'model'), ['model']) // it goes on with its value
    client.close(uri)
  })

  test('folds and symbols', async () => {
    const uri = client.open(
      '---\nversion: 2.2\n---\n<|start|>user<|message|>One\ntwo<|end|>\n' +
        '<|start|>assistant<|channel|>analysis<|message|>Hm<|end|>\n' +
        '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n',
    )
    const folds = await client.request<FoldingRange[]>('textDocument/foldingRange', { textDocument: { uri } })
    assert.deepEqual(folds, [
      { startLine: 0, endLine: 2 },
      { startLine: 4, endLine: 6 },
      { startLine: 5, endLine: 6, kind: 'region' },
    ])
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    })
    assert.deepEqual(
      symbols.map(({ name, children }) => [name, children?.map((it) => `${it.name} | ${it.detail}`)]),
      [
        ['Header', ['version | 2.2']],
        [
          'Turn 1',
          ['user: One two | final', 'assistant: Hm | analysis · hidden', '→ f | commentary · hidden'],
        ],
      ],
    )
    client.close(uri)
  })

  test('an outline that leaves messages out keeps the keys of the header', async () => {
    const hidden = '<|start|>assistant<|channel|>analysis<|message|>Hm<|end|>\n'
    const uri = client.open(`version: 2.2\n<|start|>user<|message|># One<|end|>\n${hidden.repeat(5000)}`)
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    })
    assert.deepEqual(
      symbols.map(({ name, children }) => [name, children?.map((it) => it.name)]),
      [
        ['Header', ['version']],
        ['Turn 1', ['user: # One']],
        ['More messages', undefined],
      ],
    )
    client.close(uri)
  })

  test('a quick fix is bound to the version, and fixing all is a source action', async () => {
    const uri = client.open('version: 2.2\n<|start|>user<|message|>a <|channel|> b<|end|>\n')
    await client.pull(uri)
    const params = (only?: readonly string[]) => ({
      textDocument: { uri },
      range: { start: at(1, 30), end: at(1, 30) },
      context: { diagnostics: [], ...(only && { only }) },
    })
    const fixes = await client.request<CodeAction[]>('textDocument/codeAction', params())
    const [fix] = fixes.filter(({ diagnostics }) => diagnostics?.[0]?.data.rule === 'token-in-body')
    const edits = [{ range: { start: at(1, 26), end: at(1, 26) }, newText: '<' }]
    assert.equal(fix?.kind, 'quickfix')
    assert.equal(fix?.isPreferred, true)
    const [change] = fix?.edit?.documentChanges ?? []
    assert.ok(change && 'edits' in change)
    assert.deepEqual(change.edits, edits)
    assert.ok(change.textDocument.version)
    const [all] = await client.request<CodeAction[]>('textDocument/codeAction', params(['source.fixAll']))
    assert.equal(all?.kind, 'source.fixAll.openchatml')
    assert.deepEqual(await client.request('textDocument/codeAction', params(['refactor'])), [])
    client.close(uri)
  })

  test('calls and replies: definition, references, highlights, rename', async () => {
    const uri = client.open(
      '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n' +
        '<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>1<|end|>\n',
    )
    const [link] = await client.request<{ targetSelectionRange: unknown }[]>(
      'textDocument/definition',
      behind(uri, 1, 40),
    )
    assert.deepEqual(link?.targetSelectionRange, { start: at(0, 42), end: at(0, 44) })
    const all = await client.request<unknown[]>('textDocument/references', {
      ...behind(uri, 0, 43),
      context: { includeDeclaration: true },
    })
    assert.equal(all.length, 2)
    assert.equal(
      (await client.request<unknown[]>('textDocument/documentHighlight', behind(uri, 0, 43))).length,
      2,
    )
    const rename = (newName: string) =>
      client.request('textDocument/rename', { ...behind(uri, 0, 43), newName })
    assert.match(JSON.stringify(await rename('c2')), /"newText":"c2".*"newText":"c2"/)
    await assert.rejects(rename('c 2'), /whitespace/)
    client.close(uri)
  })

  test('each case of a header has a lens for a client with a command', async () => {
    const text =
      'inputs: {a: }\ncases:\n  first: {a: 1}\n  "2": {a: 2}\n<|start|>user<|message|>{{ a }}<|end|>\n'
    const lensesOf = async (of: LspClient) => {
      const uri = of.open(text)
      return of.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } })
    }
    const able = await startClient({ initializationOptions: { filledPromptCommand: 'show' } })
    const lenses = await lensesOf(able)
    await able.stop()
    assert.deepEqual(
      lenses.map(({ range, command }) => [range.start.line, command?.command, command?.arguments?.[1]]),
      [
        [2, 'show', 'first'],
        [3, 'show', '2'],
      ],
    )
    assert.deepEqual(await lensesOf(client), [])
  })

  test('tools: lenses, hints, call hierarchy, actions, arguments', async () => {
    const uri = client.open(
      'version: 2.2\n<|start|>developer<|message|>namespace functions {\ntype f = (_: {\ncity: string,\n}) => any;\n}<|end|>\n' +
        '<|start|>user<|message|>Hi<|end|>\n' +
        '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n',
    )
    const document = { textDocument: { uri } }
    const lenses = await client.request<unknown[]>('textDocument/codeLens', document)
    assert.match(JSON.stringify(lenses), /"line":2,"character":5.*"title":"1 call"/)
    const range = { start: at(0, 0), end: at(8, 0) }
    const hints = await client.request<{ label: unknown }[]>('textDocument/inlayHint', { ...document, range })
    assert.deepEqual(
      hints.map(({ label }) => label),
      ['no reply'],
    )
    const [item] = await client.request<{ name: string }[]>(
      'textDocument/prepareCallHierarchy',
      behind(uri, 2, 6),
    )
    assert.equal(item?.name, 'functions.f')
    const incoming = await client.request<unknown[]>('callHierarchy/incomingCalls', { item })
    assert.match(JSON.stringify(incoming), /"name":"Turn 1"/)
    const [from] = (incoming as { from: unknown }[]).map((it) => it.from)
    const outgoing = await client.request<unknown[]>('callHierarchy/outgoingCalls', { item: from })
    assert.match(JSON.stringify(outgoing), /"name":"functions\.f"/)
    const actions = await client.request<{ title: string }[]>('textDocument/codeAction', {
      ...document,
      range: { start: at(7, 90), end: at(7, 90) },
      context: { diagnostics: [] },
    })
    assert.ok(actions.some(({ title }) => title === 'Insert a reply to this call'))
    const proposals = await client.request<{ label: string }[]>('textDocument/completion', behind(uri, 7, 94))
    assert.deepEqual(
      proposals.map(({ label }) => label),
      ['city', 'deadline_ms'],
    )
    client.close(uri)
  })

  test('semantic tokens of a range, cut at line breaks', async () => {
    const uri = client.open('<|start|>user<|message|><|literal|>a\r\nb<|endliteral|><|end|>\n')
    const { data } = await client.request<{ data: number[] }>('textDocument/semanticTokens/range', {
      textDocument: { uri },
      range: { start: at(0, 0), end: at(1, 0) },
    })
    assert.equal(data.length % 5, 0)
    const lines = data.filter((_, index) => index % 5 === 0).reduce((sum, delta) => sum + delta, 0)
    assert.equal(lines, 0)
    client.close(uri)
  })

  test('at most as many problems as wanted are reported, and the last entry says how many more there are', async () => {
    const uri = client.open('version: 2.2\n' + twoChannels.slice(13).repeat(7))
    client.configure({ maxProblems: 3 })
    await client.notification('workspace/diagnostic/refresh')
    const diagnostics = (await client.diagnostics(uri)).map(({ message }) => message)
    assert.equal(diagnostics.length, 3)
    assert.equal(diagnostics[2], '5 more problems are not shown: the limit `openchatml.maxProblems` is 3')
    client.configure(null)
    await client.notification('workspace/diagnostic/refresh')
    client.close(uri)
  })

  test('a forced dialect is obeyed', async () => {
    const uri = client.open('<|im_start|>user\nHi<|im_end|>\n')
    const head = () => client.request<Hover | null>('textDocument/hover', behind(uri, 0, 2))
    assert.match(JSON.stringify(await head()), /Opens a message/)
    client.configure({ dialect: '2.2' })
    await client.notification('workspace/diagnostic/refresh')
    assert.equal(await head(), null)
    client.configure(null)
    await client.notification('workspace/diagnostic/refresh')
    client.close(uri)
  })
})

test('a canceled request is answered with an error, never with an empty result', async () => {
  const client = await startClient()
  const uri = client.open('<|start|>user<|message|>Hi\nthere<|end|>\n'.repeat(20_000))
  const source = new CancellationTokenSource()
  const request = client.request('textDocument/foldingRange', { textDocument: { uri } }, source.token)
  source.cancel()
  await assert.rejects(request, (error: ResponseError) => {
    assert.equal(error.code, LSPErrorCodes.RequestCancelled)
    return true
  })
  assert.equal(await client.stop(), 0)
})

test('work that a change overtakes is answered with an error, and diagnostics ask to be pulled again', async () => {
  const client = await startClient()
  const uri = client.open('<|start|>user<|message|>Hi\nthere<|end|>\n'.repeat(20_000))
  const folds = client.request('textDocument/foldingRange', { textDocument: { uri } })
  const pull = client.pull(uri)
  const outcomes = Promise.allSettled([folds, pull])
  client.change(uri, { range: { start: at(0, 0), end: at(0, 0) }, text: ' ' })
  const [folding, diagnostics] = await outcomes
  for (const outcome of [folding, diagnostics]) {
    // On a fast machine the work may be done before the change comes in.
    if (outcome.status === 'fulfilled') continue
    assert.ok(outcome.reason instanceof ResponseError)
    assert.ok([LSPErrorCodes.ContentModified, LSPErrorCodes.ServerCancelled].includes(outcome.reason.code))
  }
  assert.equal((await client.pull(uri)).kind, 'full')
  assert.equal(await client.stop(), 0)
})

test('diagnostics are pushed to a client that cannot pull, and taken away when the document closes', async () => {
  const { diagnostic: _, ...textDocument } = editorCapabilities.textDocument ?? {}
  const client = await startClient({ capabilities: { textDocument } })
  const uri = client.open(twoChannels)
  type Published = { uri: string; version?: number; diagnostics: { code: string }[] }
  const published = () =>
    client.notification<Published>('textDocument/publishDiagnostics', (it) => it.uri === uri)
  assert.deepEqual(
    (await published()).diagnostics.map(({ code }) => code),
    ['E-PARSE-HEADER'],
  )
  client.change(uri, { range: { start: at(1, 37), end: at(1, 58) }, text: '' })
  assert.deepEqual((await published()).diagnostics, [])
  client.close(uri)
  assert.deepEqual((await published()).diagnostics, [])
  assert.equal(await client.stop(), 0)
})

test('the status tells dialect and numbers to clients that want them', async () => {
  const client = await startClient({ initializationOptions: { status: true } })
  const uri = client.open(`${twoChannels}<|start|>assistant<|channel|>final<|message|>Hi<|return|>`)
  assert.deepEqual(await client.notification('openchatml.status'), {
    uri,
    version: 2,
    dialect: '2.2',
    messages: 2,
    visibleMessages: 1,
    problems: 1,
    length: twoChannels.length + 57,
    lines: 3,
  })
  assert.equal(await client.stop(), 0)
})

test('garbage is answered with errors, and the server lives on', async () => {
  const client = await startClient()
  const uri = client.open('\ud83d<|<|start|>\u0000<|channel|><|\r<|message|>')
  client.notify('textDocument/didChange', { textDocument: { uri: 'file:///nowhere' }, contentChanges: [{}] })
  client.notify('textDocument/didChange', { textDocument: { uri }, contentChanges: [{ range: {}, text: 1 }] })
  client.notify('textDocument/didOpen', {})
  await assert.rejects(client.request('textDocument/hover', {}))
  await assert.rejects(client.request('textDocument/completion', null))
  await assert.rejects(client.request('textDocument/nothing', {}))
  client.change(uri, { range: { start: at(-1, -1), end: at(1e9, 1e9) }, text: twoChannels })
  assert.equal((await client.diagnostics(uri)).length, 1)
  assert.ok(client.log.every((line) => !line.includes('Need a tool')))
  assert.equal(await client.stop(), 0)
})

test('without a shutdown request, the exit code says so', async () => {
  const client = await startClient()
  assert.equal(await client.exit(), 1)
})

test('the command line starts the same server', async () => {
  const client = await startClient({ command: [process.execPath, 'dist/cli/ocm.js', 'lsp', '--stdio'] })
  const uri = client.open(twoChannels)
  assert.equal((await client.diagnostics(uri)).length, 1)
  assert.equal(await client.stop(), 0)
})
