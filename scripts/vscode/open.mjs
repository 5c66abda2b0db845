/**
 * Opens a real VS Code in a browser without a window, for scripts that look at it from outside: tests of what a person sees, screenshots.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../repository.mjs'
import { launchBrowser } from './browser.mjs'
import { patiently } from './patiently.mjs'
import { startServer } from './server.mjs'
import { loadIntoWorker } from './worker-host.mjs'

/** Milliseconds that anything may take: generous, because two of these may share two slow cores. */
const patience = 60_000

/** The lines of a text editor that keys go to. */
export const focusedEditor = '.editor-group-container.active .monaco-editor.focused .view-lines'

/**
 * Runs in each page: the workbench moves without animations. Each frame of one is drawn, and the mark of the language moves
 * whenever its status is another one: that costs more frames than all that tests look at.
 */
function stopAnimations() {
  if (self !== top) return // our own views move as users see them
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }')
  document.adoptedStyleSheets.push(sheet)
}

/** @type {import('./open.d.mts').openVSCode} */
export async function openVSCode({
  folder,
  extension = root,
  tests,
  host = 'node',
  settings,
  env,
  isRestricted = false,
  isForTests = true,
  language,
  size = { width: 1280, height: 800 },
  scale = 1,
  log = console.log,
  onLog = () => {},
  onExit = () => {},
  waitForWorkbench = true,
}) {
  if (!existsSync(folder)) throw new Error(`No such folder: ${folder}`)
  const extensions = [extension].flat()
  for (const it of extensions) {
    if (!existsSync(join(it, 'package.json'))) throw new Error(`No extension in ${it}`)
  }
  // Without tests nothing needs the window to be one for development, and an installed extension looks as a user sees it.
  const isInstalled = tests === undefined && host === 'node'
  const [serverResult, browserResult] = await Promise.allSettled([
    startServer({ settings, env, isRestricted, isForTests, log, installed: isInstalled ? extensions : [] }),
    launchBrowser(log, { isForTests }),
  ])
  const server = serverResult.value
  const browser = browserResult.value
  const failure = serverResult.reason ?? browserResult.reason
  if (failure) {
    await close()
    throw failure
  }
  try {
    const context = await browser.newContext({
      viewport: size,
      deviceScaleFactor: scale,
      serviceWorkers: 'allow',
    })
    if (language !== undefined) {
      // What a language pack sets; texts of VS Code itself stay English without one.
      const property = `{ get: () => ${JSON.stringify(language)}, set: () => {} }`
      await context.addInitScript(`Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', ${property})`)
    }
    if (isForTests) await context.addInitScript(`(${stopAnimations})()`)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    await page.exposeFunction('codeAutomationLog', (type, args) => onLog(type, args))
    await page.exposeFunction('codeAutomationExit', (code) => onExit(code))
    if (host === 'worker') await loadIntoWorker(context, { port: server.port, extensions, tests })
    const isNamed = !isInstalled && host === 'node'
    await page.goto(server.address(isNamed ? { folder, extension: extensions, tests } : { folder }))
    if (waitForWorkbench) await page.locator('.monaco-workbench .part.editor').first().waitFor()
    return {
      page,
      browser,
      server,
      frameOf,
      webviewFrames,
      openFile,
      runCommand,
      chooseFrom,
      chooseRow: chooseShown,
      settled,
      close,
    }

    function runCommand(title, row) {
      const run = (most) => choose('F1', `>${title}`, title, most)
      if (row === undefined) return untilChosen(run)
      return chooseFrom(async (most) => {
        await run(most)
        await rowWith(title).waitFor({ state: 'detached', timeout: patience / 6 }) // else its list is still closing
      }, row)
    }

    function chooseFrom(showList, row) {
      return untilChosen(async (most) => {
        await showList(most)
        await chooseRow(row, row, most)
      })
    }

    /** Chooses a row of the list that a command is about to show. */
    function chooseShown(row) {
      return patiently(() => chooseRow(row, row), { attempts: 4 })
    }

    async function openFile(path, { shows = focusedEditor } = {}) {
      const name = path.split('/').at(-1)
      const keys = process.platform === 'darwin' ? 'Meta+P' : 'Control+P'
      const tab = `.editor-group-container.active .tab.active[data-resource-name=${JSON.stringify(name)}]`
      await untilChosen(async (most) => {
        await choose(keys, path, name, most)
        await page
          .locator(tab)
          .first()
          .waitFor({ timeout: patience / 3 })
      })
      await page.locator(shows).first().waitFor()
    }

    /**
     * A list closes when something else takes the focus while it opens, or has no row yet for what is still loaded: then once more.
     * That is seen soon on a machine that has time; so `act` gets more milliseconds each time.
     */
    function untilChosen(act) {
      let most = patience / 30
      const again = () => {
        most *= 2
        return act(most)
      }
      return patiently(again, { attempts: 4, between: () => page.keyboard.press('Escape') })
    }

    /** Opens the list behind `keys`, looks for `text` and clicks the first row that has `words`. */
    async function choose(keys, text, words, most) {
      await page.keyboard.press(keys)
      await chooseRow(text, words, most)
    }

    async function chooseRow(text, words, most = patience / 6) {
      await page.locator('.quick-input-widget:visible input').fill(text, { timeout: most })
      await rowWith(words).click({ timeout: most })
    }

    function rowWith(words) {
      return page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words }).first()
    }

    /** Two pictures in a row that are the same: nothing moves or loads any more. */
    async function settled({ timeout = 10_000 } = {}) {
      const deadline = Date.now() + timeout
      let before = await page.screenshot()
      for (let nSame = 0; nSame < 2 && Date.now() < deadline; ) {
        await page.waitForTimeout(250)
        const now = await page.screenshot()
        nSame = now.equals(before) ? nSame + 1 : 0
        before = now
      }
    }

    /** The page of a webview is a frame inside the frame that VS Code makes for it, which is inside the workbench. */
    function webviewFrames() {
      return page.frames().filter((it) => it.parentFrame()?.parentFrame() === page.mainFrame())
    }

    async function frameOf(selector, { timeout = patience } = {}) {
      const deadline = Date.now() + timeout
      for (let pause = 25; Date.now() < deadline; pause = Math.min(1.5 * pause, 150)) {
        for (const frame of webviewFrames()) {
          const isHit = await frame
            .locator(selector)
            .count()
            .catch(() => 0) // the frame may be gone by now
          if (isHit > 0) return frame
        }
        await page.waitForTimeout(pause)
      }
      throw new Error(`No webview with ${selector} within ${timeout} ms`)
    }
  } catch (error) {
    await close()
    throw error
  }

  async function close() {
    await browser?.close()
    await server?.close()
  }
}
