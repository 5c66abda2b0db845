/** Datasets in VS Code: samples open as transcripts, and are saved into their lines only. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { eventually, nightly, test } from './harness.ts'

const lines = [
  '{"id": 1, "messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good day"}], "score": 1.0}',
  '{"text": "<|start|>user<|message|>Hi<|end|>\\n<|start|>assistant<|channel|>final<|message|>Yo<|return|>\\n", "id":2}',
  '{"messages": [',
  '',
  '{"text":"<|im_start|>user\\nOld<|im_end|>\\n"}',
]
const content = `\ufeff${lines.join('\r\n')}`

test('a dataset opens as a list, and as text where nobody asks', async () => {
  const uri = await dataset('opens.jsonl')
  await vscode.commands.executeCommand('vscode.open', uri)
  assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString())
  await vscode.commands.executeCommand('openchatml.openAsDataset', uri)
  await eventually('the list', () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
    return input instanceof vscode.TabInputCustom && input.viewType === 'openchatml.dataset'
  })
  await done(uri)
})

test('a sample has every language feature and a preview, and is saved into its line only', async () => {
  const uri = await dataset('saves.jsonl')
  await vscode.commands.executeCommand('openchatml.openSample', uri, 1)
  const document = await sample('saves.jsonl:1.ocm')
  assert.equal(document.languageId, 'openchatml')
  assert.match(document.getText(), /<\|start\|>user<\|message\|>Hello<\|end\|>/)
  await replace(document, 'Good day', 'Good <|channel|>')
  await eventually('a problem', () => vscode.languages.getDiagnostics(document.uri).length > 0)
  await replace(document, 'Good <|channel|>', 'Good evening')
  await vscode.commands.executeCommand('openchatml.showPreviewToSide', document.uri)
  await eventually('the preview', () =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ label }) => label.startsWith('Preview saves')),
    ),
  )
  await save(document)
  const expected = content.replace('Good day', 'Good evening')
  assert.equal(await textOf(uri), expected)
  const { text: request } = await vscode.commands.executeCommand<{ text: string }>(
    'openchatml.convertTo',
    document.uri,
    'sharegpt',
  )
  const { id, score } = JSON.parse(request)
  assert.deepEqual({ id, score }, { id: 1, score: 1 })

  await vscode.commands.executeCommand('openchatml.openSample', uri, 2)
  const text = await sample('saves.jsonl:2.ocm')
  await replace(text, 'Yo', 'Yo, "Ada"')
  await save(text)
  assert.equal(await textOf(uri), expected.replace('>Yo<', '>Yo, \\"Ada\\"<'))

  await done(uri)
})

test('what the list shows is exported, chosen by chance, split, and copied as a command', async () => {
  const uri = await dataset('taken.jsonl')
  await vscode.commands.executeCommand('openchatml.openAsDataset', uri)
  const target = vscode.Uri.joinPath(uri, '..', 'taken.out.jsonl')
  const run = (name: string, answers: object) =>
    vscode.commands.executeCommand(`openchatml.${name}`, uri, answers)
  await eventually('the list', async () => {
    await run('exportMatchingSamples', { query: 'score=1', to: target })
    return vscode.workspace.fs.stat(target).then(
      () => true,
      () => false,
    )
  })
  assert.equal(await textOf(target), `${lines[0]}\n`)
  await run('copyFilterCommand', {})
  assert.match(await vscode.env.clipboard.readText(), /^ocm filter score=1 \S*taken\.jsonl$/)
  await run('randomSample', { query: '', size: 2, seed: 1, to: target })
  assert.equal((await textOf(target)).split('\n').length, 3)
  const train = vscode.Uri.joinPath(uri, '..', 'taken.train.jsonl')
  await run('splitSamples', { parts: 'train 2, test 1', seed: 1, to: train })
  const test = vscode.Uri.joinPath(uri, '..', 'taken.test.jsonl')
  const all = [...(await textOf(train)).split('\n'), ...(await textOf(test)).split('\n')].filter(
    (it) => it !== '',
  )
  assert.deepEqual(all.sort(), [lines[0], lines[1], lines[4]].sort())
  for (const it of [target, train, test]) await vscode.workspace.fs.delete(it)
  await done(uri)
})

test('safe fixes of matching samples are applied as one change, which is undone', async () => {
  const fixable = '{"text": "version: 2.2\\n<|start|>assistant<|channel|> final<|message|>Hi<|return|>\\n"}'
  const text = `${fixable}\n${lines[0]}\n${fixable}\n${fixable}\n`
  const uri = await dataset('fixable.jsonl', text)
  await vscode.commands.executeCommand('openchatml.openAsDataset', uri)
  const fixed = text.replaceAll('|> final', '|>final').replace('|>final', '|> final')
  await eventually('the fixes', async () => {
    const answers = { query: 'line>1', isConfirmed: true }
    await vscode.commands.executeCommand('openchatml.fixMatchingSamples', uri, answers)
    return (await textOf(uri)) === fixed
  })
  await vscode.commands.executeCommand('openchatml.undoSampleChange', uri)
  assert.equal(await textOf(uri), text)
  await done(uri)
})

test('nothing is fixed by a configuration that has errors, or is too large to read', async () => {
  const text = '{"text": "version: 2.2\\n<|start|>assistant<|channel|> final<|message|>Hi<|return|>\\n"}\n'
  const uri = await dataset('configured/fixable.jsonl', text)
  const configuration = vscode.Uri.joinPath(uri, '..', '.openchatml.yaml')
  const configure = (it: string) => vscode.workspace.fs.writeFile(configuration, new TextEncoder().encode(it))
  const fix = () =>
    vscode.commands.executeCommand('openchatml.fixMatchingSamples', uri, { query: '', isConfirmed: true })
  await configure('rules: [\n')
  await vscode.commands.executeCommand('openchatml.openAsDataset', uri)
  await fix()
  assert.equal(await textOf(uri), text)
  await configure(`rules: {}\n${'#'.repeat(2 ** 20)}\n`)
  await fix()
  assert.equal(await textOf(uri), text)
  await configure('rules: {}\n')
  await eventually('the fix', async () => {
    await fix()
    return (await textOf(uri)) !== text
  })
  await vscode.workspace.fs.delete(configuration)
  await done(uri)
})

test('where a query finds nothing, no sample is deleted, moved, or duplicated', async () => {
  const text = `${lines[0]}\n${lines[1]}\n`
  const uri = await dataset('not-found.jsonl', text)
  await vscode.commands.executeCommand('openchatml.openAsDataset', uri)
  await vscode.commands.executeCommand('openchatml.deleteMatchingSamples', uri, { query: 'line>2' })
  for (const act of ['duplicateSample', 'moveSampleDown', 'deleteSample']) {
    await vscode.commands.executeCommand(`openchatml.${act}`, uri)
    assert.equal(await textOf(uri), text, act)
  }
  await done(uri)
})

test('duplicates are found, listed, and deleted as one change, which is undone', async () => {
  const text = `${lines[0]}\n${lines[1]}\n${lines[0]}\n`
  const uri = await dataset('repeated.jsonl', text)
  await vscode.commands.executeCommand('openchatml.openAsDataset', uri)
  await eventually('the samples without the duplicate', async () => {
    const matching = { query: 'problem:W-DATA-DUPLICATE', isConfirmed: true }
    await vscode.commands.executeCommand('openchatml.deleteMatchingSamples', uri, matching)
    return (await textOf(uri)) === `${lines[0]}\n${lines[1]}\n`
  })
  await vscode.commands.executeCommand('openchatml.undoSampleChange', uri)
  assert.equal(await textOf(uri), text)
  await eventually('the same after all samples were compared first', async () => {
    await vscode.commands.executeCommand('openchatml.checkDataset', uri, { query: '', isConfirmed: true })
    const matching = { query: 'problem:W-DATA-DUPLICATE', isConfirmed: true }
    await vscode.commands.executeCommand('openchatml.deleteMatchingSamples', uri, matching)
    return (await textOf(uri)) === `${lines[0]}\n${lines[1]}\n`
  })
  await done(uri)
})

nightly('next and previous go from sample to sample, and pass over what is none', async () => {
  const uri = await dataset('neighbours.jsonl')
  await vscode.commands.executeCommand('openchatml.openSample', uri, 1)
  await sample('neighbours.jsonl:1.ocm')
  await vscode.commands.executeCommand('openchatml.previousSample')
  await vscode.commands.executeCommand('openchatml.nextSample')
  await sample('neighbours.jsonl:2.ocm')
  await vscode.commands.executeCommand('openchatml.nextSample')
  const old = await sample('neighbours.jsonl:5.ocm')
  assert.equal(old.getText(), '<|im_start|>user\nOld<|im_end|>\n')
  await vscode.commands.executeCommand('openchatml.nextSample')
  await vscode.commands.executeCommand('openchatml.previousSample')
  const second = await sample('neighbours.jsonl:2.ocm')
  await vscode.commands.executeCommand('openchatml.previousSample', second.uri)
  await sample('neighbours.jsonl:1.ocm')
  await done(uri)
})

test('a sample follows the configuration of the project, as on the command line', async () => {
  const uri = await dataset('configured.jsonl', '{"text": "<|start|>asistant<|message|>Hi<|end|>"}\n')
  const configuration = vscode.Uri.joinPath(uri, '..', '.openchatml.yaml')
  await vscode.workspace.fs.writeFile(
    configuration,
    new TextEncoder().encode(
      'overrides:\n- files: configured.jsonl\n  rules:\n    unknown-role: information\n',
    ),
  )
  await vscode.commands.executeCommand('openchatml.openSample', uri, 1)
  const document = await sample('configured.jsonl:1.ocm')
  await eventually('the severity of the file', () =>
    vscode.languages
      .getDiagnostics(document.uri)
      .some(({ severity }) => severity === vscode.DiagnosticSeverity.Information),
  )
  await vscode.workspace.fs.delete(configuration)
  await done(uri)
})

test('a save is refused when another program changed the sample, and what was typed stays', async () => {
  const uri = await dataset('conflict.jsonl')
  await vscode.commands.executeCommand('openchatml.openSample', uri, 2)
  const document = await sample('conflict.jsonl:2.ocm')
  await replace(document, 'Yo', 'Mine')
  const theirs = content.replace('Yo', 'Theirs')
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(theirs))
  assert.equal(await document.save(), false)
  assert.equal(await textOf(uri), theirs)
  assert.ok(document.isDirty && document.getText().includes('Mine'))
  await vscode.window.showTextDocument(document)
  await vscode.commands.executeCommand('workbench.action.files.revert')
  await eventually('their text', () => document.getText().includes('Theirs'))
  await replace(document, 'Theirs', 'Mine')
  assert.equal(await document.save(), true, 'what is typed after the revert is saved')
  assert.equal(await textOf(uri), content.replace('Yo', 'Mine'))
  await done(uri)
})

/** A sample in which somebody typed, while another program changed it; both were compared. */
async function comparedWithAnother(name: string) {
  const uri = await dataset(name)
  await vscode.commands.executeCommand('openchatml.openSample', uri, 2)
  const document = await sample(`${name}:2.ocm`)
  await replace(document, 'Yo', 'Me')
  const theirs = content.replace('Yo', 'It') // of the same size, so that VS Code does not see a change itself
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(theirs))
  await eventually('their text beside what was typed', async () => {
    const compared = await vscode.workspace.fs.readFile(document.uri)
    return new TextDecoder().decode(compared).includes('It')
  })
  return { uri, document, theirs }
}

