/**
 * Coverage-guided fuzzing with Jazzer.js, which is installed under `.bench/` when it is asked for. Its native part comes inside
 * the package, built for recent systems: on Linux it needs glibc 2.38, so Debian 12 and Ubuntu 22.04 cannot load it.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { installFuzzer } from '../bench/install-peers.mjs'
import { root } from '../repository.mjs'

/**
 * Runs the fuzzer until it finds something; `args` go to libFuzzer (`-max_total_time=60`).
 *
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function fuzzGuided(args) {
  const { modules } = installFuzzer(console.log)
  const load = createRequire(join(modules, 'x.js'))
  try {
    load('@jazzer.js/fuzzer')
  } catch (error) {
    console.error(`The coverage-guided fuzzer does not run on this system: ${error.message}`)
    console.error('Without `--guided`, the same properties are tried on random texts.')
    return 1
  }
  const output = join(root, 'dist', 'fuzz')
  const corpus = join(root, '.fuzz', 'corpus')
  mkdirSync(corpus, { recursive: true })
  cpSync(join(root, 'samples'), corpus, { recursive: true, filter: (it) => !it.endsWith('.md') })
  await build({
    entryPoints: [join(root, 'scripts', 'fuzz', 'target.ts')],
    outfile: join(output, 'target.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
    sourcemap: 'inline',
    logLevel: 'error',
  })
  const cli = join(modules, '@jazzer.js', 'core', 'dist', 'cli.js')
  const limits = ['-max_len=2000', `-artifact_prefix=${join(root, '.fuzz')}/`]
  const own = ['--sync', '--includes=dist/fuzz', '--excludes=node_modules']
  const child = spawn(
    process.execPath,
    [cli, join(output, 'target'), corpus, ...own, '--', ...limits, ...args],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  return new Promise((done) => child.on('close', (code) => done(code ?? 1)))
}
