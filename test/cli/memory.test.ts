/** How large the process of `ocm` becomes. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { folder, ocm } from './run-ocm.ts'

/** Prints the largest size of a process, in kilobytes, when it ends. */
const printPeak = `process.on('exit', () => {
  const status = require('node:fs').readFileSync('/proc/self/status', 'utf8')
  process.stderr.write('peak ' + /VmHWM:\\s*(\\d+)/.exec(status)[1])
})`

const onlyLinux = {
  skip: process.platform === 'linux' ? false : 'only Linux shows the size of a process in a file',
}

/** The largest size of `ocm` with `args` on a file of `text`, in MB, and what it may be: that of its start, 300 MB, and 16 bytes a byte. */
async function peakOf(t: TestContext, args: readonly string[], text: string) {
  const cwd = folder(t, { 'many.ocm': text, 'peak.cjs': printPeak, 'empty.ocm': '' })
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(join(cwd, 'peak.cjs'))}` }
  const sizeFor = async (file: string) => {
    const { stderr } = await ocm([...args, file], { cwd, env })
    return Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024
  }
  const start = await sizeFor('empty.ocm')
  return { peak: await sizeFor('many.ocm'), most: start + 300 + (16 * text.length) / 1e6, start }
}

test(
  'a problem in each of 200,000 messages takes 16 bytes for each byte and less than 300 MB beside the start of Node',
  onlyLinux,
  async (t) => {
    const text = '<|start|>user<|messages|>'.repeat(200_000)
    const { peak, most } = await peakOf(t, ['check', '--jobs', '1'], text)
    assert.ok(peak < most, `${peak} MB; expected less than ${most} MB`)
  },
)

for (const [what, format, body] of [
  ['characters that HTML escapes', 'html', '<"'],
  ['line breaks that Markdown quotes', 'markdown', '\r'],
  ['lines that are set in', 'text', 'a\n'],
] as const)
  test(`millions of ${what} are not held one by one`, onlyLinux, async (t) => {
    const text = `<|start|>user<|message|>${body.repeat(4_000_000 / body.length)}a`
    const { peak, start } = await peakOf(t, ['render', '--format', format], text)
    const most = start + 100 + (16 * text.length) / 1e6
    assert.ok(peak < most, `${peak} MB; expected less than ${most} MB`)
  })
