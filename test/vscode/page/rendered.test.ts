/** Messages in a real browser, in the preview and in exported pages: nothing runs, is loaded, or is drawn over another message. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as fc from 'fast-check'
import type { ConversationItem } from '../../../client/render/exported-conversation.ts'
import { htmlDocument } from '../../../client/render/html-document.ts'
import type { VisibleMessage } from '../../../core/src/internal.ts'
import { launchBrowser } from '../../../scripts/vscode/browser.mjs'
import type { Browser, Page } from '../../../scripts/vscode/playwright.d.mts'
import { nightly } from '../../helpers/nightly.ts'
import { pageMessage } from '../../preview/dom.ts'

const folder = mkdtempSync(join(tmpdir(), 'openchatml-rendered-'))
let browser: Browser
let page: Page

before(async () => {
  browser = await launchBrowser(() => undefined)
  page = await browser.newPage()
  await page.setViewportSize({ width: 1000, height: 800 })
})

after(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = 'window.hasRun = true'
const html = [
  `<script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `<svg onload="${run}">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `<svg></p><style><a id="</style><img src=1 onerror=${run}>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  `</main></body></html></style></title><script>${run}</script>`,
  '<link rel=stylesheet href=http://a.invalid/x>',
  '<style>*{position:fixed}</style>',
  '<div style="position:fixed;inset:0">x</div>',
  '<form id=body name=cookie><input name=getElementById>',
]
const addresses = [
  `javascript:${run}`,
  `JaVa\tScRiPt:${run}`,
  `javascript&colon;${run}`,
  'command:x',
  'vscode://x/y',
  'data:text/html,<script>1</script>',
  'data:image/png;base64,AA"onerror=x',
  'data:image/svg+xml;base64,PHN2Zy8+',
  '//a.invalid',
  'https://a.invalid/"onmouseover="x',
]
/** What draws above, below, left, or right of its place. */
const drawing = [
  '\\smash{\\rule{1em}{20em}}',
  '\\mathrel{\\raisebox{-2em}{\\Huge X}}',
  '\\boxed{\\raisebox{2em}{x}}',
  `\\Huge ${'x'.repeat(200)}`,
  `\\mathllap{${'W'.repeat(60)}}`,
  '\\smash[b]{\\frac1{\\frac2{\\frac3{\\frac4{\\frac56}}}}}',
  '\\kern{99999pt}\\colorbox{red}{x}',
]
const accents = `a${'\u0323\u0331'.repeat(60)}Z${'\u0300\u0351'.repeat(60)}`
const glue = [
  '`',
  '```',
  '\n',
  '\n\n',
  '> ',
  '- ',
  '# ',
  '[',
  '](',
  ')',
  '<',
  '"',
  '|',
  '\\',
  '\u202e',
  '\0',
  'word ',
]

const piece = fc.oneof(
  fc.constantFrom(...html),
  fc.constantFrom(...glue),
  fc
    .tuple(fc.constantFrom('', '!'), fc.constantFrom(...html), fc.constantFrom(...addresses))
    .map(([sign, text, address]) => `${sign}[${text}](${address})`),
  fc.constantFrom(...addresses).map((it) => `<${it}> [a]: <${it}>\n\n[a]`),
  fc
    .tuple(fc.constantFrom('$', '\n$$\n'), fc.constantFrom(...drawing))
    .map(([fence, it]) => fence + it + fence),
  fc
    .tuple(fc.constantFrom('html', 'constructor', '"onclick="x'), fc.constantFrom(...html))
    .map(([word, it]) => `\n\`\`\`${word}\n${it}\n\`\`\`\n`),
)
const messages = [
  ...drawing.map((it) => `a $${it}$ b`),
  ...drawing.map((it) => `| $${it}$ |\n|-|`),
  accents,
  ...fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 6 }).map((it) => it.join('')),
    { seed: 1, numRuns: 200 },
  ),
]

