/** Lines of `ocm mcp` are whole, however they arrive, and long ones are empty. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boundedLines } from '../../cli/src/mcp/bounded-lines.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const most = 8 // bytes, with the line break

/** The lines of `chunks`, and how many were too long. */
async function linesOf(chunks: readonly string[]): Promise<{ lines: readonly string[]; nLong: number }> {
  async function* arriving() {
    for (const it of chunks) yield Buffer.from(it)
  }
  const lines: string[] = []
  let nLong = 0
  for await (const it of boundedLines(arriving(), most, () => nLong++)) lines.push(it.toString())
  return { lines, nLong }
}

test('each line is whole, and empty if it is too long', async () => {
  const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 }), {
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(chunks, async (arrived) => {
      const sent = arrived.join('')
      const rest = sent.slice(sent.lastIndexOf('\n') + 1)
      const expected = (sent.match(/.*\n/g) ?? []).map((it) => (it.length > most ? '\n' : it))
      const long = (sent.match(/[^\n]+\n?/g) ?? []).filter((it) => it.length > most)
      // A long line is answered as soon as it is too long.
      if (rest.length > most) expected.push('\n')
      assert.deepEqual(await linesOf(arrived), { lines: expected, nLong: long.length })
    }),
    { numRuns: propertyRuns },
  )
})
