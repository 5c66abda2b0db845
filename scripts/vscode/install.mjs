/**
 * Installs a real VS Code from npm under `.vscode-test/`: on demand, in parts, once.
 *
 * A part is installed next to its final folder and renamed when it is complete, so an interrupted installation leaves nothing
 * that could be taken for a whole one. Processes that want the same part at the same time wait for each other.
 */
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root } from '../repository.mjs'

/** Everything below is installed here; `OPENCHATML_VSCODE_TEST` lets several clones share one folder. */
export const installationFolder = process.env.OPENCHATML_VSCODE_TEST || join(root, '.vscode-test')

/**
 * VS Code's server with the workbench for browsers: 1.139, and 1.99 with `VSCODE_TEST_RELEASE=oldest`. The manifest asks for the
 * latter: of older ones, npm has only some, which do not install or start by themselves.
 */
const isOldest = process.env.VSCODE_TEST_RELEASE === 'oldest'
const [vscodeRelease, vscodeVersion] = isOldest ? ['1.99', '4.99.4'] : ['1.139', '4.139.1']
/** The Node that this VS Code is made for; a Node that is new enough already is used instead. */
const nodePackage = {
  [`node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`]: '24.21.0',
}
const hasOwnNode = Number(process.versions.node.split('.')[0]) >= 24

/**
 * Makes sure that VS Code's server is installed.
 *
 * @param {(line: string) => void} log receives lines about the progress, if there is something to install
 * @returns {Promise<{node: string, folder: string}>} the Node to run it with, and the folder with `out/server-main.js`
 */
export async function installServer(log = console.log) {
  const vscodePackage = { 'code-server': vscodeVersion }
  const modules = await installPart(`vscode-${vscodeVersion}`, log, {
    title: `VS Code ${vscodeRelease}`,
    dependencies: hasOwnNode ? vscodePackage : { ...vscodePackage, ...nodePackage },
    steps: [['install', '--omit=dev', '--omit=optional']],
    stepsIn: join('node_modules', 'code-server', 'lib', 'vscode'),
  })
  const folder = join(modules, 'code-server', 'lib', 'vscode')
  if (isOldest) linkRipgrep(folder)
  const [nodeFolder] = Object.keys(nodePackage)
  const node =
    process.platform === 'win32' ? join(nodeFolder, 'bin', 'node.exe') : join(nodeFolder, 'bin', 'node')
  return {
    node: existsSync(join(modules, node)) ? join(modules, node) : process.execPath,
    folder,
  }
}

/** The package of 1.99 fetches the program that searches files by a script, which does not run here: the one on the PATH serves. */
function linkRipgrep(folder) {
  const bin = join(folder, 'node_modules', '@vscode', 'ripgrep', 'bin')
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((it) => join(it, 'rg'))
    .find(existsSync)
  if (existsSync(join(bin, 'rg'))) return
  if (found === undefined) throw new Error('VS Code 1.99 needs ripgrep: install `rg` on the PATH')
  mkdirSync(bin, { recursive: true })
  symlinkSync(found, join(bin, 'rg'))
}

/** Makes sure that the program which drives a browser is installed, and loads it. */
export async function installDriver(log = console.log) {
  const modules = await installPart('driver-1.65.1', log, {
    title: 'the browser driver',
    dependencies: { 'playwright-core': '1.65.1' },
  })
  const { default: playwright } = await import(pathToModule(join(modules, 'playwright-core', 'index.js')))
  return playwright
}

/** Makes sure that the packed Chromium is installed; the result is the folder of its package, still packed. */
export async function installChromium(log = console.log) {
  const modules = await installPart('chromium-147.0.0', log, {
    title: 'Chromium 147',
    dependencies: { '@sparticuz/chromium': '147.0.0' },
  })
  return join(modules, '@sparticuz', 'chromium')
}

