/** The preview's commands and panels, as the editor knows them. What is on the page is looked at from outside. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import * as vscode from 'vscode'
import { untitledDocument } from '../../../client/src/untitled-document.ts'
import {
  analyze,
  factsOf,
  isVisible,
  type Segment,
  Transcript,
  visibleTexts,
} from '../../../core/src/internal.ts'
import { eventually, nightly, test } from './harness.ts'
import { shown } from './untitled-documents.ts'

const weather = '02-weather-tool.ocm'

/** What an exported page says by itself, and as what it writes quotes. */
const labels = 'User user Assistant assistant preamble cut off quot'

test('a panel follows the active transcript, and stays when it is locked', async () => {
  await opened(weather)
  await vscode.commands.executeCommand('openchatml.showPreviewToSide')
  await eventually('the preview', () => tabNamed(`Preview ${weather}`))
  await opened('03-preamble.ocm')
  await eventually('that it follows', () => tabNamed('Preview 03-preamble.ocm'))
  await vscode.commands.executeCommand('openchatml.togglePreviewLock')
  await eventually('the lock', () => tabNamed('[Preview] 03-preamble.ocm'))
  await opened(weather)
  assert.ok(tabNamed('[Preview] 03-preamble.ocm'))
  await vscode.commands.executeCommand('openchatml.togglePreviewLock')
  await closedAll()
})

for (const [register, command, title] of [
  [test, 'openchatml.show.everything', 'Everything'],
  [nightly, 'openchatml.show.context', 'Next Prompt'],
  [nightly, 'openchatml.show.replay', 'Replay'],
] as const) {
  register(`*${title}* belongs to its panel, and ends with its document`, async () => {
    await opened(weather)
    await vscode.commands.executeCommand('openchatml.showPreviewToSide')
    await eventually('the preview', () => tabNamed(`Preview ${weather}`))
    await vscode.commands.executeCommand(command)
    await eventually('the view', () => tabNamed(`${title} ${weather}`))
    await opened('03-preamble.ocm')
    await eventually('the usual view of another document', () => tabNamed('Preview 03-preamble.ocm'))
    await opened(weather)
    await eventually('the usual view again', () => tabNamed(`Preview ${weather}`))
    await vscode.commands.executeCommand(command)
    await eventually('the view', () => tabNamed(`${title} ${weather}`))
    await vscode.commands.executeCommand('openchatml.show.user')
    await eventually('the usual view once more', () => tabNamed(`Preview ${weather}`))
    await closedAll()
  })
}

test('a transcript opens as a preview with Reopen With…', async () => {
  const uri = fileAt(weather)
  await vscode.commands.executeCommand('vscode.openWith', uri, 'openchatml.previewEditor')
  const tab = await eventually('the custom editor', () =>
    allTabs().find(({ input }) => input instanceof vscode.TabInputCustom),
  )
  assert.ok(tab.input instanceof vscode.TabInputCustom)
  assert.equal(tab.input.uri.toString(), uri.toString())
  await vscode.commands.executeCommand('openchatml.showSource')
  await eventually(
    'the source',
    () => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString(),
  )
  await closedAll()
})

