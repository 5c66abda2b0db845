/** Installs what we are compared with, under `.bench/`: once, and never among the dependencies of the project. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../repository.mjs'
import { npmCommand } from '../vscode/install.mjs'

const inProcess = {
  '@lezer/markdown': '1.8.1',
  'openai-harmony': '0.4.0',
  'gpt-tokenizer': '4.0.0', // its data holds the vocabulary that openai-harmony would load from the network
}
const jsonServer = { 'vscode-langservers-extracted': '4.10.0' }
const tokenizers = { 'js-tiktoken': '1.0.21' }
const duckdb = { '@duckdb/node-api': '1.5.6-r.1' }
const fuzzer = { '@jazzer.js/core': '4.0.0' }

/** The readers that run in our process. */
export function installPeers(log) {
  return install('peers', inProcess, log)
}

/** VS Code's JSON language server as a package, for machines without VS Code's own files. */
export function installJsonServer(log) {
  return install('json-server', jsonServer, log)
}

/** Tokenizers that ours is compared with. */
export function installTokenizers(log) {
  return install('tokenizers', tokenizers, log)
}

/** DuckDB, which statistics are compared with, and whose SQL the recipes use. */
export function installDuckdb(log) {
  return install('duckdb', duckdb, log)
}

/** The coverage-guided fuzzer. */
export function installFuzzer(log) {
  return install('fuzzer', fuzzer, log)
}

/** @returns {{modules: string, versions: Record<string, string>}} the `node_modules` and what is in it */
function install(name, dependencies, log) {
  const folder = join(root, '.bench', name)
  const stamp = join(folder, 'complete.json')
  const wanted = JSON.stringify(dependencies)
  const installed = { modules: join(folder, 'node_modules'), versions: dependencies }
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return installed
  log(`  installing ${Object.keys(dependencies).join(', ')}`)
  const part = `${folder}.part-${process.pid}`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  writeFileSync(join(part, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const [program, args] = npmCommand([
    'install',
    `--prefix=${part}`,
    '--ignore-scripts',
    '--legacy-peer-deps', // peers of peers are not needed, and TypeScript is large
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  const { status } = spawnSync(program, args, {
    cwd: part,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: program === 'npm' && process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm could not install ${Object.keys(dependencies).join(', ')}`)
  writeFileSync(join(part, 'complete.json'), wanted)
  renameSync(part, folder)
  return installed
}
