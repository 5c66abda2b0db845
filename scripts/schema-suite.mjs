/** Runs `schema-suite.ts`, which says what it does. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { leavePackagesOut, root } from './repository.mjs'

const outfile = join(root, 'dist', 'test', 'schema-suite.mjs')
await build({
  entryPoints: [join(root, 'scripts', 'schema-suite.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  plugins: [leavePackagesOut],
  logLevel: 'error',
})
process.exitCode =
  spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1
