/** The language features, as a person meets them in VS Code. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { eventually, nightly, test } from './harness.ts'
import { closed, shown } from './untitled-documents.ts'

const broken =
  'version: 2.2\n<|start|>assistant<|channel|>analysis<|channel|>commentary<|message|>Need a tool.<|end|>\n'

const unknownIntent = '<|start|>assistant intent=plan<|channel|>commentary<|message|>a<|end|>'

test('a mistake has a diagnostic with code, link and related place, which goes away when it is mended', async () => {
  const document = await shown(broken)
  const [diagnostic] = await eventually('the diagnostic', () =>
    nonEmpty(vscode.languages.getDiagnostics(document.uri)),
  )
  assert.ok(diagnostic)
  assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Error)
  assert.equal(diagnostic.source, 'openchatml')
  assert.equal(document.getText(diagnostic.range), '<|channel|>commentary')
  assert.ok(typeof diagnostic.code === 'object')
  assert.equal(diagnostic.code.value, 'E-PARSE-HEADER')
  assert.equal(
    decodeURIComponent(diagnostic.code.target.toString(true)),
    'command:openchatml.showRule?["repeated-channel"]',
  )
  assert.equal(diagnostic.relatedInformation?.length, 1)
  await replaced(document, diagnostic.range, '')
  await eventually('no diagnostic', () => vscode.languages.getDiagnostics(document.uri).length === 0)
})

test('a quick fix mends the text', async () => {
  const document = await shown('version: 2.2\n<|start|>user<|message|>The token <|channel|> opens.<|end|>\n')
  const [diagnostic] = await eventually('the diagnostic', () =>
    nonEmpty(vscode.languages.getDiagnostics(document.uri)),
  )
  assert.ok(diagnostic)
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    diagnostic.range,
  )
  const fix = actions.find(({ isPreferred }) => isPreferred)
  assert.ok(fix?.edit, 'a preferred quick fix')
  await vscode.workspace.applyEdit(fix.edit)
  assert.match(document.getText(), /The token <<\|channel\|> opens/)
  await eventually('no diagnostic', () => vscode.languages.getDiagnostics(document.uri).length === 0)
})

test('Fix All applies safe fixes, and leaves the others', async () => {
  const document = await shown(
    `version: 2.2\n${unknownIntent}\n<|start|>user<|message|>The token <|channel|> opens.<|end|>\n`,
  )
  await eventually('the problems', () => vscode.languages.getDiagnostics(document.uri).length >= 2)
  void vscode.commands.executeCommand('openchatml.fixAll') // ends when its message is closed
  await eventually('the safe fix', () => document.getText().includes('<<|channel|>'))
  assert.ok(document.getText().includes('intent=plan'))
})

for (const [title, written] of [
  ['Allow unknown-value in this message', /allow=unknown-value:reason/],
  ['Turn off unknown-value in this transcript', /lint:\n {2}unknown-value: "off"/],
] as const) {
  test(`a rule is suppressed by a quick fix: ${title}`, async () => {
    const document = await shown(`version: 2.2\n${unknownIntent}\n`)
    await eventually('the problem', () => vscode.languages.getDiagnostics(document.uri).length === 1)
    const action = await eventually('the quick fix', async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        document.lineAt(1).range,
      )
      return actions.find((it) => it.title === title)
    })
    assert.ok(action.edit)
    assert.ok(await vscode.workspace.applyEdit(action.edit))
    assert.match(document.getText(), written)
    await eventually('no problem', () => vscode.languages.getDiagnostics(document.uri).length === 0)
  })
}

nightly('the code of a problem opens the page of its rule, rendered', async () => {
  await shown(broken) // the extension is active
  await vscode.commands.executeCommand('openchatml.showRule', 'repeated-channel')
  const input = await eventually('the page', () => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup
    return activeTab?.label.includes('repeated-channel') && activeTab.input
  })
  assert.ok(input instanceof vscode.TabInputWebview)
  assert.match(input.viewType, /markdown\.preview/)
  await closed()
})

test('hover explains tokens, roles and who sees a message', async () => {
  const document = await shown(await sample('02-weather-tool.ocm'))
  const text = async (word: string) => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      placeOf(document, word, 3),
    )
    return hovers
      .flatMap(({ contents }) => contents.map((it) => (typeof it === 'string' ? it : it.value)))
      .join('\n')
  }
  assert.match(
    await eventually('hover', async () => (await text('<|channel|>analysis')) || undefined),
    /Declares the channel/,
  )
  const analysis = await text('analysis<|message|>Call')
  assert.match(analysis, /Private reasoning/)
  assert.match(analysis, /Hidden/)
  assert.match(await text('reasoning_effort'), /reasons on/)
})

test('completion in a header proposes what may stand there', async () => {
  const document = await shown('version: 2.2\n<|start|>assistant<|channel|>\n')
  const labels = async (position: vscode.Position) => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
    )
    return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label))
  }
  const end = new vscode.Position(1, document.lineAt(1).text.length)
  const channels = await eventually('completion', async () => nonEmpty(await labels(end)))
  assert.deepEqual(channels.slice(0, 3), ['analysis', 'commentary', 'final'])
  await replaced(document, new vscode.Range(end, end), 'final<|')
  const tokens = await labels(end.translate(0, 'final<|'.length))
  assert.ok(tokens.includes('<|message|>'))
  assert.ok(!tokens.includes('<|channel|>'))
})

test('messages and runs of hidden messages fold', async () => {
  const document = await shown(await sample('02-weather-tool.ocm'))
  const folds = await eventually('folds', async () =>
    nonEmpty(
      (await vscode.commands.executeCommand<vscode.FoldingRange[]>(
        'vscode.executeFoldingRangeProvider',
        document.uri,
      )) ?? [],
    ),
  )
  const firstLines = folds.map(({ start }) => document.lineAt(start).text)
  assert.ok(firstLines.some((line) => line.startsWith('<|start|>developer')))
  assert.ok(firstLines.some((line) => line.startsWith('<|start|>assistant<|channel|>analysis')))
})

test('the outline has turns with their messages', async () => {
  const document = await shown(await sample('02-weather-tool.ocm'))
  const symbols = await eventually('symbols', async () =>
    nonEmpty(
      (await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
        'vscode.executeDocumentSymbolProvider',
        document.uri,
      )) ?? [],
    ),
  )
  const turn = symbols.find(({ name }) => name === 'Turn 1')
  assert.ok(turn)
  assert.ok(turn.children.some(({ name }) => name === '→ get_current_weather'))
})

test('a restart of the server brings the diagnostics back', async () => {
  const document = await shown(broken)
  await eventually('the diagnostic', () => nonEmpty(vscode.languages.getDiagnostics(document.uri)))
  await vscode.commands.executeCommand('openchatml.restartServer')
  await eventually('the diagnostic', () => nonEmpty(vscode.languages.getDiagnostics(document.uri)))
})

async function sample(name: string): Promise<string> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder)
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name))
  return new TextDecoder().decode(bytes)
}

async function replaced(document: vscode.TextDocument, range: vscode.Range, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit()
  edit.replace(document.uri, range, text)
  assert.ok(await vscode.workspace.applyEdit(edit))
}

function placeOf(document: vscode.TextDocument, text: string, into: number): vscode.Position {
  const offset = document.getText().indexOf(text)
  assert.notEqual(offset, -1)
  return document.positionAt(offset + into)
}

function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined
}

test("VS Code's Markdown preview shows transcripts as users see them", async () => {
  const thought = '<|start|>assistant<|channel|>analysis<|message|>SECRET<|end|>'
  const text = `\`\`\`openchatml\n<|start|>user<|message|>How **far**?<|end|>\n${thought}\n\`\`\`\n`
  const html = await eventually('the extension of the preview', async () => {
    const shown = await vscode.commands.executeCommand<string>('markdown.api.render', text)
    return shown.includes('openchatml-transcript') && shown
  })
  assert.match(html, /<strong>far<\/strong>/)
  assert.match(html, /1 hidden message/)
  assert.doesNotMatch(html, /SECRET/)
})

nightly("VS Code's own actions resolve a merge conflict", async () => {
  const ours = '<|start|>assistant<|channel|>final<|message|>2 km.<|return|>\n'
  const theirs = ours.replace('2 km', '2,000 m')
  const first = 'version: 2.2\n<|start|>user<|message|>How far is it?<|end|>\n'
  const conflict = `${first}<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> units\n`
  const document = await shown(conflict)
  const editor = vscode.window.activeTextEditor
  assert.equal(editor?.document, document)
  await eventually('one problem', () => {
    const problems = vscode.languages.getDiagnostics(document.uri)
    return problems.length === 1 && problems[0]?.message.startsWith('Merge conflict between')
  })
  const line = document.positionAt(conflict.indexOf('2 km')).line
  editor.selection = new vscode.Selection(line, 0, line, 0)
  await eventually('the resolved text', async () => {
    if (document.getText() === conflict) await vscode.commands.executeCommand('merge-conflict.accept.current')
    return document.getText() === first + ours
  })
  await eventually('no problem', () => vscode.languages.getDiagnostics(document.uri).length === 0)
})
