/** The preview in a real VS Code, looked at from outside: what is on the page, and what crossed to it. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { analyze, Transcript, visibleMessages } from '../../../core/src/index.ts'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'

/** Every word that the page says by itself is on the page of this transcript. */
const chrome = [
  '<|start|>user name=x<|message|>x<|end|>',
  '<|start|>assistant<|channel|>commentary intent=preamble<|message|>x<|end|>',
  '<|start|>user<|message|>```\nx\n```\n\n| x |\n|---|\n\n![x](data:image/png;base64,AA==)<|end|>',
  '<|start|>assistant<|channel|>final<|message|>x',
].join('\n')

const folders = ['samples', 'test/fixtures/malformed', 'test/fixtures/conformance']

let folder: string
let vscode: OpenedVSCode
let names: string[]

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-preview-'))
  await writeFile(join(folder, 'chrome.ocm'), chrome)
  await writeFile(join(folder, 'empty.ocm'), 'version: 2.2\n')
  names = []
  for (const source of folders) {
    for (const file of await readdir(source)) {
      if (!file.endsWith('.ocm')) continue
      const name = `${source.split('/').at(-1)}-${file}`
      await cp(join(source, file), join(folder, name))
      names.push(name)
    }
  }
  vscode = await openVSCode({ folder, settings: { 'explorer.autoReveal': false } })
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
})

test('no word of a hidden place reaches the page, for every sample and every malformed shape', {
  timeout: 300_000,
}, async () => {
  await vscode.openFile('chrome.ocm')
  await vscode.runCommand('OpenChatML: Open Preview to the Side')
  const frame = await vscode.frameOf('.message')
  await until(frame, `document.querySelectorAll('.message').length === 4`)
  const chromeWords = wordsIn(await pageText(frame))
  await vscode.openFile('empty.ocm')
  await until(frame, `document.querySelectorAll('.message').length === 0`)
  for (const word of wordsIn(await pageText(frame))) chromeWords.add(word)
  // Everything that crosses from the extension host from now on.
  await frame.evaluate(
    `window.crossed = []; window.addEventListener('message', ({ data }) => window.crossed.push(JSON.stringify(data)))`,
  )
  for (const name of names.sort()) {
    const { visible, secret } = wordsOf(await readFile(join(folder, name), 'utf8'))
    await vscode.openFile(name)
    await until(
      frame,
      `crossed.slice(crossed.findLastIndex((it) => it.includes('"kind":"open"') && it.includes('/${name}"')))
        .some((it, index, all) => all[0].includes('/${name}"') && it.includes('"kind":"update"'))`,
    )
    const shown = wordsIn(await pageText(frame))
    for (const word of visible) assert.ok(shown.has(word), `${name}: ${word} is visible, and not on the page`)
    const crossed: string = await frame.evaluate(
      `window.crossed.filter((it) => !it.includes('"kind":"open"')).join(' ').replaceAll('\\\\n', ' ')`,
    )
    const arrived = wordsIn(crossed)
    for (const word of secret) {
      if (!chromeWords.has(word)) assert.ok(!shown.has(word), `${name}: ${word} is on the page`)
      if (!protocolWords.has(word)) assert.ok(!arrived.has(word), `${name}: ${word} crossed to the page`)
    }
    await frame.evaluate(`window.crossed = []`)
  }
})

const protocolWords = wordsIn(
  'kind update sequence first total changes insert replace remove after message id role user assistant name isPreamble parts markdown literal text isTruncated omitted top line mark reveal lock isLocked true false unavailable',
)

/** What a transcript says to its user, and every other word of it. */
function wordsOf(source: string) {
  const messages = [...visibleMessages(analyze(Transcript.parse(source)))]
  const said = messages.flatMap(({ name, parts }) => [name ?? '', ...parts.map(({ text }) => text)]).join(' ')
  const known = wordsIn(said)
  const plain = messages.flatMap(({ parts }) =>
    parts.map(({ text }) => text.replaceAll(/[`*[\](){}<>|#\\]|https?:\S+/g, ' ')),
  )
  return {
    visible: [...wordsIn(plain.join(' '))].filter((word) => !/_|-/.test(word)),
    secret: [...wordsIn(source)].filter((word) => !known.has(word)),
  }
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])
}

/** All text of the page, and all that its attributes say. */
function pageText(frame: Frame): Promise<string> {
  return frame.evaluate(`[...document.querySelectorAll('body > :not(script):not(style), body > :not(script):not(style) *')].flatMap((element) => [
    ...[...element.childNodes].filter((it) => it.nodeType === 3).map((it) => it.nodeValue),
    ...[...element.attributes].filter((it) => !['class', 'style', 'd', 'id', 'data-id', 'aria-labelledby', 'aria-describedby'].includes(it.name)).map((it) => it.value),
  ]).join('\\n')`)
}

/** Waits until `condition`, a JavaScript expression, holds in the page: its policy forbids waiting inside. */
async function until(frame: Frame, condition: string): Promise<void> {
  const end = performance.now() + 20_000
  while (!(await frame.evaluate(`Boolean(${condition})`))) {
    if (performance.now() > end) throw new Error(`${condition}: not within 20 seconds`)
    await new Promise((done) => setTimeout(done, 25))
  }
}