/** Of each element of an article, whether what can be seen of it is within the article; and what must not be there at all. */
const check = `(() => {
  const found = []
  const articles = [...document.querySelectorAll('article')]
  for (const [index, article] of articles.entries()) {
    const box = article.getBoundingClientRect()
    for (const element of article.querySelectorAll('*')) {
      if (/^(script|style|link|iframe|form|input|object|embed|base|meta)$/.test(element.localName)) found.push([index, element.localName])
      for (const { name, value } of element.attributes) if (/^on|^style$/.test(name) || /^\\s*(javascript|command|vscode|data:text)/i.test(value) && name === 'href') found.push([index, name])
      for (const { left, right, top, bottom, width, height } of element.getClientRects()) {
        const seen = { left, right, top, bottom }
        for (let it = element.parentElement; it && article.contains(it); it = it.parentElement) {
          const { overflowX, overflowY, display } = getComputedStyle(it)
          const around = it.getBoundingClientRect()
          if (display === 'inline') continue
          if (overflowX !== 'visible') Object.assign(seen, { left: Math.max(seen.left, around.left), right: Math.min(seen.right, around.right) })
          if (overflowY !== 'visible') Object.assign(seen, { top: Math.max(seen.top, around.top), bottom: Math.min(seen.bottom, around.bottom) })
        }
        if (width * height === 0 || seen.right <= seen.left || seen.bottom <= seen.top) continue
        const outside = Math.max(box.left - seen.left, seen.right - box.right, box.top - seen.top, seen.bottom - box.bottom)
        if (outside > 12) found.push([index, element.localName + ' is outside by ' + Math.round(outside)])
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push(['page', 'wide'])
  if (window.hasRun) found.push(['page', 'has run'])
  for (const { name } of performance.getEntriesByType('resource')) if (!name.startsWith('file:')) found.push(['page', name])
  return { found, count: articles.length }
})()`

/** An exported page without its policy, which would hide what text can do. */
async function openExport(texts: readonly string[]): Promise<void> {
  const items = texts.map((text, index): ConversationItem => {
    const role = index % 2 === 1 ? 'user' : 'assistant'
    const parts = [{ kind: 'markdown', text } as const]
    return {
      kind: 'seen',
      message: { role, parts, isJson: false, truncated: false } as unknown as VisibleMessage,
    }
  })
  const policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/
  const text = [...htmlDocument(items, { title: 'a', isDebug: false })].join('')
  assert.match(text, policy)
  await open(text.replace(policy, ''))
}

/** The page of the preview without its policy. */
async function openPreview(texts: readonly string[]): Promise<void> {
  const shown = texts.map((it, index) =>
    pageMessage(`m${index}`, it, { role: index % 2 === 1 ? 'user' : 'assistant' }),
  )
  const changes = shown.map((message, index) => ({
    kind: 'insert',
    message,
    ...(index > 0 && { after: `m${index - 1}` }),
  }))
  const sent = [
    { kind: 'open', uri: 'file:///a.ocm', isLocked: false, hasMath: true },
    { kind: 'update', sequence: 1, first: 0, total: shown.length, changes },
  ]
  const built = (name: string) => pathToFileURL(resolve('dist', 'webview', name)).href
  await open(`<!DOCTYPE html><meta charset="utf-8"><link rel="stylesheet" href="${built('main.css')}"><body>
    <script>acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} })</script>
    <script src="${built('main.js')}"></script>`)
  await page.evaluate(`for (const it of ${JSON.stringify(sent)}) window.postMessage(it)`)
  await page.waitForFunction(`document.querySelectorAll('article').length === ${texts.length}`)
}

async function open(text: string): Promise<void> {
  writeFileSync(join(folder, 'page.html'), text)
  await page.goto(pathToFileURL(join(folder, 'page.html')).href)
}

/** The picture of the third message, after a second one that says `text`. */
async function pictureAfter(openPage: typeof openExport, text: string): Promise<Uint8Array> {
  await openPage(['a', text, 'b'])
  const box = await page.locator('article').nth(2).boundingBox()
  assert.ok(box)
  return page.screenshot({ clip: box })
}

for (const [name, openPage] of [
  ['exported pages', openExport],
  ['the preview', openPreview],
] as const) {
  nightly(`messages stay in their place in ${name}`, async () => {
    await openPage(messages)
    const { found, count } = await page.evaluate<{ found: [number, string][]; count: number }>(check)
    assert.equal(count, messages.length)
    assert.deepEqual(
      found.map(([index, what]) => [messages[index], what]),
      [],
    )
  })

  nightly(`accents are not drawn over the next message in ${name}`, async () => {
    assert.deepEqual(await pictureAfter(openPage, accents), await pictureAfter(openPage, 'aZ'))
  })
}
