/** What fails where nothing waits for it ends `ocm` with its name and its place, and quotes nothing: users send such reports. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildSync } from 'esbuild'
import { canary, failures } from '../helpers/canary.ts'
import { folder, good, ocmProcess } from './run-ocm.ts'

const ways = { 'an exception': 'fail()', 'a rejection': '(async () => fail())()' }
const commands = [['check', 'a.ocm'], ['render', 'a.ocm'], ['mcp']]

test('what ends the program is reported without a value of a document', async (t) => {
  const cwd = folder(t, { 'a.ocm': good })
  const bundle = join(cwd, 'failures.cjs')
  buildSync({ entryPoints: ['test/helpers/canary.ts'], outfile: bundle, bundle: true, format: 'cjs' })
  for (const [index, fail] of failures.entries()) {
    try {
      fail()
      continue // this engine does not mind
    } catch {}
    const [way, code] = Object.entries(ways)[index % 2] ?? []
    const args = commands[index % commands.length] ?? []
    const preloaded = `const { failures } = require(${JSON.stringify(bundle)})\nconst fail = () => failures[${index}]()\nconst wait = () => process.listenerCount('uncaughtException') > 0 ? ${code} : setImmediate(wait)\nwait()`
    const env = { NODE_OPTIONS: `--require ${join(folder(t, { 'fail.cjs': preloaded }), 'fail.cjs')}` }
    const { status, stderr } = await ocmProcess(args, { cwd, env })
    assert.equal(status, 2, `${way}: ${fail}`)
    assert.match(stderr, /^ocm: internal problem: /, `${way}: ${fail}`)
    assert.doesNotMatch(stderr, new RegExp(canary), `${way}: ${fail}`)
  }
})