test('a conversation is exported as it is in the editor, without anything hidden', async () => {
  const document = await opened(weather)
  const target = vscode.Uri.joinPath(document.uri, '..', 'exported.html')
  await vscode.commands.executeCommand('openchatml.exportConversation', document.uri, {
    format: 'html',
    target,
  })
  const html = new TextDecoder().decode(await vscode.workspace.fs.readFile(target))
  assert.match(html, /What&#39;s the weather in Tokyo|What's the weather in Tokyo/)
  assert.doesNotMatch(html, /get_current_weather|sunny&quot;|Reasoning|analysis/)
  const markdown = vscode.Uri.joinPath(document.uri, '..', 'exported.md')
  await vscode.commands.executeCommand('openchatml.exportConversation', document.uri, {
    format: 'markdown',
    target: markdown,
  })
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(markdown))
  assert.match(text, /^# 02-weather-tool\.ocm\n\n\*\*User\*\*\n\n> What's the weather/)
  for (const uri of [target, markdown]) await vscode.workspace.fs.delete(uri)
  await closedAll()
})

test('the visible text of a document has nothing hidden, and follows the unsaved text', async () => {
  const document = await untitledDocument(
    '<|start|>system<|message|>Secret<|end|>\n<|start|>user name=Ada<|message|>Hello<|end|>\n',
    'openchatml',
  )
  const uri = vscode.Uri.from({
    scheme: 'openchatml-visible',
    path: '/a.txt',
    query: document.uri.toString(),
  })
  const visible = await vscode.workspace.openTextDocument(uri)
  assert.equal(visible.getText(), 'Ada (user)\n  Hello\n')
})

nightly(
  'a document without a file has a preview that goes with it, and so has one of another world',
  async () => {
    const unsaved = await shown('<|start|>user<|message|>Not saved<|end|>\n')
    await vscode.commands.executeCommand('openchatml.showPreviewToSide')
    const name = unsaved.uri.path.split('/').at(-1)
    await eventually('the preview', () => tabNamed(`Preview ${name}`))
    const files = vscode.workspace.registerFileSystemProvider('conversations', new Library(), {
      isReadonly: true,
    })
    const uri = vscode.Uri.parse('conversations:/library/shared.ocm')
    await vscode.commands.executeCommand('openchatml.showPreview', uri)
    await eventually('the preview of a virtual document', () => tabNamed('Preview shared.ocm'))
    const target = fileAt('exported.md')
    await vscode.commands.executeCommand('openchatml.exportConversation', uri, { format: 'markdown', target })
    assert.match(await readText(target), /> From far away\n$/)
    await vscode.workspace.fs.delete(target)
    files.dispose()
    await vscode.commands.executeCommand('workbench.action.closeAllEditors')
    await eventually('closed editors', () => allTabs().every((tab) => !tab.label.startsWith('Preview')))
  },
)

nightly('formulas go with the setting of the Markdown preview', async () => {
  const document = await untitledDocument('<|start|>user<|message|>$x^2$<|end|>\n', 'openchatml')
  const target = fileAt('exported.html')
  const exported = async () => {
    await vscode.commands.executeCommand('openchatml.exportConversation', document.uri, {
      format: 'html',
      target,
    })
    return readText(target)
  }
  const formula = /<msup><mi>x<\/mi><mn>2<\/mn><\/msup>/
  assert.match(await exported(), formula)
  const settings = vscode.workspace.getConfiguration('markdown.math')
  await settings.update('enabled', false, vscode.ConfigurationTarget.Global)
  await eventually('TeX as it is written', async () => (await exported()).includes('$x^2$'))
  await settings.update('enabled', undefined, vscode.ConfigurationTarget.Global)
  await eventually('the formula again', async () => formula.test(await exported()))
  await vscode.workspace.fs.delete(target)
})

test('no hidden text of any sample is in an exported file', async () => {
  const samples = await transcriptsIn(fileAt('.'))
  assert.ok(samples.length > 10)
  for (const uri of samples) {
    const { seen, hidden } = partsOf(await readText(uri))
    const lines = hidden.map((line) => line.trim()).filter((line) => line.length > 12 && !seen.includes(line))
    for (const format of ['html', 'markdown'] as const) {
      const text = await exportedAs(format, uri)
      for (const line of lines) assert.ok(!text.includes(line), `${uri.path}, ${format}: ${line}`)
    }
  }
})

nightly(
  'no hidden word of any malformed shape is in an exported page, and every visible one is',
  async () => {
    const extension = vscode.extensions.getExtension('openchatml.openchatml')
    assert.ok(extension)
    const fixtures = await transcriptsIn(
      vscode.Uri.joinPath(extension.extensionUri, 'test/fixtures/malformed'),
    )
    assert.ok(fixtures.length > 40)
    for (const uri of fixtures) {
      const { seen, hidden } = partsOf(await readText(uri))
      const html = await exportedAs('html', uri)
      const there = wordsIn(html.slice(html.indexOf('</h1>')).replaceAll(/<[^>]*>/g, ' '))
      const [allowed, visible] = [wordsIn(`${labels} ${seen}`), wordsIn(seen)]
      for (const word of visible) assert.ok(there.has(word), `${uri.path}: ${word} is visible`)
      for (const word of wordsIn(hidden.join(' ')))
        assert.ok(allowed.has(word) || !there.has(word), `${uri.path}: ${word} is hidden`)
    }
  },
)

nightly('the visible text of a file is compared with that of its last commit', async () => {
  const file = fileAt('versioned/talk.ocm')
  const write = (answer: string) =>
    vscode.workspace.fs.writeFile(
      file,
      new TextEncoder().encode(
        `<|start|>system<|message|>Secret ${answer}<|end|>\n<|start|>user<|message|>${answer}<|end|>\n`,
      ),
    )
  await write('before')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: vscode.Uri.joinPath(file, '..').fsPath,
    })
  git('init', '--quiet')
  git('add', 'talk.ocm')
  git('commit', '--quiet', '--message', 'One')
  const document = await opened('versioned/talk.ocm')
  const edit = new vscode.WorkspaceEdit()
  const word = document.getText().lastIndexOf('before')
  const place = (offset: number) => document.positionAt(offset)
  edit.replace(file, new vscode.Range(place(word), place(word + 6)), 'after')
  await vscode.workspace.applyEdit(edit)
  await vscode.commands.executeCommand('openchatml.compareVisibleText', file)
  const input = await eventually('the comparison', () => {
    const found = vscode.window.tabGroups.activeTabGroup.activeTab?.input
    return found instanceof vscode.TabInputTextDiff ? found : undefined
  })
  const texts = [input.original, input.modified].map(async (uri) =>
    (await vscode.workspace.openTextDocument(uri)).getText(),
  )
  assert.deepEqual(await Promise.all(texts), ['User\n  before\n', 'User\n  after\n'])
  await vscode.window.showTextDocument(document)
  await vscode.commands.executeCommand('workbench.action.files.revert')
  await closedAll()
})

