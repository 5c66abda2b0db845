/** The library in a real browser: in a page, and in a Web Worker, it says what it says in Node. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { launchBrowser } from '../../../scripts/vscode/browser.mjs'
import type { Browser } from '../../../scripts/vscode/playwright.d.mts'
import { nightly } from '../../helpers/nightly.ts'

const sample = await readFile(join('samples', '15-mistakes.ocm'), 'utf8')
/** What is asked of the library, wherever it runs: the model with its problems, and how many tokens the visible texts have. */
const question = `
  const model = parseToJson(${JSON.stringify(sample)})
  const text = convert(${JSON.stringify(sample)}, { to: 'markdown' }).text
  return JSON.stringify({ model, text, tokens: model.visible.map((it) => o200k.count(it)) })`
const imports = `import { convert, parseToJson } from '/index.mjs'\nimport { o200k } from '/tokenizer.mjs'`
const files: Readonly<Record<string, string>> = {
  '/': '<!doctype html><script type="module" src="/page.js"></script>',
  '/page.js': `${imports}
    window.inPage = (() => {${question}})()
    new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => { window.inWorker = data }`,
  '/worker.js': `${imports}\npostMessage((() => {${question}})())`,
}

let server: Server
let browser: Browser

before(async () => {
  server = createServer(async ({ url = '/' }, response) => {
    const made = files[url]
    const isLibrary = /^\/[\w-]+\.mjs$/.test(url)
    response.statusCode = made !== undefined || isLibrary ? 200 : 404
    response.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript')
    response.end(isLibrary ? await readFile(join('dist', 'library', url)) : (made ?? ''))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  browser = await launchBrowser(() => undefined)
})

after(async () => {
  await browser?.close()
  server.close()
})

nightly('the library answers in a page and in a Web Worker as in Node', async () => {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.waitForFunction('window.inPage && window.inWorker', undefined, { timeout: 60_000 })
  const { convert, parseToJson } = await import('../../../core/src/internal.ts')
  const { o200k } = await import('../../../core/src/convert/o200k-encoder.ts')
  const here: unknown = new Function('convert', 'parseToJson', 'o200k', question)(convert, parseToJson, o200k)
  assert.equal(await page.evaluate<string>('window.inPage'), here)
  assert.equal(await page.evaluate<string>('window.inWorker'), here)
})
