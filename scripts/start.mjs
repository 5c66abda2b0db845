/**
 * `npm start [PATH]`: opens VS Code with the extension on PATH, a folder or a transcript (default: `samples`).
 *
 *     npm start                      the desktop editor if there is one (code, codium, cursor), else VS Code in the browser
 *     npm start -- --browser         VS Code in the browser in any case
 *     npm start -- --port 9000 PATH  … at this port
 *
 * Installs and builds what is missing, with nothing but Node and npm.
 */
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './repository.mjs'
import { build, run, setUp } from './set-up.mjs'
import { installationFolder, isServerInstalled } from './vscode/install.mjs'
import { startServer } from './vscode/server.mjs'

const editors = ['code', 'codium', 'cursor']
const usage = 'Usage: npm start -- [--browser] [--port PORT] [PATH]'
const usualPort = 8765 // settings of VS Code in the browser are kept by address

const { path, port, inBrowser } = options()
await setUp()
if ((await build()) !== 0) process.exit(1)
if (inBrowser || !(await openDesktopEditor())) await serve()

function options() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        browser: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    if (positionals.length > 1) throw new Error(`One path at most: ${positionals.join(' ')}`)
    const given =
      positionals[0] === undefined ? undefined : resolve(process.env.INIT_CWD ?? '.', positionals[0])
    if (given !== undefined && !existsSync(given)) throw new Error(`No such file or folder: ${given}`)
    const wanted = values.port === undefined ? undefined : Number(values.port)
    if (wanted !== undefined && !(Number.isInteger(wanted) && wanted > 0 && wanted < 65536)) {
      throw new Error(`Not a port: ${values.port}`)
    }
    return { path: given, port: wanted, inBrowser: values.browser || wanted !== undefined }
  } catch (error) {
    console.error(`${error.message}\n${usage}`)
    process.exit(2)
  }
}

async function openDesktopEditor() {
  for (const editor of editors) {
    const program = onPath(editor)
    if (program === undefined) continue
    console.log(`Opening ${editor}`)
    const args = [`--extensionDevelopmentPath=${root}`, path ?? join(root, 'samples')]
    if ((await run(program, args, { shell: process.platform === 'win32' })) === 0) return true
    console.log(`${editor} does not open; trying another way`)
  }
  return false
}

function onPath(name) {
  const endings = process.platform === 'win32' ? ['.cmd', '.exe'] : ['']
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...installedFolders()].filter(
    (it) => it !== '',
  )
  return folders
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find((it) => existsSync(it))
}

/** Where installers put the programs of editors without adding them to the PATH. */
function installedFolders() {
  const { HOME = '', LOCALAPPDATA = '', ProgramFiles = '' } = process.env
  if (process.platform === 'win32') {
    const names = ['Microsoft VS Code', 'VSCodium', 'cursor']
    const roots = [join(LOCALAPPDATA, 'Programs'), ProgramFiles]
    return roots.flatMap((root) => names.map((it) => join(root, it, 'bin')))
  }
  if (process.platform !== 'darwin') return []
  const names = ['Visual Studio Code', 'VSCodium', 'Cursor']
  return ['/Applications', join(HOME, 'Applications')].flatMap((root) =>
    names.map((it) => join(root, `${it}.app`, 'Contents', 'Resources', 'app', 'bin')),
  )
}

async function serve() {
  const target = path ?? join(root, 'samples')
  const isFolder = statSync(target).isDirectory()
  const folder = isFolder ? target : dirname(target)
  console.log('Starting VS Code for the browser')
  if (!isServerInstalled()) {
    console.log('  There is no editor here, so VS Code is installed from npm into .vscode-test, once:')
    console.log('  it downloads about 190 MB and takes 670 MB on the disk.')
  }
  const server = await startServer({
    port: port ?? ((await isFree(usualPort)) ? usualPort : undefined),
    dataFolder: join(installationFolder, 'profile'),
    installed: root,
    folder,
    staysOpen: true,
    settings: existsSync(join(folder, 'README.md')) ? { 'workbench.startupEditor': 'readme' } : {},
  })
  const address = isFolder ? `http://127.0.0.1:${server.port}/` : server.address({ folder, file: target })
  console.log(`\nVS Code with the extension is at\n\n  ${address}\n`)
  console.log('Ctrl+C ends it.')
  const ending = new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => done(0))
  })
  const code = await Promise.race([ending, server.exited.then(() => 1)])
  if (code !== 0) console.error(`VS Code's server ended by itself:\n${server.output().slice(-2000)}`)
  await server.close()
  process.exit(code)
}

function isFree(wanted) {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(wanted, '127.0.0.1', () => probe.close(() => done(true)))
  })
}
