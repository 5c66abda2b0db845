/**
 * Measures speed and memory compared with peers, in one run, on the same conversations.
 *
 *     npm run bench                          everything; close what else runs on the machine
 *     npm run bench -- --quick               smaller files, fewer rounds
 *     npm run bench -- --only=hostile        one part: parsing, calls, datasets, finding, listing, packed, training, serving, problems,
 *                                            answers, preview, review, hostile, limits or memory
 *     npm run bench -- --only=limits --megabytes=10    hostile texts of one size against the limits
 *     npm run bench -- --only=listing --pictures=DIR      with pictures of the list
 *     npm run bench -- --only=limits --filter=JSON     those with such a name
 *     npm run bench -- --only=rules          what each rule costs
 *     npm run bench -- --corpus DIR          opening alone, on the conversations in a folder (*.ocm, *.json, *.jsonl)
 *     npm run bench -- --only=datasets --megabytes=1000    datasets of a gigabyte; also with packed
 *     npm run bench -- --write=2026-12-31    writes the result, measured on that day, into docs/performance.md; with
 *                                            --only, the rows of that part in place of those before
 *
 * The peers are installed under `.bench/`, once, in the versions named in `install-peers.mjs`.
 * Ends with 1 if a target is missed.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { leavePackagesOut, root } from '../repository.mjs'
import { installationFolder, vscodeExtensionsFolder } from '../vscode/install.mjs'
import { installDuckdb, installJsonServer, installPeers, installTokenizers } from './install-peers.mjs'

const parts = [
  'parsing',
  'calls',
  'datasets',
  'finding',
  'listing',
  'packed',
  'training',
  'serving',
  'problems',
  'answers',
  'preview',
  'review',
  'hostile',
  'limits',
  'memory',
]
const options = optionsFrom(process.argv.slice(2))
const output = join(root, 'dist', 'bench')
process.on('exit', () => rmSync(output, { recursive: true, force: true }))

const hasPeers = !options.parts.every((it) =>
  ['finding', 'hostile', 'limits', 'listing', 'memory', 'packed', 'review', 'training'].includes(it),
)
const peers = hasPeers ? installPeers(console.log) : { modules: '', versions: {} }
const json = hasPeers ? await findJsonServer() : { program: '', versions: {} }
const tokenizers = options.parts.includes('datasets') ? installTokenizers(console.log) : undefined
const duckdb = options.parts.some((it) => ['finding', 'packed'].includes(it))
  ? installDuckdb(console.log)
  : undefined
await run([join(root, 'esbuild.mjs'), '--production'], () => {})
await bundle([...parts.concat('rules').map(programOf), 'store-server', 'text-document-server', 'result'])
const { replaceRows, rowIn, showTable, writeResult } = await import(
  pathToFileURL(join(output, 'result.mjs')).href
)
const rows = []
for (const part of options.parts) await measure(part)
console.log(`\n${showTable(rows)}`)
if (options.date) {
  const document = join(root, 'docs', 'performance.md')
  if (options.parts === parts) writeResult(document, rows, { date: options.date, versions: versions() })
  else replaceRows(document, rows)
}
if (rows.some(({ isReached }) => isReached === false)) process.exitCode = 1

function optionsFrom(args) {
  const found = {
    isQuick: false,
    parts,
    date: undefined,
    megabytes: undefined,
    pictures: undefined,
    filter: undefined,
    corpus: undefined,
  }
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]
    const [name, value = name === '--corpus' ? args[++index] : undefined] = arg.split('=')
    if (name === '--quick') found.isQuick = true
    else if (name === '--only' && [...parts, 'rules'].includes(value)) found.parts = [value]
    else if (name === '--megabytes' && /^[1-9]\d{0,5}$/.test(value)) found.megabytes = Number(value)
    else if (name === '--pictures' && value) found.pictures = resolve(value)
    else if (name === '--filter' && value) found.filter = value
    else if (name === '--corpus' && value)
      Object.assign(found, { corpus: resolve(value), parts: ['serving'] })
    else if (name === '--write' && /^\d{4}-\d\d-\d\d$/.test(value)) found.date = value
    else {
      console.error(`Unknown argument: ${arg}. See the top of scripts/bench/bench.mjs.`)
      process.exit(2)
    }
  }
  return found
}

/** VS Code's own JSON language server where VS Code is installed for the tests; else the same as a package. */
async function findJsonServer() {
  const hasVSCode =
    existsSync(installationFolder) && readdirSync(installationFolder).some((it) => /^vscode-[\d.]+$/.test(it))
  if (hasVSCode) {
    const folder = join(await vscodeExtensionsFolder(), 'json-language-features', 'server')
    const program = join(folder, 'dist', 'node', 'jsonServerMain.js')
    const { version } = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8'))
    if (existsSync(program)) return { program, versions: { "VS Code's JSON language server": version } }
  }
  const { modules, versions } = installJsonServer(console.log)
  const program = join(modules, 'vscode-langservers-extracted', 'bin', 'vscode-json-language-server')
  return { program, versions }
}

function programOf(part) {
  return `measure-${part}`
}

async function bundle(names) {
  await build({
    entryPoints: names.map((name) => join(root, 'scripts', 'bench', `${name}.ts`)),
    outdir: output,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    mainFields: ['module', 'main'],
    plugins: [leavePackagesOut],
    logLevel: 'error',
    absWorkingDir: root,
  })
}

/** Runs one of the measuring programs and takes its rows as they come. */
async function measure(part) {
  console.log(`\n${part}`)
  const assignment = {
    isQuick: options.isQuick,
    peers: peers.modules,
    server: join(root, 'dist', 'server', 'node.js'),
    storeServer: join(output, 'store-server.mjs'),
    textDocumentServer: join(output, 'text-document-server.mjs'),
    jsonServer: json.program,
    tokenizers: tokenizers?.modules,
    duckdb: duckdb?.modules,
    program: join(root, 'dist', 'cli', 'ocm.js'),
    megabytes: options.megabytes,
    pictures: options.pictures,
    filter: options.filter,
    corpus: options.corpus,
  }
  const flags = ['--expose-gc', '--max-old-space-size=8192'] // the trees of the peers are large
  await run([...flags, join(output, `${programOf(part)}.mjs`), JSON.stringify(assignment)], (line) => {
    const row = rowIn(line)
    if (row) rows.push(row)
    console.log(row ? `  ${row.what}: ${row.ours}${row.figure && ` (${row.figure})`}` : line)
  })
}

/** Runs Node and hands over what it prints, line by line. */
function run(args, onLine) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  createInterface({ input: child.stdout }).on('line', onLine)
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) =>
      code === 0 ? done() : fail(new Error(`node ${args.join(' ')} ended with ${code}`)),
    )
  })
}

function versions() {
  const ours = ['vscode-json-languageservice', 'vscode-languageserver', 'vscode-languageserver-textdocument']
  const installed = ours.map((name) => {
    const manifest = join(root, 'node_modules', name, 'package.json')
    return [name, JSON.parse(readFileSync(manifest, 'utf8')).version]
  })
  return {
    ...Object.fromEntries(installed),
    ...json.versions,
    ...peers.versions,
    ...tokenizers?.versions,
    ...duckdb?.versions,
  }
}
