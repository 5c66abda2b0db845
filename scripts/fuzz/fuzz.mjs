/**
 * Looks for texts that break a property, until one is found or Ctrl+C ends it.
 *
 *     npm run fuzz                       every test file with properties, round by round, each with a fresh seed
 *     npm run fuzz -- test/core          only those in a folder
 *     npm run fuzz -- --rounds=3         not for ever
 *     npm run fuzz -- --seed=42          one round, with the seed that a failure has printed
 *     npm run fuzz -- --runs=100000      texts per property and round; 10,000 by default
 *     npm run fuzz -- --guided           lets the coverage of our code guide the search (see docs/performance.md)
 *
 * A failing case is printed, and kept in `.fuzz/` in a form that can be pasted into a test.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../repository.mjs'
import { build } from '../set-up.mjs'
import { fuzzGuided } from './guided.mjs'

const options = optionsFrom(process.argv.slice(2))
if (options.isGuided) process.exitCode = await fuzzGuided(options.rest)
else await fuzz()

async function fuzz() {
  const folders = options.rest.length > 0 ? options.rest : ['test']
  const files = folders.flatMap((it) => filesWithProperties(join(root, it)))
  if (files.length === 0) throw new Error(`No properties in ${folders.join(', ')}`)
  if ((await build()) !== 0) {
    process.exitCode = 1
    return
  }
  for (let round = 1; round <= options.rounds; round++) {
    const seed = options.seed ?? randomInt(0x7fffffff)
    const begun = Date.now()
    process.stdout.write(`round ${round}, seed ${seed}: `)
    for (const file of files) {
      const { code, output } = await runTests(file, seed)
      if (code === 0) {
        process.stdout.write('.')
        continue
      }
      console.log(`\n${output}`)
      console.log(`Kept in ${keep(file, seed, output)}`)
      process.exitCode = 1
      return
    }
    console.log(` ${Math.round((Date.now() - begun) / 1000)} s`)
  }
}

function optionsFrom(args) {
  const found = { isGuided: false, rounds: Number.POSITIVE_INFINITY, runs: 10_000, seed: undefined, rest: [] }
  for (const arg of args) {
    const number = Number(/^--\w+=(\d+)$/.exec(arg)?.[1])
    if (arg === '--guided') found.isGuided = true
    else if (arg.startsWith('--rounds=')) found.rounds = number
    else if (arg.startsWith('--runs=')) found.runs = number
    else if (arg.startsWith('--seed=')) Object.assign(found, { seed: number, rounds: 1 })
    else found.rest.push(arg)
  }
  return found
}

/** The tests that have properties. Those that read `propertyRuns` draw as many texts as are asked for. */
function filesWithProperties(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(path, name))
    .filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"))
    .sort()
}

function runTests(file, seed) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'run-tests.mjs'), file], {
    cwd: root,
    env: { ...process.env, FUZZ_SEED: String(seed), PROPERTY_RUNS: String(options.runs) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  return new Promise((done) => child.on('close', (code) => done({ code, output })))
}

/** Writes the failing case as the beginning of a test. */
function keep(file, seed, output) {
  const folder = join(root, '.fuzz')
  mkdirSync(folder, { recursive: true })
  const cases = new Set([...output.matchAll(/^\s*Counterexample: (.*)$/gm)].map(([, it]) => it))
  const test = relative(root, file).replaceAll('\\', '/')
  const lines = [
    `// node scripts/fuzz/fuzz.mjs --seed=${seed} --runs=${options.runs} ${test}`,
    ...[...cases].map((it) => `const counterexample = ${it}`),
    '',
    ...output.split('\n').map((line) => `// ${line}`.trimEnd()),
  ]
  const path = join(folder, `${test.replaceAll(/[^\w]+/g, '-')}-${seed}.ts`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return relative(root, path)
}