nightly(
  'a save is refused, too, after what another program wrote was compared with what was typed',
  async () => {
    const { uri, document, theirs } = await comparedWithAnother('compared.jsonl')
    assert.equal(await document.save(), false)
    assert.equal(await textOf(uri), theirs)
    await vscode.window.showTextDocument(document)
    await vscode.commands.executeCommand('workbench.action.files.revert')
    await eventually('their text', () => !document.isDirty && document.getText().includes('It'))
    await replace(document, 'It', 'Me')
    assert.equal(await document.save(), true)
    assert.equal(await textOf(uri), content.replace('Yo', 'Me'))
    await done(uri)
  },
)

nightly(
  'what another program wrote is shown, and not replaced, if an edit is undone after the comparison',
  async () => {
    const { uri, document } = await comparedWithAnother('undone.jsonl')
    await vscode.window.showTextDocument(document)
    await vscode.commands.executeCommand('undo')
    await eventually('their text', () => !document.isDirty && document.getText().includes('It'))
    await replace(document, 'It', 'Me')
    assert.equal(await document.save(), true)
    assert.equal(await textOf(uri), content.replace('Yo', 'Me'))
    await done(uri)
  },
)

nightly('undoing past a change of the file does not save the text of one sample over another', async () => {
  const [one, two, three] = ['One', 'Two', 'Three'].map((it) =>
    JSON.stringify({ messages: [{ role: 'user', content: it }] }),
  )
  const uri = await dataset('renumbered.jsonl', `${one}\n${two}\n${three}\n`)
  await vscode.commands.executeCommand('openchatml.openSample', uri, 2)
  const document = await sample('renumbered.jsonl:2.ocm')
  assert.match(document.getText(), /Two/)
  const left = `${two}\n${three}\n`
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(left))
  await eventually('the sample that has the number now', () => document.getText().includes('Three'))
  await vscode.window.showTextDocument(document)
  await vscode.commands.executeCommand('undo')
  await eventually('the text before', () => document.getText().includes('Two'))
  assert.equal(await document.save(), false)
  assert.equal(await textOf(uri), left)
  await vscode.commands.executeCommand('workbench.action.files.revert')
  await eventually('the sample of the file', () => document.getText().includes('Three'))
  await done(uri)
})

