/**
 * Runs `test/vscode/suite/*.test.ts`, and in a Web Worker `test/vscode/web/*.test.ts`, inside a real VS Code: the desktop program where it
 * can be had and shown, else the one from npm.
 *
 *     node scripts/vscode/run-suite.mjs            all
 *     node scripts/vscode/run-suite.mjs preview    tests whose name contains `preview`
 *
 * With `VSCODE_TEST_RELEASE=oldest`, it is the oldest VS Code that the manifest asks for.
 *
 * `VSCODE_EXECUTABLE` names a program to use instead. If `TEST_TOTALS` names a file, the totals are written there.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron'
import { build } from 'esbuild'
import { root } from '../repository.mjs'
import { launchBrowser } from './browser.mjs'
import { installationFolder, installServer } from './install.mjs'

const suiteFolder = join(root, 'test', 'vscode')
const bundleFolder = join(root, 'dist', 'test', 'vscode')
const filter = process.argv[2] ?? ''
/** Tests for the night (`test/helpers/nightly.ts`) run where they are wanted, or by name. */
const isNight = process.env.TEST_NIGHTLY === '1' || filter !== ''
const totals = { passed: 0, failed: 0, skipped: [], failures: [] }

/** The extension host of the desktop and of remote machines, and that of vscode.dev, which runs some suites of the other as well. */
const hosts = [
  { title: 'Node', folder: 'suite', args: [], options: { platform: 'node', target: 'node20' } },
  {
    title: 'Web Worker',
    folder: 'web',
    shared: ['activation', ...(isNight ? ['datasets'] : [])].map((it) => `suite/${it}.test.ts`),
    args: ['--extensionDevelopmentKind=web'],
    options: {
      platform: 'browser',
      target: 'chrome122',
      alias: { 'node:assert/strict': join(suiteFolder, 'web', 'assert.ts') },
      define: { 'process.env.VSCODE_TEST_FILTER': JSON.stringify(filter) },
    },
  },
]

const { program, description } = await executable()
if (program === undefined) {
  totals.skipped.push(`real VS Code: ${description}`)
  finish()
}
console.log(`VS Code: ${description}`)
for (const host of hosts) await runIn(host)
finish()

async function runIn(host) {
  console.log(`Extension host: ${host.title}`)
  const before = totals.failed
  const ranBefore = totals.passed + totals.failed
  const temporary = mkdtempSync(join(tmpdir(), 'openchatml-test-'))
  const workspace = join(temporary, 'workspace')
  cpSync(join(root, 'samples'), workspace, { recursive: true }) // a copy, as tests may save
  const output = interceptOutput()
  try {
    await runTests({
      vscodeExecutablePath: program,
      extensionDevelopmentPath: root,
      extensionTestsPath: await bundle(host),
      launchArgs: [
        workspace,
        `--user-data-dir=${join(temporary, 'user')}`,
        `--extensions-dir=${join(temporary, 'extensions')}`,
        '--disable-extensions',
        ...host.args,
      ],
      extensionTestsEnv: { VSCODE_TEST_FILTER: filter },
    })
    if (!output.hasEnded()) throw new Error('it ended before its tests did')
    if (totals.passed + totals.failed === ranBefore) throw new Error('it ran no test')
  } catch (error) {
    if (totals.failed === before) {
      totals.failed++
      totals.failures.push(`VS Code (${host.title}): ${error.message}`)
      console.error(`✖ VS Code (${host.title}): ${error.message}`)
    }
  } finally {
    output.restore()
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

function finish() {
  console.log(`${totals.passed} passed, ${totals.failed} failed in VS Code`)
  for (const it of totals.skipped) console.error(`not run: ${it}`)
  if (process.env.TEST_TOTALS) writeFileSync(process.env.TEST_TOTALS, JSON.stringify(totals))
  process.exit(totals.failed > 0 || (totals.skipped.length > 0 && !process.env.TEST_TOTALS) ? 1 : 0)
}

/** One bundle with every suite of a host; `vscode` is there only inside VS Code. */
async function bundle({ folder, shared = [], options }) {
  const suites = readdirSync(join(suiteFolder, folder), { recursive: true })
    .filter((it) => it.endsWith('.test.ts'))
    .map((it) => `${folder}/${it.replaceAll('\\', '/')}`)
  const outfile = join(bundleFolder, `${folder}-bundle.js`)
  await build({
    stdin: {
      contents: [
        ...[...suites, ...shared].sort().map((it) => `import ${JSON.stringify(`./${it}`)}`),
        `export { run } from './suite/harness.ts'`,
      ].join('\n'),
      resolveDir: suiteFolder,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'cjs',
    sourcemap: 'inline',
    external: ['vscode'],
    mainFields: ['module', 'main'],
    logLevel: 'error',
    absWorkingDir: root,
    ignoreAnnotations: true, // suites are imported for what they do: the package says that its files do nothing
    ...options,
    define: { 'process.env.TEST_NIGHTLY': JSON.stringify(isNight ? '1' : '0'), ...options.define },
  })
  if (options.platform === 'browser') return outfile
  // Positions in errors are those of the sources only if that is switched on before the bundle is loaded.
  const entry = join(bundleFolder, folder)
  writeFileSync(
    `${entry}.js`,
    `process.setSourceMapsEnabled(true)\nmodule.exports = require('./${folder}-bundle.js')\n`,
  )
  return entry
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
  let ended = false
  process.stdout.write = (data, ...more) => {
    const lines = (rest + data).split('\n')
    rest = lines.pop()
    for (const line of lines) show(line)
    const callback = more.findLast((it) => typeof it === 'function')
    callback?.()
    return true
  }
  return {
    hasEnded: () => ended,
    restore: () => {
      process.stdout.write = write
      if (rest.trim() !== '') console.log(rest)
    },
  }

  function show(line) {
    const print = (text) => write.call(process.stdout, `${text}\n`)
    const json = /\[test\] (\{.*\})/.exec(line)?.[1]
    if (json === undefined) {
      if (line.trim() !== '') print(line)
      return
    }
    const outcome = JSON.parse(json)
    if (outcome.ended) {
      ended = true
      return
    }
    totals[outcome.status]++
    print(`${outcome.status === 'passed' ? '✔' : '✖'} ${outcome.name} (${outcome.milliseconds} ms)`)
    if (!outcome.error) return
    totals.failures.push(`${outcome.name}\n${outcome.error}`)
    print(outcome.error.replace(/^/gm, '    '))
  }
}
