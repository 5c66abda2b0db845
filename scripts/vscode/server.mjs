/**
 * Runs VS Code's server on a free port of this machine, with settings and extensions of its own, and ends it for certain.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { installServer } from './install.mjs'

const quietSettings = {
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid', // else no picture is like the one before, and the page is painted all the time
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
}

/**
 * What is drawn again at every key, or many times in a row, though no test looks at it: a fifth of what typing costs, and as much of
 * choosing from lists, whose movement is drawn frame by frame. A test that looks turns it on.
 */
const unseenSettings = {
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.matchBrackets': 'never',
  'editor.bracketPairColorization.enabled': false,
  'workbench.reduceMotion': 'on',
}

/** No folder is trusted, without asking whether it should be. */
const restrictedSettings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
}

/** Extensions of VS Code that no test needs, and that cost a sixth of opening a window; Git, grammars, Markdown, and JSON stay. */
const neverTested = new Set([
  ...['copilot', 'github', 'github-authentication', 'microsoft-authentication', 'tunnel-forwarding'],
  ...['emmet', 'css-language-features', 'html-language-features', 'php-language-features'],
  ...['typescript-language-features', 'npm', 'grunt', 'gulp', 'jake', 'terminal-suggest'],
  ...['debug-auto-launch', 'debug-server-ready', 'ms-vscode.js-debug', 'ms-vscode.js-debug-companion'],
  ...['ms-vscode.vscode-js-profile-table', 'media-preview', 'simple-browser', 'extension-editing'],
])

const deadlineToListen = 60_000

/**
 * Starts a server.
 *
 * @param {object} options
 * @param {number} [options.port] default: any free one
 * @param {string} [options.dataFolder] kept when given; default: a temporary one
 * @param {Record<string, unknown>} [options.settings] machine settings, on top of those that keep VS Code quiet
 * @param {string | string[]} [options.installed] folders of extensions to install, by links, instead of naming it in the address
 * @param {boolean} [options.isForTests] true without those of VS Code's own extensions that no test needs, and without what is drawn but not looked at
 * @param {string} [options.folder] the folder that is opened if the address names none
 * @param {Record<string, string>} [options.env] more environment variables, for the extension host too
 * @param {boolean} [options.isRestricted] true for Restricted Mode: no folder is trusted
 * @param {boolean} [options.staysOpen] true for a server that runs on without visitors, until it is closed
 * @param {(line: string) => void} [options.log] receives lines about what is installed
 * @returns {Promise<{port: number, address: (target: Target) => string, output: () => string, exited: Promise<number>, useSettings: (settings: Record<string, unknown>) => void, close: () => Promise<void>}>}
 *   `useSettings` replaces the machine settings, which open windows soon follow
 *
 * @typedef {{folder: string, extension?: string | string[], tests?: string, file?: string}} Target
 */