test('two samples are compared', async () => {
  const uri = await dataset('compared.jsonl')
  await vscode.commands.executeCommand('openchatml.compareSamples', uri, 1, 2)
  const input = await eventually('the comparison', () => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {}
    return input instanceof vscode.TabInputTextDiff && input
  })
  assert.match(input.original.path, /compared\.jsonl:1\.ocm$/)
  assert.match(input.modified.path, /compared\.jsonl:2\.ocm$/)
  await done(uri)
})

nightly('an element of a JSON list is a sample as well', async () => {
  const uri = await dataset(
    'list.json',
    '[\n  {"messages": [{"role": "user", "content": "One"}]},\n  {"text": "x"}\n]\n',
  )
  await vscode.commands.executeCommand('openchatml.openSample', uri, 0)
  const document = await sample('list.json:0.ocm')
  await replace(document, 'One', 'Two')
  await save(document)
  assert.equal(
    await textOf(uri),
    '[\n  {"messages": [{"role": "user", "content": "Two"}]},\n  {"text": "x"}\n]\n',
  )
  await done(uri)
})

nightly(
  'the form of a file is chosen and written into the configuration, and its samples are edited in their columns',
  async () => {
    const text = '{"q": "Question", "a": "Answer", "id": 1}\n{"q": "Other", "a": "Reply", "id": 2}\n'
    const uri = await dataset('mapped.jsonl', text)
    const configuration = vscode.Uri.joinPath(uri, '..', '.openchatml.yaml')
    const columns = { prompt: 'q', response: 'a' }
    await vscode.commands.executeCommand('openchatml.chooseForm', uri, { columns }, false)
    await vscode.commands.executeCommand('openchatml.openSample', uri, 1)
    const document = await sample('mapped.jsonl:1.ocm')
    assert.match(document.getText(), /user<\|message\|>Question.*\n.*final<\|message\|>Answer/)
    await vscode.commands.executeCommand('openchatml.chooseForm', uri, { columns }, true)
    assert.equal(
      await textOf(configuration),
      'datasets:\n  - file_name: "./mapped.jsonl"\n    columns:\n      prompt: q\n      response: a\n',
    )
    await vscode.commands.executeCommand('openchatml.openSample', uri, 2)
    const other = await sample('mapped.jsonl:2.ocm')
    await replace(other, 'Reply', 'Good reply')
    await save(other)
    assert.equal(await textOf(uri), text.replace('Reply', 'Good reply'))
    await vscode.workspace.fs.delete(configuration)
    await done(uri)
  },
)

