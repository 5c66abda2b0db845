/**
 * Runs `test/vscode/suite/*.test.ts` inside a real VS Code: the desktop program where it can be had and shown, else the one from npm.
 *
 *     node scripts/vscode/run-suite.mjs            all
 *     node scripts/vscode/run-suite.mjs preview    tests whose name contains `preview`
 *
 * `VSCODE_EXECUTABLE` names a program to use instead. If `TEST_TOTALS` names a file, the totals are written there.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron'
import { build } from 'esbuild'
import { root } from '../repository.mjs'
import { launchBrowser } from './browser.mjs'
import { installationFolder, installServer } from './install.mjs'

const suiteFolder = join(root, 'test', 'vscode', 'suite')
const bundle = join(root, 'dist', 'test', 'vscode', 'bundle.js')
const entry = join(root, 'dist', 'test', 'vscode', 'suite.js')
const totals = { passed: 0, failed: 0, skipped: [] }
let hasEnded = false

await bundleSuite()
const { program, description } = await executable()
if (program === undefined) {
  totals.skipped.push(`real VS Code: ${description}`)
  finish()
}
console.log(`VS Code: ${description}`)
const temporary = mkdtempSync(join(tmpdir(), 'openchatml-test-'))
try {
  const workspace = join(temporary, 'workspace')
  mkdirSync(workspace)
  cpSync(join(root, 'samples'), workspace, { recursive: true }) // a copy, as tests may save
  const restore = interceptOutput()
  try {
    await runTests({
      vscodeExecutablePath: program,
      extensionDevelopmentPath: root,
      extensionTestsPath: entry.replace(/\.js$/, ''),
      launchArgs: [
        workspace,
        `--user-data-dir=${join(temporary, 'user')}`,
        `--extensions-dir=${join(temporary, 'extensions')}`,
        '--disable-extensions',
      ],
      extensionTestsEnv: { VSCODE_TEST_FILTER: process.argv[2] ?? '' },
    })
  } catch (error) {
    if (totals.failed === 0) {
      totals.failed++
      console.error(`✖ VS Code: ${error.message}`)
    }
  } finally {
    restore()
  }
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
if (!hasEnded && totals.failed === 0) {
  totals.failed++
  console.error('✖ VS Code ended before its tests did')
}
finish()

function finish() {
  console.log(`${totals.passed} passed, ${totals.failed} failed in VS Code`)
  for (const it of totals.skipped) console.error(`not run: ${it}`)
  if (process.env.TEST_TOTALS) writeFileSync(process.env.TEST_TOTALS, JSON.stringify(totals))
  process.exit(totals.failed > 0 || (totals.skipped.length > 0 && !process.env.TEST_TOTALS) ? 1 : 0)
}

/** One bundle with every suite; `vscode` is there only inside VS Code. */
async function bundleSuite() {
  const suites = readdirSync(suiteFolder, { recursive: true }).filter((it) => it.endsWith('.test.ts'))
  await build({
    stdin: {
      contents: [
        ...suites.sort().map((it) => `import ${JSON.stringify('./' + it.replaceAll('\\', '/'))}`),
        `export { run } from './harness.ts'`,
      ].join('\n'),
      resolveDir: suiteFolder,
      loader: 'ts',
    },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode'],
    mainFields: ['module', 'main'],
    logLevel: 'error',
    absWorkingDir: root,
  })
  // Positions in errors are those of the sources only if that is switched on before the bundle is loaded.
  writeFileSync(entry, `process.setSourceMapsEnabled(true)\nmodule.exports = require('./bundle.js')\n`)
}

async function executable() {
  const named = process.env.VSCODE_EXECUTABLE
  if (named) return { program: named, description: named }
  const hasDisplay =
    ['darwin', 'win32'].includes(process.platform) || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!hasDisplay) return standIn('no display')
  try {
    const program = await downloadAndUnzipVSCode({
      version: 'stable',
      cachePath: installationFolder,
      timeout: 30_000,
    })
    return { program, description: program }
  } catch (error) {
    return standIn(error.message)
  }
}

/** The program that takes the place of the desktop's; what it needs is installed before, to say so if it cannot be. */
async function standIn(reason) {
  try {
    await installServer()
    const browser = await launchBrowser()
    const version = browser.version()
    await browser.close()
    return {
      program: join(root, 'scripts', 'vscode', 'executable.mjs'),
      description: `from npm, in Chromium ${version} without a window (${reason})`,
    }
  } catch (error) {
    return { program: undefined, description: error.message }
  }
}

/** `runTests` writes what VS Code prints to standard output; results in it are counted and made readable. */
function interceptOutput() {
  const write = process.stdout.write
  let rest = ''
  process.stdout.write = (data, ...more) => {
    const lines = (rest + data).split('\n')
    rest = lines.pop()
    for (const line of lines) show(line, (text) => write.call(process.stdout, text + '\n'))
    const callback = more.findLast((it) => typeof it === 'function')
    callback?.()
    return true
  }
  return () => {
    process.stdout.write = write
    if (rest !== '') console.log(rest)
  }
}

function show(line, print) {
  const json = /\[test\] (\{.*\})/.exec(line)?.[1]
  if (json === undefined) {
    if (line.trim() !== '') print(line)
    return
  }
  const { name, status, milliseconds, error, ended } = JSON.parse(json)
  if (ended) {
    hasEnded = true
    return
  }
  totals[status]++
  print(`${status === 'passed' ? '✔' : '✖'} ${name} (${milliseconds} ms)`)
  if (error) print(error.replace(/^/gm, '    '))
}