export async function startServer({
  port,
  dataFolder,
  settings = {},
  installed,
  isForTests = false,
  folder: defaultFolder,
  env = {},
  isRestricted = false,
  staysOpen = false,
  log = console.log,
} = {}) {
  const { node, folder } = await installServer(log)
  const data = dataFolder ?? mkdtempSync(join(tmpdir(), 'openchatml-vscode-'))
  mkdirSync(join(data, 'extensions'), { recursive: true })
  const builtIn = join(data, 'built-in')
  if (isForTests) linkTested(join(folder, 'extensions'), builtIn)
  linkAll([installed ?? []].flat(), join(data, 'extensions'))
  mkdirSync(join(data, 'data', 'Machine'), { recursive: true })
  useSettings(settings)
  const actualPort = port ?? (await freePort())
  const child = spawn(
    node,
    [
      join('out', 'server-main.js'),
      ...['--host', '127.0.0.1', '--port', String(actualPort)],
      ...['--server-data-dir', data, '--extensions-dir', join(data, 'extensions')],
      ...(isForTests ? ['--builtin-extensions-dir', builtIn] : []),
      ...(defaultFolder === undefined ? [] : ['--default-folder', defaultFolder]),
      '--without-connection-token',
      '--accept-server-license-terms',
      '--enable-smoke-test-driver', // without it, the address cannot name an extension under development
      ...(isRestricted ? [] : ['--disable-workspace-trust']),
      '--disable-telemetry',
      '--disable-websocket-compression', // the browser is on this machine
      // Should this process be killed, the server ends a few minutes later; it would do so without visitors, too.
      ...(staysOpen ? [] : ['--enable-remote-auto-shutdown']),
    ],
    {
      cwd: folder,
      env: { ...withoutNodeOptions(process.env), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32', // a process group of its own, to end it with all that it started
    },
  )
  const output = collect(child)
  const exited = new Promise((done) => child.once('close', (code) => done(code ?? 1)))
  const endNow = () => endGroup(child, 'SIGKILL')
  process.once('exit', endNow)
  try {
    await listening(child, output, exited)
  } catch (error) {
    await close()
    throw error
  }
  return { port: actualPort, address, output, exited, useSettings, close }

  function useSettings(chosen) {
    const all = {
      ...quietSettings,
      ...(isForTests ? unseenSettings : {}),
      ...(isRestricted ? restrictedSettings : {}),
      ...chosen,
    }
    writeFileSync(join(data, 'data', 'Machine', 'settings.json'), JSON.stringify(all, null, 2))
  }

  function address({ folder: opened, extension = [], tests, file }) {
    const remote = (path) => `vscode-remote://127.0.0.1:${actualPort}${toUriPath(resolve(path))}`
    const all = [
      ...[extension].flat().map((it) => ['extensionDevelopmentPath', remote(it)]),
      ...(tests === undefined ? [] : [['extensionTestsPath', remote(tests)]]),
      ['skipWelcome', 'true'],
      ...(file === undefined ? [] : [['openFile', remote(file)]]),
    ]
    const query = new URLSearchParams({ folder: toUriPath(resolve(opened)), payload: JSON.stringify(all) })
    return `http://127.0.0.1:${actualPort}/?${query}`
  }

  async function close() {
    endGroup(child, 'SIGTERM')
    const isLate = new Promise((done) => setTimeout(() => done('late'), 3000).unref())
    if ((await Promise.race([exited, isLate])) === 'late') endGroup(child, 'SIGKILL')
    await exited
    endGroup(child, 'SIGKILL') // what the server left behind
    process.removeListener('exit', endNow)
    if (dataFolder === undefined)
      rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** Makes VS Code find extensions where they are, so that a new build needs no new installation. */
function linkAll(extensions, extensionsFolder) {
  rmSync(join(extensionsFolder, 'extensions.json'), { force: true }) // made again from what is there
  for (const [index, extension] of extensions.entries()) {
    const link = join(extensionsFolder, `under-development-${index}`)
    rmSync(link, { force: true })
    symlinkSync(resolve(extension), link, 'junction')
  }
}

/** Makes a folder with those of VS Code's own extensions that tests need. */
function linkTested(all, folder) {
  mkdirSync(folder)
  for (const name of readdirSync(all).filter((it) => !neverTested.has(it)))
    symlinkSync(join(all, name), join(folder, name), 'junction')
}

function collect(child) {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (data) => {
      text = (text + data).slice(-200_000)
    })
  }
  return () => text
}

function listening(child, output, exited) {
  return new Promise((done, fail) => {
    const timer = setTimeout(
      () => fail(new Error(`VS Code's server does not start:\n${output()}`)),
      deadlineToListen,
    )
    const look = () => {
      if (!output().includes('Extension host agent listening')) return
      clearTimeout(timer)
      child.stdout.off('data', look)
      done()
    }
    child.stdout.on('data', look)
    child.once('error', fail)
    exited.then((code) => {
      clearTimeout(timer)
      fail(new Error(`VS Code's server ended with status ${code}:\n${output()}`))
    })
  })
}

function endGroup(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer()
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

/** Options for this Node may be unknown to the one that runs VS Code. */
function withoutNodeOptions({ NODE_OPTIONS, NODE_TEST_CONTEXT, ...rest }) {
  return rest
}

function toUriPath(path) {
  const slashes = path.replaceAll('\\', '/')
  return slashes.startsWith('/') ? slashes : `/${slashes}`
}