/** Makes sure that TypeScript 5.0 is installed, the oldest that understands the types of the library; the result is its compiler. */
export async function installOldestTypeScript(log = console.log) {
  const modules = await installPart('typescript-5.0.4', log, {
    title: 'TypeScript 5.0',
    dependencies: { typescript: '5.0.4' },
  })
  return join(modules, 'typescript', 'bin', 'tsc')
}

/** VS Code's own extensions, with the grammars that transcripts embed. Installs VS Code if need be. */
export async function vscodeExtensionsFolder(log = console.log) {
  return join((await installServer(log)).folder, 'extensions')
}

/** Runs `work` while no other process does so for the same `name`. A holder that died is noticed. */
export async function exclusively(name, log, work) {
  mkdirSync(installationFolder, { recursive: true })
  const lock = join(installationFolder, `${name}.lock`)
  for (let waited = 0; !take(lock); waited++) {
    if (waited === 1) log('  waiting for another process that installs the same')
    await delay(500)
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** True if {@link installServer} has nothing to download. */
export function isServerInstalled() {
  return existsSync(join(installationFolder, `vscode-${vscodeVersion}`, 'complete.json'))
}

async function installPart(name, log, { title, dependencies, steps = [], stepsIn = '.' }) {
  const folder = join(installationFolder, name)
  const modules = join(folder, 'node_modules')
  const wanted = JSON.stringify({ dependencies, steps })
  if (isComplete()) return modules
  return exclusively(name, log, async () => {
    if (isComplete()) return modules
    const part = `${folder}.part`
    rmSync(part, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, 'package.json'), JSON.stringify({ private: true, dependencies }))
    log(`  installing ${title} (${Object.keys(dependencies).join(', ')})`)
    const begun = Date.now()
    await npm(['install'], part, log)
    for (const step of steps) await npm(step, join(part, stepsIn), log)
    writeFileSync(join(part, 'complete.json'), wanted)
    renameSync(part, folder)
    log(`  installed ${title} in ${seconds(begun)}`)
    return modules
  })

  /** What is installed may have more packages: another Node may have needed one of its own. */
  function isComplete() {
    const stamp = readIfThere(join(folder, 'complete.json'))
    if (stamp === '') return false
    const installed = JSON.parse(stamp)
    const added = { ...installed.dependencies, ...dependencies }
    return JSON.stringify({ ...installed, dependencies: added, steps }) === stamp
  }
}

/**
 * Runs npm without the install scripts of packages, and says every few seconds that it still goes on.
 *
 * @param {string[]} args
 * @param {string} folder
 * @param {(line: string) => void} log
 */
async function npm(args, folder, log) {
  const all = [...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--no-progress']
  const begun = Date.now()
  const ticker = setInterval(() => log(`    … ${seconds(begun)}`), 5000)
  const [program, programArgs] = npmCommand(all)
  const child = spawn(program, programArgs, {
    cwd: folder,
    shell: program === 'npm' && process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: npmEnvironment(),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  try {
    const code = await new Promise((done, fail) => child.on('close', done).on('error', fail))
    if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${output.trim()}`)
  } finally {
    clearInterval(ticker)
  }
}

/** The program and arguments that run npm: the npm that runs this script, if it does. */
export function npmCommand(args) {
  const self = process.env.npm_execpath
  return self?.endsWith('.js') ? [process.execPath, [self, ...args]] : ['npm', args]
}

/** What `npm test` and `npm start` put into the environment belongs to this project, not to what is installed next to it. */
function npmEnvironment() {
  const ours =
    /^npm_(config_(local_prefix|prefix|global_prefix|omit|include|ignore_scripts)|package_|lifecycle_)/i
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !ours.test(key)))
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = Number(readIfThere(lock))
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (isRunning(holder) || (holder === 0 && age < 2000)) return false
  rmSync(lock, { force: true }) // its holder died
  return false
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isRunning(pid) {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function pathToModule(path) {
  return process.platform === 'win32' ? `file:///${path.replaceAll('\\', '/')}` : path
}

function seconds(begun) {
  return `${Math.round((Date.now() - begun) / 1000)} s`
}
