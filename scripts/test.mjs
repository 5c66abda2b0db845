/**
 * `npm test`: runs every layer of tests, or those that are named, and says plainly what ran, what could not, and why.
 *
 *     npm test                             all
 *     npm run test:vscode                  one layer
 *     node scripts/test.mjs unit grammar   two
 *     npm run test:nightly                 all, with the tests for the night (`test/helpers/nightly.ts`)
 *
 * Sets up a fresh clone by itself. With `CI=true`, or if the layer was asked for by name, nothing may be skipped;
 * with `CI=true`, nothing may need a second attempt either.
 * The last line is `N passed, N failed`, summed over the layers.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './repository.mjs'
import { build, run, setUp } from './set-up.mjs'
import { installBrowser } from './vscode/browser.mjs'
import { installServer } from './vscode/install.mjs'

const node = process.execPath
const program = (...parts) => join(root, 'node_modules', ...parts)
const tests = (...args) => [join(root, 'scripts', 'run-tests.mjs'), ...args]

const isNight = process.argv[2] === '--nightly'

/**
 * Each layer is one or more programs of Node with their arguments. Those that count tests do so in the file that `TEST_TOTALS`
 * names; others are one test. With `inEditor`, they run in the Node of VS Code, as the extension does; the others in this one, which
 * CI keeps at the oldest that is supported. The command line runs in either: all of it in that of VS Code, which is faster, and what
 * depends on the version in this one.
 */