/** A file system with one transcript. */
class Library implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event
  readonly #content = new TextEncoder().encode('<|start|>user<|message|>From far away<|end|>\n')

  watch(): vscode.Disposable {
    return { dispose() {} }
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const type = path.endsWith('.ocm') ? vscode.FileType.File : vscode.FileType.Directory
    return { type, ctime: 0, mtime: 0, size: this.#content.length }
  }

  readFile(): Uint8Array {
    return this.#content
  }

  readDirectory(): [string, vscode.FileType][] {
    return [['shared.ocm', vscode.FileType.File]]
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions()
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions()
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions()
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions()
  }
}

/** What users see of a transcript, and the lines of everything else. */
function partsOf(source: string): { readonly seen: string; readonly hidden: readonly string[] } {
  const analysis = analyze(Transcript.parse(source))
  return {
    seen: visibleTexts(analysis).join('\n'),
    hidden: [...analysis.transcript.segments()]
      .filter(({ segment }) => !isSeen(segment))
      .flatMap(({ segment }) => segment.text.split(/<\|[^|]*\|>|\n/)),
  }
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])
}

async function transcriptsIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name)
  return names.filter((name) => name.endsWith('.ocm')).map((name) => vscode.Uri.joinPath(folder, name))
}

async function exportedAs(format: 'html' | 'markdown', uri: vscode.Uri): Promise<string> {
  const target = fileAt(`exported.${format}`)
  await vscode.commands.executeCommand('openchatml.exportConversation', uri, { format, target })
  const text = await readText(target)
  await vscode.workspace.fs.delete(target)
  return text
}

async function readText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
}

function isSeen(segment: Segment): boolean {
  const facts = factsOf(segment)
  return facts !== undefined && isVisible(facts)
}

function fileAt(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  assert.ok(folder)
  return vscode.Uri.joinPath(folder, name)
}

async function opened(name: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(fileAt(name))
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preview: false })
  return document
}

function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)
}

function tabNamed(label: string): vscode.Tab | undefined {
  return allTabs().find((tab) => tab.label === label)
}

async function closedAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors')
  await eventually('closed editors', () => allTabs().length === 0)
}