nightly(
  'a configuration that the form of a file is written into keeps all its bytes, or is left alone',
  async () => {
    const uri = await dataset('kept.jsonl', '{"q": "Question", "a": "Answer"}\n')
    const configuration = vscode.Uri.joinPath(uri, '..', '.openchatml.yaml')
    const written = async (before: Uint8Array) => {
      await vscode.workspace.fs.writeFile(configuration, before)
      const columns = { prompt: 'q', response: 'a' }
      await vscode.commands.executeCommand('openchatml.chooseForm', uri, { columns }, true)
      return [...(await vscode.workspace.fs.readFile(configuration))]
    }
    const marked = new TextEncoder().encode('\ufeff# é\r\nintent: training\r\n')
    const kept = await written(marked)
    assert.deepEqual(kept.slice(0, marked.length), [...marked])
    assert.ok(kept.length > marked.length)
    const invalid = Uint8Array.of(...marked, 0x23, 0xff, 0x0a)
    assert.deepEqual(await written(invalid), [...invalid])
    await vscode.workspace.fs.delete(configuration)
    await done(uri)
  },
)

test('a branch of a pair is switched to and saved on its own, and branches are compared', async () => {
  const text = '{"prompt": "Hi", "chosen": "Good day", "rejected": "What?"}\n'
  const uri = await dataset('pairs.jsonl', text)
  await vscode.commands.executeCommand('openchatml.openSample', uri, 1)
  const chosen = await sample('pairs.jsonl:1.ocm')
  assert.match(chosen.getText(), /final<\|message\|>Good day/)
  await replace(chosen, 'Good day', 'Good evening')
  await vscode.commands.executeCommand('openchatml.switchBranch', undefined, 'rejected')
  const rejected = await sample('pairs.jsonl:1 (rejected).ocm')
  assert.match(rejected.getText(), /final<\|message\|>What\?/)
  await replace(rejected, 'What?', 'Go away')
  await save(rejected)
  await save(chosen)
  assert.equal(
    await textOf(uri),
    text.replace('What?', 'Go away').replace('day', 'evening'),
    'an edit of one branch still fits after the other one is saved, which the editor may do by itself',
  )
  await replace(rejected, 'Hi', 'Hello')
  await save(rejected)
  await eventually('the prompt in both branches', () => chosen.getText().includes('>Hello<'))
  await vscode.commands.executeCommand('openchatml.compareBranches')
  const input = await eventually('the comparison', () => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {}
    return input instanceof vscode.TabInputTextDiff && input
  })
  assert.match(input.original.path, /pairs\.jsonl:1 \(rejected\)\.ocm$/)
  assert.match(input.modified.path, /pairs\.jsonl:1\.ocm$/)
  await done(uri)
})