const layers = {
  types: { title: 'types', commands: [[program('typescript', 'bin', 'tsc'), '-b']] },
  lint: {
    title: 'lint and format',
    commands: [[program('@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.']],
  },
  tidy: { title: 'tidy', needs: 'test/tidy.test.ts', commands: [tests('test/tidy.test.ts')] },
  unit: {
    title: 'unit and property',
    commands: [
      tests(
        'test',
        ...[
          ...['vscode', 'grammar', 'server', 'cli', 'editors', 'schedulers'],
          ...['tidy.test.ts', 'packages.test.ts'],
        ].map((it) => `!test/${it}`),
      ),
    ],
    inEditor: true,
  },
  grammar: {
    title: 'grammar',
    needs: 'test/grammar',
    commands: [tests('test/grammar')],
    needsVSCode: true,
    inEditor: true,
  },
  server: {
    title: 'server (protocol)',
    needs: 'test/server',
    commands: [tests('test/server')],
    inEditor: true,
  },
  cli: {
    title: 'command line',
    needs: 'test/cli',
    commands: [tests('test/cli')],
    inEditor: true,
  },
  node: {
    title: 'packages, and the command line in this Node',
    needs: 'test/packages.test.ts',
    commands: [
      tests(
        'test/packages.test.ts',
        ...['start', 'watch', ...(isNight ? ['filter'] : [])].map((it) => `test/cli/${it}.test.ts`),
      ),
    ],
  },
  editors: {
    title: 'other editors',
    needs: 'test/editors',
    commands: [tests('test/editors')],
    // Programs of the system, which need not be installed: missing ones are named, and are not a failure.
    mayMiss: true,
  },
  schedulers: {
    title: 'schedulers',
    needs: 'test/schedulers',
    commands: [tests('test/schedulers')],
    mayMiss: true, // as for other editors
  },
  vscode: {
    title: 'real VS Code',
    commands: [[join(root, 'scripts', 'vscode', 'run-suite.mjs')], tests('test/vscode/page')],
    needsVSCode: true,
    inEditor: true,
    // A browser on a busy machine: what fails is tried again alone, and named if it passes then, which fails a run on CI.
    mayTryAgain: true,
  },
}

const named = process.argv.slice(isNight ? 3 : 2)
const unknown = named.filter((it) => !Object.hasOwn(layers, it))
if (unknown.length > 0) {
  console.error(`No layer ${unknown.join(', ')}; there are ${Object.keys(layers).join(', ')}`)
  process.exit(2)
}
const mayNotSkip = process.env.CI === 'true' || named.length > 0
const selected = Object.entries(layers).filter(([name]) => named.length === 0 || named.includes(name))
const begun = Date.now()
const temporary = mkdtempSync(join(tmpdir(), 'openchatml-totals-'))

void installEditor() // npm waits for the network much of the time, and has one processor busy
await setUp()
const builtWell = (await build()) === 0
if (!builtWell) console.error('✖ the build fails')
const results = [{ title: 'build', ...one(builtWell), time: seconds(begun) }]
const lanes = inLanes(selected)
results.push(...(await Promise.all(lanes.map(runLane))).flat())
rmSync(temporary, { recursive: true, force: true })
process.exitCode = report()

/** What runs side by side: the two longest layers, those that mostly wait for other programs with the short ones, and the others. */
function inLanes(layers) {
  const alone = ['vscode', 'unit']
  const short = ['editors', 'schedulers', 'types', 'lint', 'tidy']
  const groups = [
    ...alone.map((it) => layers.filter(([name]) => name === it)),
    layers.filter(([name]) => short.includes(name)),
    layers.filter(([name]) => !alone.includes(name) && !short.includes(name)),
  ]
  return groups.filter((it) => it.length > 0)
}

async function runLane(lane) {
  const outcomes = []
  for (const [name, layer] of lane) {
    const output = lanes.length > 1 ? [] : undefined
    // VS Code paints until a test has seen what it waits for: the longer it waits for the processor, the more it costs.
    const yields = lanes.length > 1 && name !== 'vscode'
    const outcome = await runLayer(name, layer, { output, yields })
    console.log(`\n── ${layer.title} ${'─'.repeat(Math.max(0, 60 - layer.title.length))}`)
    if (output !== undefined) process.stdout.write(output.join(''))
    outcomes.push(outcome)
  }
  return outcomes
}

/** @param {{ output?: string[], yields: boolean }} how `output` receives what the commands print, where more than one layer runs */
async function runLayer(
  name,
  { title, commands, needs, needsVSCode, inEditor = false, mayMiss = false, mayTryAgain = false },
  { output, yields },
) {
  const layerBegun = Date.now()
  const sum = { passed: 0, failed: 0, skipped: [], late: [], failures: [] }
  if (needs !== undefined && !existsSync(join(root, needs))) {
    sum.skipped.push(`${title}: there is no ${needs}`)
    return { title, ...sum, time: seconds(layerBegun) }
  }
  const missing = needsVSCode ? await installationProblem() : undefined
  if (missing !== undefined) {
    sum.skipped.push(`${title}: VS Code cannot be installed: ${missing}`)
    return { title, ...sum, time: seconds(layerBegun) }
  }
  const runner = inEditor ? await editorNode() : node
  for (const [index, args] of commands.entries()) {
    let totals = await runTests([runner, args], `${name}-${index}`, { output, yields })
    if (mayTryAgain && totals.failed > 0)
      totals = await tryAgain(runner, totals, `${name}-${index}-again`, output)
    if (totals.passed + totals.failed + totals.skipped.length === 0) say(`✖ ${title}: no test ran`, output)
    sum.passed += totals.passed
    sum.failed += totals.failed
    sum.skipped.push(...totals.skipped)
    sum.late.push(...(totals.late ?? []))
    sum.failures.push(...(totals.failures ?? []))
  }
  return { title, ...sum, mayMiss, time: seconds(layerBegun) }
}

/** Runs a command; what it counted, with at least one failure if it fails or ran nothing. */
async function runTests([command, args], id, { output, yields = false }) {
  const file = join(temporary, `${id}.json`)
  // A later Node than this one, such as that of VS Code, keeps there what it has compiled: the next process need not do it again.
  const env = {
    ...process.env,
    TEST_TOTALS: file,
    TEST_NIGHTLY: isNight ? '1' : '0',
    NODE_COMPILE_CACHE: join(temporary, 'compiled'),
  }
  const isOk = (await run(command, args, { env, yields }, output)) === 0
  const totals = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : one(isOk)
  const ranNothing = totals.passed + totals.failed + totals.skipped.length === 0
  return isOk && !ranNothing ? totals : { ...totals, failed: Math.max(1, totals.failed) }
}

/** Runs the files with failures once more, if they are few: the totals with the result. */
async function tryAgain(runner, totals, id, output) {
  const late = Object.entries(totals.files ?? {}).filter(([, { failed }]) => failed > 0)
  const files = late.map(([file]) => file)
  const explained = late.reduce((count, [, { failed }]) => count + failed, 0)
  if (files.length === 0 || files.length > 4 || explained !== totals.failed) return totals
  say(`\nOnce more: ${files.join(', ')}`, output)
  const again = await runTests([runner, tests('--test-concurrency=1', ...files)], id, { output })
  if (again.failed > 0) return totals
  const passedBefore = late.reduce((count, [, { passed }]) => count + passed, 0)
  return {
    ...totals,
    passed: totals.passed - passedBefore + again.passed,
    failed: 0,
    failures: [],
    late: files,
  }
}

/** Prints a line, or keeps it until its layer is done. */
function say(line, output) {
  if (output === undefined) console.log(line)
  else output.push(`${line}\n`)
}

/** Installs VS Code and a browser to show it with, where they are needed. Layers wait for that, and name what cannot be installed. */
async function installEditor() {
  const needsEditor = selected.some(([, { needsVSCode, inEditor }]) => needsVSCode || inEditor)
  const needsBrowser = selected.some(([name]) => name === 'vscode')
  await Promise.allSettled([needsEditor && installServer(), needsBrowser && installBrowser()])
}

/** The grammar tests read VS Code's own grammars, so it is installed before, with its progress to be seen. */
async function installationProblem() {
  try {
    await installServer()
    return undefined
  } catch (error) {
    return error.message
  }
}

/** The Node of VS Code; this one where VS Code cannot be installed, as the layers that need it say. */
async function editorNode() {
  try {
    return (await installServer()).node
  } catch {
    return node
  }
}

function report() {
  const nPassed = total((it) => it.passed)
  const nFailed = total((it) => it.failed)
  const skipped = results.flatMap((it) => it.skipped)
  const nUnexcused = total((it) => (it.mayMiss ? 0 : it.skipped.length))
  const late = results.flatMap(({ late = [] }) => late)
  const nLate = process.env.CI === 'true' ? late.length : 0
  console.log(`\n── summary ${'─'.repeat(53)}`)
  for (const { title, passed, failed, skipped: left, time } of results) {
    const mark = failed > 0 ? '✖' : left.length > 0 ? '-' : '✔'
    const counts = `${passed} passed, ${failed} failed${left.length > 0 ? `, ${left.length} not run` : ''}`
    console.log(`${mark} ${title.padEnd(20)} ${counts.padEnd(36)} ${time}`)
  }
  for (const it of results.flatMap(({ failures = [] }) => failures)) console.log(`\n✖ ${shortened(it)}`)
  for (const it of late) console.log(`Passed at the second attempt${nLate > 0 ? ', which fails' : ''}: ${it}`)
  for (const it of skipped) console.log(`Not run: ${it}`)
  const left = Object.keys(layers).filter((name) => !selected.some(([it]) => it === name))
  if (left.length > 0) console.log(`Not asked for: ${left.join(', ')}`)
  if (!isNight) console.log('Without the tests for the night, which npm run test:nightly has')
  if (nUnexcused > 0 && mayNotSkip)
    console.log('Nothing may be skipped here, so what was not run counts as failed')
  console.log(`In ${seconds(begun)} with Node ${process.version}, ${process.platform} ${process.arch}\n`)
  const nFailedInAll = nFailed + nLate + (mayNotSkip ? nUnexcused : 0)
  const suffix = mayNotSkip || skipped.length === 0 ? '' : `, ${skipped.length} skipped`
  console.log(`${nPassed} passed, ${nFailedInAll} failed${suffix}`)
  return nFailedInAll > 0 ? 1 : 0
}

/** The beginning of a failure, which is printed in full where it happened. */
function shortened(text) {
  const [first, ...more] = text.slice(0, 1500).split('\n').slice(0, 20)
  return [first, ...more.map((line) => `    ${line}`)].join('\n')
}

function total(of) {
  return results.reduce((sum, it) => sum + of(it), 0)
}

function one(isOk) {
  return { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1, skipped: [] }
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}
