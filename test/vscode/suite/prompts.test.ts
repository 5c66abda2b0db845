/** Prompts in VS Code: an input is misspelt and fixed, a case is added, the filled prompt follows, and is compared with a commit. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import * as vscode from 'vscode'
import { eventually, test } from './harness.ts'
import { closed, run } from './untitled-documents.ts'

const prompt = `version: 2.2
inputs:
  customer: { type: string }
cases:
  one: { customer: "Ada<|end|>" }
budgets:
  prompt: 3
<|start|>developer<|message|>Help {{ custmer }}. {% include "parts/style.md" %}<|end|>
`

const chatTemplate = '{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}'

test('a prompt is written, filled with a case, and compared with the last commit', async () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder)
  const at = (path: string) => vscode.Uri.joinPath(folder, 'prompts', path)
  const write = (path: string, text: string) =>
    vscode.workspace.fs.writeFile(at(path), new TextEncoder().encode(text))
  await write('support.ocm', prompt)
  await write('parts/style.md', 'Be kind.\n')
  const document = await vscode.workspace.openTextDocument(at('support.ocm'))
  await vscode.window.showTextDocument(document)

  const problem = await eventually('the problem', () =>
    vscode.languages.getDiagnostics(document.uri).find((it) => it.message.includes('custmer')),
  )
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    problem.range,
    vscode.CodeActionKind.QuickFix.value,
    10,
  )
  const fix = actions.find(({ title }) => title.includes('customer'))
  assert.ok(fix?.edit)
  assert.ok(await vscode.workspace.applyEdit(fix.edit))
  assert.ok(document.getText().includes('Help {{ customer }}'), document.getText())
  assert.ok(await document.save())

  // What needs the cases, the parts, and the tokens is a problem, too.
  const messagesOfProblems = () => vscode.languages.getDiagnostics(document.uri).map(({ message }) => message)
  await eventually('the budget', () =>
    messagesOfProblems().some((it) => /has \d+ tokens in the case `one`, more than 3/.test(it)),
  )
  const token = await eventually('the token', () =>
    vscode.languages.getDiagnostics(document.uri).find((it) => it.message.includes('token `<|end|>`')),
  )
  const ofToken = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    token.range,
    vscode.CodeActionKind.QuickFix.value,
  )
  assert.ok(
    ofToken.some(({ title }) => title === 'Turn off token-in-value in this transcript'),
    ofToken.map(({ title }) => title).join('\n'),
  )

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: at('.').fsPath,
    })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'One')

  const shown = await run<vscode.Uri>('showFilledPrompt', document.uri, 'one', 'ocm')
  assert.ok(shown)
  const filled = await vscode.workspace.openTextDocument(shown)
  assert.match(filled.getText(), /Help Ada<<\|end\|>\. Be kind\.<\|end\|>/)

  // What a part and an input wrote leads to where it comes from.
  const definition = (word: string) =>
    vscode.commands.executeCommand<(vscode.LocationLink | vscode.Location)[]>(
      'vscode.executeDefinitionProvider',
      filled.uri,
      filled.positionAt(filled.getText().indexOf(word) + 1),
    )
  const [origin] = await definition('Ada')
  assert.ok(origin && 'targetUri' in origin)
  assert.equal(document.getText(origin.targetRange), '{{ customer }}')

  const edit = new vscode.WorkspaceEdit()
  const style = await vscode.workspace.openTextDocument(at('parts/style.md'))
  edit.replace(style.uri, new vscode.Range(0, 3, 0, 7), 'brief')
  await vscode.workspace.applyEdit(edit)
  await eventually('the change of the part', () => filled.getText().includes('Be brief.'))
  await style.save()

  // Why there is none is plain text, and true.
  const header = new vscode.WorkspaceEdit()
  header.insert(document.uri, new vscode.Position(1, 0), 'broken: {} x\n')
  await vscode.workspace.applyEdit(header)
  const unread = 'This prompt cannot be filled:\nUnexpected text after the value\n'
  await eventually('the reason', () => filled.getText() === unread && filled.languageId === 'plaintext')
  assert.equal(vscode.languages.getDiagnostics(filled.uri).length, 0)
  const restored = new vscode.WorkspaceEdit()
  restored.delete(document.uri, new vscode.Range(1, 0, 2, 0))
  await vscode.workspace.applyEdit(restored)
  await eventually('the prompt', () => filled.getText().includes('Ada') && filled.languageId === 'openchatml')
  const lensesOf = (uri: vscode.Uri) =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri)
  await eventually('the lens of the case', async () => {
    const [lens] = (await lensesOf(document.uri)).flatMap(({ command }) => command ?? [])
    if (lens?.command !== 'openchatml.showFilledPrompt') return false
    return JSON.stringify(lens.arguments) === JSON.stringify([document.uri.toString(), 'one'])
  })
  assert.equal(String(await run('showFilledPrompt', document.uri.toString(), 'one', 'ocm')), String(shown))

  // Paths of parts are suggested folder by folder.
  await write('parts/deep/more.txt', 'More.\n')
  await write('parts/data.jsonl', '{}\n')
  const suggested = async (name: string, tag: string) => {
    await write(`drafts/${name}`, tag)
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      at(`drafts/${name}`),
      new vscode.Position(0, tag.length),
      '"',
    )
    const kinds = [vscode.CompletionItemKind.File, vscode.CompletionItemKind.Folder]
    return items.flatMap(({ kind, label, insertText = label }) =>
      kind !== undefined && kinds.includes(kind) ? String(insertText) : [],
    )
  }
  assert.deepEqual(await suggested('a.md', '{% include "'), [], 'nothing but the file itself')
  assert.deepEqual(await suggested('b.md', '{% include "'), ['a.md'])
  assert.deepEqual(await suggested('c.ocm', "<|start|>user<|message|>{%- include '../parts/"), [
    'deep/',
    'style.md',
  ])
  assert.deepEqual(await suggested('d.txt', '{% include "../parts/deep/mo'), ['more.txt'])
  assert.deepEqual(await suggested('e.md', '{% include "../../../'), [], 'outside of the workspace')
  assert.deepEqual(await suggested('f.md', 'include "'), [], 'not a tag')

  // The same prompt as other targets get it, in the same tab, with its size above it.
  await write(
    'model/tokenizer_config.json',
    JSON.stringify({ bos_token: '<s>', chat_template: chatTemplate }),
  )
  const asJson = await run<vscode.Uri>('choosePromptTarget', shown, 'messages')
  assert.ok(asJson)
  const messages = await vscode.workspace.openTextDocument(asJson)
  assert.equal(messages.languageId, 'json')
  assert.equal(JSON.parse(messages.getText()).messages[0].content, 'Help Ada<|end|>. Be brief.')
  const titles = await eventually('the tokens', async () => {
    const found = (await lensesOf(messages.uri)).map(({ command }) => command?.title ?? '')
    return found.some((it) => it.startsWith('developer: ')) && found
  })
  assert.ok(
    titles.some((it) => it.endsWith('Case: one')),
    titles.join('\n'),
  )
  assert.ok(
    titles.some((it) => /^\d+ tokens$/.test(it)),
    titles.join('\n'),
  )
  const templateUri = at('model/tokenizer_config.json').with({ fragment: 'default' })
  const asText = await run<vscode.Uri>('choosePromptTarget', asJson, 'chat-template', templateUri)
  assert.ok(asText)
  const text = await vscode.workspace.openTextDocument(asText)
  assert.equal(text.getText(), '<s>developer: Help Ada<|end|>. Be brief.')
  const [inText] = await vscode.commands.executeCommand<vscode.LocationLink[]>(
    'vscode.executeDefinitionProvider',
    text.uri,
    text.positionAt(text.getText().indexOf('Ada') + 1),
  )
  assert.equal(inText && document.getText(inText.targetRange), '{{ customer }}')
  const tabs = vscode.window.tabGroups.all.flatMap((it) => it.tabs.map(({ input }) => input))
  const filledTabs = tabs.filter(
    (it) => it instanceof vscode.TabInputText && it.uri.scheme === 'openchatml-filled',
  )
  assert.equal(filledTabs.length, 1)

  const cases = await run<vscode.Uri>('newCase', document.uri, 'two')
  assert.ok(cases)
  const file = await vscode.workspace.openTextDocument(cases)
  assert.equal(file.getText(), 'two:\n  customer: ""\n')
  const insideQuotes = file.positionAt(file.getText().indexOf('""') + 1)
  assert.deepEqual(
    vscode.window.activeTextEditor?.selection,
    new vscode.Selection(insideQuotes, insideQuotes),
  )
  await eventually('the lens of the case in the file', async () => {
    const [lens] = (await lensesOf(file.uri)).flatMap(({ command }) => command ?? [])
    return (
      lens?.command === 'openchatml.showFilledPrompt' &&
      JSON.stringify(lens.arguments?.map(String)) === JSON.stringify([document.uri.toString(), 'two'])
    )
  })
  await file.save()
  const typo = new vscode.WorkspaceEdit()
  typo.insert(file.uri, new vscode.Position(2, 0), 'three: { custoner: Bo }\n')
  await vscode.workspace.applyEdit(typo)
  await eventually('the problems of the case', () => {
    const found = vscode.languages.getDiagnostics(file.uri).map(({ message }) => message)
    return found.length === 2 && found.some((it) => it.includes('did you mean `customer`'))
  })
  const fixed = new vscode.WorkspaceEdit()
  fixed.delete(file.uri, new vscode.Range(2, 0, 3, 0))
  await vscode.workspace.applyEdit(fixed)
  await file.save()

  await write('data.jsonl', '{"customer":1}\n{"customer":"true","other":2}\n')
  assert.equal(await run('caseFromSample', document.uri, at('data.jsonl'), 1), undefined)
  assert.equal(await run('caseFromSample', document.uri, at('data.jsonl'), 7), undefined)
  assert.equal(await run('caseFromSample', document.uri, at('none.jsonl'), 1), undefined)
  assert.ok(await run('caseFromSample', document.uri, at('data.jsonl'), 2))
  assert.equal(file.getText(), 'two:\n  customer: ""\nsample 2:\n  customer: "true"\n')
  await file.save()

  // A name that is taken gets a number, and a list of JSON is a dataset, too.
  await write('list.json', '[{"messages":[],"customer":"Bo: 1"},{"messages":[],"customer":"Cy"}]')
  assert.ok(await run('caseFromSample', document.uri, at('list.json'), 0))
  assert.ok(await run('caseFromSample', document.uri, at('data.jsonl'), 2))
  const two = 'two:\n  customer: ""\nsample 2:\n  customer: "true"\n'
  assert.equal(file.getText(), `${two}sample 0:\n  customer: "Bo: 1"\nsample 2-2:\n  customer: "true"\n`)
  const shorter = new vscode.WorkspaceEdit()
  shorter.replace(file.uri, new vscode.Range(0, 0, file.lineCount, 0), two)
  await vscode.workspace.applyEdit(shorter)
  await file.save()

  const hash = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: at('.').fsPath, encoding: 'utf8' }).trim()
  assert.deepEqual(await run('comparePromptWithCommit', document.uri, 'ocm', hash), [
    'one',
    'two',
    'sample 2',
  ])
  const committed = async (caseName: string | null, commit: string | null) => {
    const query = JSON.stringify([document.uri.toString(), caseName, 'ocm', null, commit])
    return (await vscode.workspace.openTextDocument(filled.uri.with({ query }))).getText()
  }
  assert.match(await committed('one', hash), /Help Ada<<\|end\|>\. Be kind\.<\|end\|>/)
  assert.match(await committed(null, hash), /^one: \d+ tokens\n {2}developer: \d+\n$/)
  assert.match(await committed(null, null), /^one: \d+ tokens\n.*^two: \d+ tokens\n.*^sample 2: \d+ tokens/ms)

  // A part says who includes it, and the include follows when the part is renamed.
  const included = await eventually('who includes the part', async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      style.uri,
    )
    return lenses.find(({ command }) => command?.title === 'Included once')
  })
  const [, , places] = included.command?.arguments ?? []
  assert.equal(document.getText(places[0].range), 'parts/style.md')
  const renaming = new vscode.WorkspaceEdit()
  renaming.renameFile(style.uri, at('parts/tone.md'))
  assert.ok(await vscode.workspace.applyEdit(renaming))
  await eventually('the include', () => document.getText().includes('{% include "parts/tone.md" %}'))
  await document.save()

  // The cases follow their prompt, and so does what a commit has of it.
  const moving = new vscode.WorkspaceEdit()
  moving.renameFile(document.uri, at('help.ocm'))
  assert.ok(await vscode.workspace.applyEdit(moving))
  await eventually('the cases', () =>
    vscode.workspace.fs.stat(at('help.cases.yaml')).then(
      () => true,
      () => false,
    ),
  )
  await vscode.workspace.saveAll()
  git('add', '--all')
  assert.deepEqual(await run('comparePromptWithCommit', at('help.ocm'), 'ocm', hash), [
    'one',
    'two',
    'sample 2',
  ])
  const before = JSON.stringify([at('help.ocm').toString(), 'one', 'ocm', null, hash])
  const moved = await vscode.workspace.openTextDocument(filled.uri.with({ query: before }))
  assert.match(moved.getText(), /Help Ada<<\|end\|>\. Be kind\.<\|end\|>/)
  // A case that was removed since is compared, too.
  git('-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', 'Two')
  await write('help.cases.yaml', 'two: { customer: Bo }\n')
  const last = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: at('.').fsPath, encoding: 'utf8' }).trim()
  await eventually('the case that is gone', async () => {
    const names = await run<string[]>('comparePromptWithCommit', at('help.ocm'), 'ocm', last)
    return names?.join() === 'one,two,sample 2'
  })

  // What an agent did, beside what was expected of it.
  await write('run.ocm', 'version: 2.2\n<|start|>user<|message|>Hi Ada<|end|>\n')
  await write('run.expected.ocm', 'version: 2.2\n<|start|>user<|message|>Hi <any><|end|>\n')
  const sides = await run<readonly vscode.Uri[]>(
    'compareWithExpected',
    at('run.ocm'),
    at('run.expected.ocm'),
    'strict',
    'exact',
  )
  const [left, right] = await Promise.all((sides ?? []).map((it) => vscode.workspace.openTextDocument(it)))
  assert.match(left?.getText() ?? '', /1 of 1 steps match\n\nuser message\n {2}Hi Ada\n/)
  assert.equal(left?.getText(), right?.getText())
  await closed()
})
