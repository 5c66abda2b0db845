/**
 * Typing while the language server is late: it is stopped with a list open, and what is typed then is what arrives, with Enter
 * accepting whatever the list shows. A stopped server is one that takes as long as anyone can imagine.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { nightly } from '../../helpers/nightly.ts'
import { eventually } from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'
import { linesOf, nothingOpens, openAt, smallWindow, standsStill, typeAndExpect } from './typist.ts'

const skip = process.platform === 'win32' && 'processes cannot be stopped'

const tools = `version: 2.2
<|start|>developer<|message|>namespace functions {
type search = (_: { query: string, order?: "old" | "new", deep?: boolean }) => any;
} // namespace functions<|end|>
`
const header =
  '<|start|>assistant to=functions.search call_id=c1<|channel|>commentary<|constrain|>json<|message|>'

/** A text, what opens a list behind it, the proposal that is first, and what is typed on with nobody to ask. */
const cases = [
  ['version: 2.2\n<|start|>user<|message|>Hi', '<|en', '<|end|>', 'd|>\nx'],
  ['version: 2.2\n<|start|>user<|message|>Hi', '<|end|', '<|end|>', '>\nx'],
  ['version: 2.2\n<|start|>user<|message|>Hi', ' <|li', '<|literal|>', 'teral|>\nx'],
  ['version: 2.2\n', '<|sta', '<|start|>', 'rt|>user<|message|>Hi<|end|>\nx'],
  ['version: 2.2\n<|start|', '>', 'system', 'assistant<|channel|>final<|message|>ok<|return|>\nx'],
  ['<|im_start|', '>', 'system', 'user\nHi<|im_end|>\nx'],
  ['version:', ' ', '2.2', '2.2\nmodel: mine\nx'],
  ['version:', ' ', '2.2', ' 2.1\nx'],
  ['version: 2.2\nmodel:', ' ', 'gpt-oss-120b', ' gpt-oss-12\nx'],
  ['version: 2.2\nmo', 'd', 'model', 'el: mine\nx'],
  [`${tools}${header}{"query":"a",`, '"d', 'deep', 'eep": false\n}'],
  [`${tools}${header}{"query":"a","deep":`, ' ', 'true', ' false\n}'],
  [`${tools}${header}{"query":"a","order":`, '"n', '"new"', 'ew"\n}'],
  [
    `${tools}<|start|>assistant to=functions`,
    '.',
    'functions.search',
    'sea call_id=c1<|channel|>commentary<|message|>1<|call|>\nx',
  ],
] as const

describe('typing while the server is late', () => {
  let folder: string
  let vscode: SharedVSCode
  let servers: readonly number[]

  before(async () => {
    if (skip) return
    ;({ folder, vscode } = await takeWindow({
      size: smallWindow,
      settings: {
        'files.autoSave': 'off',
        'editor.inlayHints.enabled': 'off',
        'editor.autoClosingBrackets': 'never',
        'editor.autoClosingQuotes': 'never',
        'editor.wordBasedSuggestions': 'allDocuments',
        '[openchatml]': {
          'editor.acceptSuggestionOnEnter': 'on',
          'editor.wordWrap': 'off',
          'editor.autoIndent': 'none',
        },
      },
    }))
    for (const [index, [text]] of cases.entries()) await writeFile(join(folder, `${index}.ocm`), text)
    await writeFile(join(folder, 'call.ocm'), `${tools}${header.slice(0, -'<|message|>'.length)}`)
    await writeFile(join(folder, 'answered.ocm'), '<|start|>user<|message|>Hi<|end|>\n')
    await openAt(vscode, 'answered.ocm', 1, 1)
    await vscode.page.locator('.monaco-breadcrumb-item').filter({ hasText: 'Turn 1' }).first().waitFor() // the server answers
    servers = languageServers()
    assert.equal(servers.length, 1)
  })

  after(async () => {
    signal('SIGCONT')
    await leaveWindow()
  })

  for (const [index, [text, opening, first, rest]] of cases.entries()) {
    nightly(`${JSON.stringify(rest)} arrives after ${JSON.stringify(opening)}`, { skip }, async () => {
      const { keyboard } = vscode.page
      const before = text.split('\n')
      await openAt(vscode, `${index}.ocm`, before.length, (before.at(-1)?.length ?? 0) + 1)
      await typeAndExpect(vscode, opening, first)
      const typed = (text + opening + rest).split('\n')
      signal('SIGSTOP')
      try {
        for (const [at, line] of rest.split('\n').entries()) {
          if (at > 0) await keyboard.press('Enter')
          await keyboard.type(line)
        }
        await shows(typed)
      } finally {
        signal('SIGCONT')
      }
      await nothingOpens(vscode)
      await shows(typed)
      await keyboard.press('Escape')
    })
  }

  nightly('a line may begin right after the header of a call', { skip }, async () => {
    const { keyboard } = vscode.page
    await openAt(vscode, 'call.ocm', 5, header.length - '<|message|>'.length + 1)
    await keyboard.type('<|message|>')
    await standsStill(vscode)
    await keyboard.press('Enter')
    await shows([...tools.split('\n').slice(0, -1), header, ''])
  })

  /** Waits until the editor shows these lines. */
  async function shows(lines: readonly string[]): Promise<void> {
    let shown: readonly string[] = []
    await eventually('the lines', async () => {
      shown = await linesOf(vscode)
      return JSON.stringify(shown) === JSON.stringify(lines)
    }).catch(() => assert.deepEqual(shown, lines))
  }

  function signal(name: NodeJS.Signals): void {
    for (const id of servers ?? []) process.kill(id, name)
  }

  /** The language servers that this process has started, through VS Code. */
  function languageServers(): readonly number[] {
    const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
    const processes = rows.flatMap((row) => {
      const [, id, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []
      return id === undefined ? [] : { id: Number(id), parent: Number(parent), args }
    })
    const isOurs = (id: number): boolean => {
      if (id === process.pid) return true
      const found = processes.find((it) => it.id === id)
      return found !== undefined && found.parent !== id && isOurs(found.parent)
    }
    return processes
      .filter(({ id, args }) => args.includes(join('dist', 'server', 'node.js')) && isOurs(id))
      .map(({ id }) => id)
  }
})
