/** Bytes that are not UTF-8 are found where they are, as the platform's decoder judges them. */
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { positionsInSample, textOfBytes } from '../../core/src/datasets/sample-text.ts'
import { validUtf8Length } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        0x41,
        0x0a,
        0x80,
        0xbf,
        0xc0,
        0xc2,
        0xe0,
        0xa0,
        0xed,
        0x9f,
        0xef,
        0xf0,
        0x90,
        0xf4,
        0x8f,
        0xf5,
        0xff,
      ),
      fc.constantFrom('ü', '€', '\ufffd', '\u{1f600}', '\ufeff', 'abc').map((it) => [...Buffer.from(it)]),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flat()))

test('the first byte that is not UTF-8 is found', () => {
  fc.assert(
    fc.property(bytes, (it) => {
      const length = validUtf8Length(it)
      assert.ok(isUtf8(it.subarray(0, length)))
      assert.equal(length === it.length, isUtf8(it))
      for (let more = 1; more <= 4 && length + more <= it.length; more++)
        assert.ok(!isUtf8(it.subarray(length, length + more)), 'no character begins there')
      const text = textOfBytes(it)
      if (typeof text === 'string') assert.equal(text, Buffer.from(it).toString())
      else assert.equal(text.before, Buffer.from(it.subarray(0, length)).toString())
    }),
    { numRuns: 10 * propertyRuns },
  )
})

test('lines end in line feeds', () => {
  const positionAt = positionsInSample('a\r\n\nbc')
  assert.deepEqual(
    [0, 2, 3, 4, 6].map((offset) => Object.values(positionAt(offset)).join(':')),
    ['0:0', '0:2', '1:0', '2:0', '2:2'],
  )
  assert.deepEqual(positionsInSample('')(0), { line: 0, character: 0 })
})