nightly('problems of the other branch are shown, lead to it, and are gone once it is saved', async () => {
  const key = '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'
  const uri = await dataset(
    'secret.jsonl',
    `{"prompt": "Key?", "chosen": "No", "rejected": "It is ${key}"}\n`,
  )
  await vscode.commands.executeCommand('openchatml.openSample', uri, 1)
  const chosen = await sample('secret.jsonl:1.ocm')
  const messages = () => vscode.languages.getDiagnostics(chosen.uri).map(({ message }) => message)
  const expected = 'Branch `rejected`: The message contains a secret: `Hugging Face`'
  await eventually('the problem', () => messages().join() === expected)
  const actions = await quickFixes(chosen.uri, chosen.lineAt(0).range)
  const titles = actions.map(({ title }) => title)
  assert.deepEqual(titles, [
    'Switch to branch rejected',
    'Turn off secret in this project (.openchatml.yaml)',
  ])
  const { command } = actions[0] ?? {}
  await vscode.commands.executeCommand(command?.command ?? '', ...(command?.arguments ?? []))
  const rejected = await sample('secret.jsonl:1 (rejected).ocm')
  const start = rejected.positionAt(rejected.getText().indexOf(key))
  const redact = await eventually('the fix', async () =>
    (await quickFixes(rejected.uri, new vscode.Range(start, start))).find(
      ({ title }) => title === 'Redact it',
    ),
  )
  assert.ok(redact.edit && (await vscode.workspace.applyEdit(redact.edit)))
  await save(rejected)
  assert.equal(await textOf(uri), '{"prompt": "Key?", "chosen": "No", "rejected": "It is [REDACTED]"}\n')
  await eventually('that the problem is gone', () => messages().length === 0)
  await done(uri)
})

function quickFixes(uri: vscode.Uri, range: vscode.Range): Thenable<readonly vscode.CodeAction[]> {
  const kind = vscode.CodeActionKind.QuickFix.value
  return vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, range, kind)
}

async function dataset(name: string, text = content): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder, 'a folder is open')
  const uri = vscode.Uri.joinPath(folder, name)
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text))
  return uri
}

function sample(name: string): Promise<vscode.TextDocument> {
  return eventually(name, () => {
    const document = vscode.window.activeTextEditor?.document
    return document?.uri.scheme === 'openchatml-sample' && document.uri.path.endsWith(name) && document
  })
}

/** Saves `document`, unless the editor has just done that by itself. */
async function save(document: vscode.TextDocument): Promise<void> {
  await document.save()
  await eventually('that it is saved', () => !document.isDirty)
}

async function replace(document: vscode.TextDocument, before: string, after: string): Promise<void> {
  const start = document.getText().indexOf(before)
  assert.ok(start >= 0, `${before} in ${document.getText()}`)
  const edit = new vscode.WorkspaceEdit()
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length))
  edit.replace(document.uri, range, after)
  await vscode.workspace.applyEdit(edit)
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(uri))
}

async function done(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors')
  await vscode.workspace.fs.delete(uri)
}
