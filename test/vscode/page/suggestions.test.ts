/** Lists of suggestions in a real VS Code with its own providers on: where they open, and what they offer first. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { nightly } from '../../helpers/nightly.ts'
import { eventually } from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'
import {
  lineIs,
  linesOf,
  nothingOpens,
  openAt,
  proposals,
  showsSuggestions,
  smallWindow,
  standsStill,
  typeAndExpect,
} from './typist.ts'

const tools = `version: 2.2
<|start|>developer<|message|>namespace functions {
// Gets the weather.
type get_weather = (_: { location: string, unit?: "c" | "f", days: number }) => any;
// Searches the web.
type search = (_: { query: string }) => any;
} // namespace functions<|end|>
`
const call =
  '<|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>'
const files = {
  'prose.ocm': 'version: 2.2\n<|start|>user<|message|>\n\nheading tools linked\n<|end|>\n',
  'header.ocm': 'version: 2.2\n\n<|start|>user<|message|>the model<|end|>\n',
  'code.ocm': `version: 2.2\n<|start|>assistant<|message|>\n\`\`\`ts\n\nconst forms = 1\n\`\`\`\n<|end|>\n`,
  'arguments.ocm': `${tools}${call}\n{}\n<|call|>\n`,
  'dev.ocm': tools,
  'us.ocm': tools,
  'ass.ocm': tools,
  'names.ocm': tools,
  'calls.ocm': tools,
  'recipient.ocm': tools,
}

describe('suggestions', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    // What VS Code does by itself, said aloud: words, snippets and lists at every letter.
    ;({ folder, vscode } = await takeWindow({
      size: smallWindow,
      settings: {
        'files.autoSave': 'off',
        'editor.wordBasedSuggestions': 'allDocuments',
        'editor.snippetSuggestions': 'inline',
        'editor.quickSuggestions': { other: 'on', comments: 'on', strings: 'on' },
        'editor.acceptSuggestionOnEnter': 'on',
      },
    }))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    await openAt(vscode, 'header.ocm', 3, 5)
    await vscode.page.locator('.monaco-breadcrumb-item').filter({ hasText: 'Turn 1' }).first().waitFor() // the server answers
  })

  after(leaveWindow)

  /** Waits until the editor shows `text`, wherever its lines wrap. */
  function shows(text: string): Promise<void> {
    return eventually(text, async () => (await linesOf(vscode)).join('').includes(text))
  }

  test('no list opens in prose, and Enter is a line break', async () => {
    const { keyboard } = vscode.page
    await openAt(vscode, 'prose.ocm', 3, 1)
    for (const words of ['the right tool', 'a head', 'link', 'bold', 'quote']) {
      await keyboard.type(words)
      assert.ok(await nothingOpens(vscode), words)
      await keyboard.press('Enter')
    }
    assert.deepEqual((await linesOf(vscode)).slice(2, 7), [
      'the right tool',
      'a head',
      'link',
      'bold',
      'quote',
    ])
  })

  nightly('a control token that is typed in prose is proposed, and Tab completes it', async () => {
    const { keyboard } = vscode.page
    await typeAndExpect(vscode, 'see <|', '<|literal|>')
    await typeAndExpect(vscode, 'li', '<|literal|>')
    await keyboard.press('Tab')
    await lineIs(vscode, 8, 'see <|literal|><|endliteral|>')
  })

  nightly('Ctrl+Space proposes words in prose', async () => {
    const { keyboard } = vscode.page
    await openAt(vscode, 'prose.ocm', 3, 1)
    await keyboard.type('he')
    await keyboard.press('Control+Space')
    await eventually('a word', async () => (await proposals(vscode)).some((it) => it.startsWith('heading')))
    await keyboard.press('Escape')
  })

  nightly('no list opens in fenced code', async () => {
    await openAt(vscode, 'code.ocm', 4, 1)
    await vscode.page.keyboard.type('for')
    assert.ok(await nothingOpens(vscode))
  })

  nightly('keys of the YAML header are proposed, but no words for their values', async () => {
    const { keyboard } = vscode.page
    await openAt(vscode, 'header.ocm', 2, 1)
    await typeAndExpect(vscode, 'mod', 'model')
    await keyboard.press('Escape')
    for (const _ of 'mod') await keyboard.press('Backspace')
    await keyboard.type('title: the mod')
    assert.ok(await nothingOpens(vscode))
    await keyboard.press('Enter')
    await keyboard.type('metadata:')
    await standsStill(vscode) // where lines above have no tokens yet, VS Code's Enter keeps the indentation
    await keyboard.press('Escape')
    await keyboard.press('Enter')
    await keyboard.type('a: 1')
    await eventually('the value of a key, which is indented', async () =>
      (await linesOf(vscode)).includes('  a: 1'),
    )
  })

  nightly('an argument that is free text opens no list, one with given values offers them', async () => {
    const { keyboard } = vscode.page
    await openAt(vscode, 'arguments.ocm', 9, 2)
    await typeAndExpect(vscode, '"', 'location')
    await keyboard.press('Enter')
    await shows('{"location":""}')
    assert.ok(await nothingOpens(vscode))
    await keyboard.type('Rome')
    assert.ok(await nothingOpens(vscode))
    await keyboard.press('Tab')
    await typeAndExpect(vscode, ',"u', 'unit')
    await keyboard.press('Enter')
    await eventually('the values of the unit', async () => {
      return (await proposals(vscode)).map((it) => it.split(',')[0]).join() === '"c","f"'
    })
    await keyboard.press('Enter')
    await shows('{"location":"Rome","unit":"c"}')
  })

  test('a role is completed once, and what its messages continue with is first', async () => {
    const { keyboard } = vscode.page
    for (const [typed, role, next] of [
      ['dev', 'developer', '<|message|>'],
      ['us', 'user', '<|message|>'],
      ['ass', 'assistant', '<|channel|>'],
    ] as const) {
      await openAt(vscode, `${typed}.ocm`, 8, 1)
      await typeAndExpect(vscode, '<|start|', '<|start|>')
      await typeAndExpect(vscode, '>', 'system')
      await typeAndExpect(vscode, typed, role)
      await keyboard.press('Enter')
      await eventually(next, async () => (await proposals(vscode))[0]?.startsWith(next) === true)
      await keyboard.press('Tab')
      const end = next === '<|message|>' ? '<|end|>' : ''
      await lineIs(vscode, 8, `<|start|>${role}${next}${end}`)
      await keyboard.press('Escape')
    }
  })

  nightly(
    'a snippet is proposed by the name that VS Code knows it by only where a message may begin',
    async () => {
      const { keyboard } = vscode.page
      await openAt(vscode, 'names.ocm', 8, 1)
      await typeAndExpect(vscode, 'ocmUs', 'user')
      await keyboard.press('Escape')
      for (const _ of 'ocmUs') await keyboard.press('Backspace')
      await keyboard.type('<|start|>ocmUs')
      await standsStill(vscode)
      assert.deepEqual(await proposals(vscode), [])
      await keyboard.press('Escape')
    },
  )

  nightly('a call is proposed with the tools that there are, its arguments and an id', async () => {
    const { keyboard } = vscode.page
    await openAt(vscode, 'calls.ocm', 8, 1)
    await typeAndExpect(vscode, 'weather', 'assistant call functions.get_weather')
    await keyboard.press('Enter')
    const header =
      '<|start|>assistant to=functions.get_weather call_id=call_1<|channel|>commentary<|constrain|>json<|message|>'
    await shows(`${header}{"location":"","days":0}<|call|>`)
    for (const value of ['', '', 'Rome', '3']) {
      await keyboard.type(value)
      await keyboard.press('Tab')
    }
    await shows(`${header}{"location":"Rome","days":3}<|call|>`)
    await vscode.page.locator('.squiggly-error').first().waitFor({ state: 'detached' })
  })

  nightly('the tools are proposed for a recipient, and nothing is called missing', async () => {
    const { keyboard } = vscode.page
    await openAt(vscode, 'recipient.ocm', 8, 1)
    await keyboard.type('<|start|>assistant to=functions')
    await typeAndExpect(vscode, '.', 'functions.get_weather')
    await keyboard.press('Escape')
    await keyboard.press('Control+Space')
    await eventually('the tools', async () => {
      return (await proposals(vscode)).filter((it) => it.startsWith('functions.')).length === 2
    })
    await keyboard.press('Escape')
    assert.equal(await showsSuggestions(vscode), false)
  })
})
