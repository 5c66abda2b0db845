/** How large the process of `ocm` becomes. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, ocm } from './run-ocm.ts'

/** Prints the largest size of a process, in kilobytes, when it ends. */
const printPeak = `process.on('exit', () => {
  const status = require('node:fs').readFileSync('/proc/self/status', 'utf8')
  process.stderr.write('peak ' + /VmHWM:\\s*(\\d+)/.exec(status)[1])
})`

test('a problem in each of 200,000 messages takes 16 bytes for each byte and less than 300 MB beside the start of Node', {
  skip: process.platform === 'linux' ? false : 'only Linux shows the size of a process in a file',
}, async (t) => {
  const text = '<|start|>user<|messages|>'.repeat(200_000)
  const cwd = folder(t, { 'many.ocm': text, 'peak.cjs': printPeak, 'empty.ocm': '' })
  const peakOf = async (file: string) => {
    const env = { NODE_OPTIONS: `--require ${JSON.stringify(join(cwd, 'peak.cjs'))}` }
    const { stderr } = await ocm(['check', '--jobs', '1', file], { cwd, env })
    return Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024
  }
  const start = await peakOf('empty.ocm')
  const peak = await peakOf('many.ocm')
  const most = start + 300 + (16 * text.length) / 1e6
  assert.ok(peak < most, `${peak} MB; expected less than ${most} MB`)
})
