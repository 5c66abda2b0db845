/** How large the process of `ocm` becomes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nightly } from '../helpers/nightly.ts'
import { mostFor, peakSizes } from '../helpers/peak-size.ts'
import { program } from './run-ocm.ts'

const onlyLinux: { readonly skip: string | false } = {
  skip: process.platform === 'linux' ? false : 'only Linux shows the size of a process in a file',
}
const megabyte = 1e6

nightly(
  'a problem in each of 200,000 messages takes 16 bytes for each byte and less than 300 MB beside the start of Node',
  onlyLinux,
  () => {
    const text = '<|start|>user<|messages|>'.repeat(200_000)
    const sizes = peakSizes(program, ['check', '--jobs', '1'], text)
    assertLess(sizes.peak, mostFor(text.length, sizes))
  },
)

for (const [isByDay, what, format, body] of [
  [true, 'characters that HTML escapes', 'html', '<"'],
  [false, 'line breaks that Markdown quotes', 'markdown', '\r'],
  [false, 'lines that are set in', 'text', 'a\n'],
] as const) {
  const register: typeof nightly = isByDay ? test : nightly
  register(`millions of ${what} are not held one by one`, onlyLinux, () => {
    const text = `<|start|>user<|message|>${body.repeat(4_000_000 / body.length)}a`
    const { peak, start } = peakSizes(program, ['render', '--format', format], text)
    assertLess(peak, start + 150 * megabyte + 16 * text.length)
  })
}

function assertLess(size: number, most: number): void {
  const [is, may] = [size, most].map((it) => Math.round(it / megabyte))
  assert.ok(size < most, `${is} MB; expected less than ${may} MB`)
}
