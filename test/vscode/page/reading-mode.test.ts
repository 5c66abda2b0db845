/** Reading mode in a real VS Code: small control tokens that grow under the cursor, bars by role, hidden messages folded. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { eventually } from './preview-in-page.ts'
import { leaveWindow, type SharedVSCode, takeWindow } from './shared-window.ts'
import { openAt } from './typist.ts'

const text = `version: 2.2

<|start|>user<|message|>One
and two<|end|>
<|start|>assistant<|channel|>analysis<|message|>Thinking
of it<|end|>
<|start|>user<|message|>Go on<|end|>
<|start|>assistant<|channel|>analysis<|message|>One line<|end|>
<|start|>assistant<|channel|>final<|message|>Three
and four<|end|>
`

describe('reading mode', () => {
  let folder: string
  let vscode: SharedVSCode

  before(async () => {
    ;({ folder, vscode } = await takeWindow())
    await writeFile(join(folder, 'read.ocm'), text)
  })

  after(leaveWindow)

  /** The lines on the screen, with what is small in brackets. */
  function lines(): Promise<readonly string[]> {
    return vscode.page.evaluate(`(() => {
    const sizeOf = (element) => Number.parseFloat(getComputedStyle(element).fontSize)
    return [...document.querySelectorAll('.editor-instance .view-line')]
      .sort((one, other) => Number.parseInt(one.style.top) - Number.parseInt(other.style.top))
      .map((line) => [...line.querySelectorAll('span > span')]
        .map((it) => (sizeOf(it) < 0.8 * sizeOf(line) ? '[' + it.innerText + ']' : it.innerText))
        .join('')
        .replaceAll('\\u00a0', ' ')
        .replaceAll('][', '')
        .replaceAll('[]', '') // the mark of a fold
        .trimEnd())
  })()`)
  }

  /** Waits until the lines on the screen are `expected`. */
  async function linesAre(expected: readonly string[]): Promise<void> {
    let now: readonly string[] = []
    await eventually('other lines', async () => {
      now = await lines()
      return JSON.stringify(now) === JSON.stringify(expected)
    }).catch(() => assert.deepEqual(now, expected))
  }

  /** How many lines have a bar. */
  function bars(): Promise<number> {
    return vscode.page.evaluate(
      `[...document.querySelectorAll('.editor-instance .view-overlays .cdr')].filter((it) => getComputedStyle(it).borderLeftWidth === '2px').length`,
    )
  }

  const source = text.trimEnd().split('\n')

  test('one key makes control tokens small but on the line of the cursor, and folds what is hidden; again, all is as before', async () => {
    await openAt(vscode, 'read.ocm', 4, 1)
    await vscode.page.locator('.monaco-breadcrumb-item').filter({ hasText: 'Turn 1' }).first().waitFor()
    await linesAre([...source, ''])
    assert.equal(await bars(), 0)

    await vscode.page.keyboard.press('Control+K')
    await vscode.page.keyboard.press('h')
    const folded = [
      'version: 2.2',
      '',
      '[<|start|>user<|message|>]One',
      'and two<|end|>',
      '[<|start|>assistant<|channel|>analysis<|message|>]Thinking',
      '[<|start|>user<|message|>]Go on[<|end|>]',
      '[<|start|>assistant<|channel|>analysis<|message|>One line<|end|>]',
      '[<|start|>assistant<|channel|>final<|message|>]Three',
      'and four[<|end|>]',
      '',
    ]
    await linesAre(folded)
    await eventually('a bar for each line of a message', async () => (await bars()) === 7)

    await vscode.page.keyboard.press('ArrowUp')
    await linesAre(
      folded.map((it, index) => (index === 2 ? source[2] : index === 3 ? 'and two[<|end|>]' : it) ?? ''),
    )
    await vscode.page.keyboard.press('Control+K')
    await vscode.page.keyboard.press('h')
    await linesAre([...source, ''])
    await eventually('no bars', async () => (await bars()) === 0)
    assert.equal(await readFile(join(folder, 'read.ocm'), 'utf8'), text)
  })
})
