/**
 * Runs tests: bundles files or folders (default: every `*.test.ts` in `test`, except those for VS Code) and gives them to `node --test`.
 *
 *     node scripts/run-tests.mjs                          everything
 *     node scripts/run-tests.mjs test/core                one folder
 *     node scripts/run-tests.mjs test/core/scan.test.ts   one file, each test by name, those for the night too
 *     UPDATE_SNAPSHOTS=1 node scripts/run-tests.mjs …     write snapshots instead of comparing them
 *
 * Arguments that begin with `-` go to Node (`--test-name-pattern=…`); those that begin with `!` leave a folder out.
 * Properties draw the same values in every run; `FUZZ_SEED` is another seed for them.
 * Tests run with the root of the repository as the current folder. Each run has its own output folder,
 * so several may go on at the same time.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildConstants, leavePackagesOut, root } from './repository.mjs'

const args = process.argv.slice(2)
const nodeOptions = args.filter((it) => it.startsWith('-'))
const excluded = args.filter((it) => it.startsWith('!')).map((it) => resolve(it.slice(1)))
const paths = args.filter((it) => !it.startsWith('-') && !it.startsWith('!')).map((it) => resolve(it))

/** Tests of the page of VS Code. */
const pages = join(root, 'test', 'vscode', 'page') + sep
/** Where files share a process, about that many do. */
const filesInProcess = 30
const needsProcess =
  /^(?:(?:export )?const .* = await |await |for await |(?:before|after)(?:Each)?\()|process\.(?:chdir|exit)\b|globalThis\.\w+ =/m

/** What counts has the methods of texts and lists count, too, for all files of its process. */
const counts = /from '[./\w-]*\/(?:counted-work|growth-among)\.ts'/

/** Tests for the night (`test/helpers/nightly.ts`) run where they are wanted, or where all that is wanted are files by name. */
const isNight = (process.env.TEST_NIGHTLY ?? (paths.length > 0 && paths.every(isFile) ? '1' : '0')) === '1'
/** Windows of VS Code that the tests of its page share: each waits for its page about half of the time, and costs more to open than most files. */
const nWindows = isNight ? 2 : 1
const files = testFiles().filter((file) => isNight || !isForNight(file))
if (files.length === 0) {
  console.error(`No tests in ${args.join(' ') || 'test'}`)
  process.exit(1)
}
const output = join(root, 'dist', 'test', `run-${process.pid}`)
mkdirSync(join(root, 'dist', 'test'), { recursive: true })
removeLeftovers()
process.on('exit', () => rmSync(output, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130))

await bundle()
process.exitCode = await runNode()

function testFiles() {
  const all = paths.length === 0
  const found = (all ? [join(root, 'test')] : paths).flatMap(testFilesIn)
  const left = all ? [join(root, 'test', 'vscode'), ...excluded] : excluded
  return [...new Set(found)]
    .filter((file) => !left.some((it) => file === it || file.startsWith(it + sep)))
    .sort()
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Whether a file has tests for the night only. */
function isForNight(file) {
  const text = readFileSync(file, 'utf8')
  return /\bnightly\(/.test(text) && !/(?<!\.)\b(?:test|it)\(/.test(text)
}

function testFilesIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })) {
    console.error(`No such file or folder: ${relative(root, path)}`)
    process.exit(1)
  }
  if (isFile(path)) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const child = join(path, entry.name)
    if (entry.isDirectory()) return testFilesIn(child)
    return entry.name.endsWith('.test.ts') ? [child] : []
  })
}

/** A run that was killed could not remove its output. */
function removeLeftovers() {
  for (const name of readdirSync(join(root, 'dist', 'test'), { withFileTypes: true }).map((it) => it.name)) {
    const pid = Number(/^run-(\d+)$/.exec(name)?.[1])
    if (pid > 0 && !isRunning(pid)) rmSync(join(root, 'dist', 'test', name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function bundle() {
  try {
    await build({
      entryPoints: files,
      outdir: output,
      outbase: root,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      splitting: true,
      sourcemap: true,
      sourcesContent: false,
      outExtension: { '.js': '.mjs' },
      mainFields: ['module', 'main'],
      loader: { '.css': 'empty', '.tmLanguage.json': 'json' },
      // The command line in a test finds what was built next to it, and its threads run the built program.
      define: {
        __dirname: JSON.stringify(join(root, 'dist', 'cli')),
        ...buildConstants,
      },
      plugins: [leavePackagesOut],
      logLevel: 'error',
      absWorkingDir: root,
    })
  } catch {
    process.exit(1) // esbuild has said why
  }
}

/**
 * The programs to run: where many files are tested, several share a process, as starting one costs more than most files need.
 * Tests that look at the page of VS Code share one for each window.
 * Files run alone that wait while they are loaded, have hooks of their own at the top, or change the process; those that count
 * work share processes of their own.
 */
function programs() {
  const text = (file) => readFileSync(file, 'utf8')
  const isAlone = (file) => needsProcess.test(text(file))
  const inWindow = files.filter((file) => file.startsWith(pages) && !isAlone(file))
  const others = files.filter((file) => !inWindow.includes(file))
  const windows = inProcesses('window', inWindow, Math.min(nWindows, inWindow.length))
  if (others.length <= filesInProcess) return [...windows, ...others.map(bundleOf)]
  const shared = others.filter((file) => !isAlone(file))
  const counting = shared.filter((file) => counts.test(text(file)))
  const together = shared.filter((file) => !counting.includes(file))
  return [
    ...windows,
    ...others.filter(isAlone).map(bundleOf),
    ...inProcesses('counting', counting, Math.min(2, counting.length)),
    ...inNeighborhoods('together', together, Math.ceil(together.length / filesInProcess)),
  ]

  function inProcesses(name, chosen, nProcesses) {
    return Array.from({ length: nProcesses }, (_, index) =>
      inOneProcess(
        `${name}-${index}`,
        chosen.filter((_, at) => at % nProcesses === index),
      ),
    )
  }

  /** As {@link inProcesses}, with files that are next to each other: files of a folder load the same libraries. */
  function inNeighborhoods(name, chosen, nProcesses) {
    return Array.from({ length: nProcesses }, (_, index) => {
      const at = (nth) => Math.round((nth * chosen.length) / nProcesses)
      return inOneProcess(`${name}-${index}`, chosen.slice(at(index), at(index + 1)))
    })
  }

  function bundleOf(file) {
    return join(output, relative(root, file).replace(/\.ts$/, '.mjs'))
  }

  /** A program that loads all files before the first test begins. */
  function inOneProcess(name, chosen) {
    const program = join(output, `${name}.mjs`)
    const lines = chosen.map((file) => `import ${JSON.stringify(pathToFileURL(bundleOf(file)).href)}\n`)
    writeFileSync(program, lines.join(''))
    return program
  }
}

function runNode() {
  const reporter =
    files.length === 1 && !process.env.TEST_TOTALS
      ? 'spec'
      : pathToFileURL(join(root, 'scripts', 'compact-reporter.mjs')).href
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      `--import=${pathToFileURL(join(root, 'scripts', 'fuzz', 'seed.mjs')).href}`,
      '--test',
      '--test-concurrency=2',
      `--test-reporter=${reporter}`,
      '--test-reporter-destination=stdout',
      ...nodeOptions,
      ...programs(),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TEST_OUTPUT: output, TEST_NIGHTLY: isNight ? '1' : '0' },
    },
  )
  return new Promise((done) => child.on('close', (code) => done(code ?? 1)))
}
