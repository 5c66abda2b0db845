/**
 * A long transcript, typed key by key into a real VS Code with words, snippets and lists at every letter on: the text that
 * arrives is the text that was typed. `OPENCHATML_KEY_MS=80` types as a person does; without it, keys that could accept a
 * proposal wait until the list stands still. `OPENCHATML_TURNS=8` types 42 messages instead of 7, which takes minutes.
 */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseToJson } from '../../../core/src/internal.ts'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { isNight, nightly } from '../../helpers/nightly.ts'
import { leaveWindow, takeWindow } from './shared-window.ts'
import { openAt, smallWindow } from './typist.ts'

const delay = Number(process.env.OPENCHATML_KEY_MS ?? 0)

const opening = `version: 2.2
model: gpt-oss-120b

<|start|>system<|message|>You pick the right tool
(see [the list](a.md)).<|end|>
<|start|>developer<|message|># Tools

namespace functions {

// Searches the user's notes.
type search = (_: {
query: string,
order?: "old" | "new",
}) => any;

} // namespace functions<|end|>
`

/** Five messages; the words of bodies are beginnings of words that are there, of snippets and of tools. */
function turn(id: number): string {
  return `<|start|>user<|message|>Größe der Brücke? 東京の天気を教えて head ${id}
bold<|end|>
<|start|>assistant<|channel|>analysis<|message|>The tool
search? a < b, "quote", it's link<|end|>
<|start|>assistant to=functions.search call_id=call_${id}<|channel|>commentary<|constrain|>json<|message|>{"query":"Brücke ${id}","order":"new"}<|call|>
<|start|>tool name=functions.search call_id=call_${id} to=assistant<|channel|>commentary<|message|>{"content":["a","天気"]}<|end|>
<|start|>assistant<|channel|>final<|message|>## Head
- **bold** and \`code\`

\`\`\`python
for it in range(${id}):
    print("tool", it)
\`\`\`
Schön, 晴れ!<|return|>
`
}

const nTurns = Number(process.env.OPENCHATML_TURNS ?? 1)
const transcript = opening + Array.from({ length: nTurns }, (_, index) => turn(index + 1)).join('')

/** What VS Code does for typists by itself, all of it on. */
const helpful = {
  'editor.quickSuggestions': { other: 'on', comments: 'on', strings: 'on' },
  'editor.wordBasedSuggestions': 'allDocuments',
  'editor.snippetSuggestions': 'inline',
  'editor.acceptSuggestionOnEnter': 'on',
  'editor.autoClosingBrackets': 'always',
  'editor.autoClosingQuotes': 'languageDefined',
}
const plain = { 'editor.autoClosingBrackets': 'never', 'editor.autoClosingQuotes': 'never' }
// Indentation is what a typist sees before the first letter of a line; the script does not look.
const common = { 'files.autoSave': 'off', 'editor.autoIndent': 'none' }

// What has no brackets is typed once, at night: auto-closing changes nothing there, and other tests type headers and prose.
const beforeCall = transcript.slice(0, transcript.indexOf('<|start|>assistant to='))
for (const [register, name, settings, given] of [
  [test, 'with every help', helpful, isNight ? '' : beforeCall],
  [nightly, 'without auto-closing', plain, beforeCall],
] as const) {
  register(`what is typed arrives ${name}`, async () => {
    assert.equal(parseToJson(transcript).messages.length, 2 + 5 * nTurns)
    const { vscode, folder } = await takeWindow({ settings: { ...common, ...settings }, size: smallWindow })
    const [typed, words] = [`typed ${name}.ocm`, `words ${name}.ocm`]
    await writeFile(join(folder, typed), given)
    await writeFile(join(folder, words), '<|start|>user<|message|>tools linked heading boldly<|end|>\n')
    try {
      await openAt(vscode, words, 1, 1)
      await vscode.page.locator('.monaco-breadcrumb-item').filter({ hasText: 'Turn 1' }).first().waitFor()
      await openAt(vscode, typed, given.split('\n').length, 1)
      await typeAll(vscode, transcript.slice(given.length), { closesBrackets: settings === helpful })
      await vscode.page.keyboard.press('Escape')
      await vscode.page.keyboard.press('Control+S')
      // VS Code empties the file before it writes, so a file that has changed may be empty still.
      await vscode.page.locator('.tab.active:not(.dirty)').first().waitFor()
      assert.equal(await readFile(join(folder, typed), 'utf8'), transcript)
    } finally {
      await leaveWindow()
    }
  })
}

/** Types `text` with keys; what has no key comes from an input method. */
async function typeAll(
  vscode: OpenedVSCode,
  text: string,
  { closesBrackets }: { readonly closesBrackets: boolean },
): Promise<void> {
  const { page } = vscode
  const session = await page.context().newCDPSession(page)
  let open = 0 // brackets of this line that VS Code has closed already, though lines later the typist does
  for (const [piece] of text.matchAll(/[ <\n]|[!-;=-~]+|[^\x00-\x7f]+/g)) {
    if (closesBrackets) for (const character of piece) open = openAfter(character, open)
    if (piece === '\n') {
      for (; open > 0; open--) await page.keyboard.press('Delete')
      await listStandsStill(vscode)
      await page.keyboard.press('Enter')
    } else if (piece === ' ' || piece === '<') {
      if (delay === 0) await frames(vscode, 2)
      await page.keyboard.type(piece, { delay })
    } else if (piece.charCodeAt(0) < 0x7f) {
      await page.keyboard.type(piece, { delay })
    } else {
      await compose(session, piece)
    }
  }
}

/** How many brackets are open after `character`; one that closes what an earlier line opened closes none here. */
function openAfter(character: string, open: number): number {
  if ('([{'.includes(character)) return open + 1
  return ')]}'.includes(character) ? Math.max(0, open - 1) : open
}

/** An input method composes: first half of the text, then all of it, then it is taken. */
async function compose(
  session: { send(method: string, parameters: object): Promise<unknown> },
  text: string,
): Promise<void> {
  for (const length of new Set([Math.ceil(text.length / 2), text.length])) {
    const shown = text.slice(0, length)
    await session.send('Input.imeSetComposition', {
      text: shown,
      selectionStart: length,
      selectionEnd: length,
    })
  }
  await session.send('Input.insertText', { text })
}

/** Resolves when the list of suggestions, or that there is none, has not changed for a few frames. */
async function listStandsStill(vscode: OpenedVSCode): Promise<void> {
  if (delay > 0) return
  let before = ''
  for (let nSame = 0; nSame < 3; ) {
    await frames(vscode, 4)
    const now = await vscode.page.evaluate<string>(
      `document.querySelector('.suggest-widget.visible .monaco-list-rows')?.innerText ?? ''`,
    )
    nSame = now === before ? nSame + 1 : 0
    before = now
  }
}

function frames({ page }: OpenedVSCode, count: number): Promise<void> {
  return page.evaluate(
    `(async () => { for (let left = ${count}; left > 0; left--) await new Promise((done) => requestAnimationFrame(done)) })()`,
  )
}
