/**
 * Makes a fresh clone ready: installs the dependencies if they are missing or not those of the lock file.
 * Needs nothing but Node and npm, so every script can begin with it.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './repository.mjs'
import { exclusively, npmCommand } from './vscode/install.mjs'

const oldestNode = 20

/** Installs what is missing, and says so. Ends the process if that is impossible. */
export async function setUp() {
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    console.error(`Node ${oldestNode} or newer is needed; this is ${process.version}`)
    process.exit(1)
  }
  if (isCurrent()) return
  await exclusively('dependencies', console.log, async () => {
    if (isCurrent()) return
    console.log('Installing the dependencies (npm ci)')
    const code = await run(...npmCommand(['ci', '--ignore-scripts', '--no-audit', '--no-fund']))
    if (code !== 0) {
      console.error('The dependencies cannot be installed: see what npm says above')
      process.exit(1)
    }
  })
}

/** Builds the bundles; the result is the exit status. */
export function build() {
  console.log('Building')
  return run(process.execPath, ['esbuild.mjs'])
}

/**
 * Runs a program in the root of the repository; the result is its exit status.
 *
 * @param {import('node:child_process').SpawnOptions & { yields?: boolean }} [options] `yields`: other programs go first when the
 *   processor is busy
 * @param {string[]} [output] receives what it prints; without it, the program has the terminal of this one
 */
export function run(program, args, { yields = false, ...options } = {}, output) {
  const stdio = output === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe']
  const child = spawn(program, args, { cwd: root, stdio, ...options })
  if (yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text) => output.push(text))
  }
  return new Promise((done, fail) => child.on('close', (code) => done(code ?? 1)).on('error', fail))
}

/** Whether what npm noted down in `node_modules` agrees with the lock file. */
function isCurrent() {
  const installedFile = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const installed = packagesOf(installedFile)
  const wanted = packagesOf(join(root, 'package-lock.json'))
  for (const [path, it] of Object.entries(wanted)) {
    if (path === '') continue
    const isThere = installed[path]?.version === it.version && existsSync(join(root, path, 'package.json'))
    // What is optional is made for other machines, for the most part.
    if (!isThere && !(it.optional && installed[path] === undefined)) return false
  }
  return Object.keys(installed).every((path) => wanted[path] !== undefined)
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUp()
