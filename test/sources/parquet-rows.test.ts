/** Rows of Parquet as lines of JSON: their texts are copied from the file, escaped where JSON asks for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeDecompression } from '../../client/disk/decompression.ts'
import { RowError, RowWriter } from '../../core/src/datasets/sources/parquet-json.ts'
import { ColumnText } from '../../core/src/datasets/sources/parquet-values.ts'

const longest = 2 ** 22
const text = (...bytes: readonly number[]) => new ColumnText(Uint8Array.from(bytes))

const writer = new RowWriter(longest)

function written(...texts: readonly ColumnText[]): string {
  writer.add(texts.map((it, index) => [`k${index}`, it] as const))
  return Buffer.from(writer.take()).toString()
}

test('each character of ASCII is written as JSON.stringify does, wherever it is in a text', () => {
  for (let code = 0; code < 0x80; code++)
    for (const length of [3, 15, 16, 17, 40])
      for (let at = 0; at < Math.min(length, 24); at++) {
        const words = [...'é'.repeat(length)]
        words[at] = String.fromCharCode(code)
        for (const said of [words.join(''), words.join('').replaceAll('é', '!')]) {
          // The text is in the middle of a page.
          const page = Buffer.from(`#${said}\n`)
          const own = new ColumnText(page.subarray(1, page.length - 1))
          const line = written(own)
          assert.equal((JSON.parse(line) as { k0: string }).k0, said)
          assert.ok(!/[\0-\x1f]/.test(line.slice(0, -1)))
          assert.equal(line.endsWith('\n'), true)
        }
      }
})

for (const isUtf8 of [undefined, nodeDecompression.isUtf8])
  test(`a row with text that is not UTF-8 is not written, the next one is${isUtf8 ? ', as the platform tells' : ''}`, () => {
    const isRefused = (...texts: readonly ColumnText[]) => {
      const writer = new RowWriter(longest, isUtf8)
      const add = (them: readonly ColumnText[]) => writer.add(them.map((it, index) => [`k${index}`, it]))
      assert.throws(
        () => add(texts),
        (error) => error instanceof RowError && error.reason === 'not-utf8',
      )
      add([text(0x61)])
      assert.equal(Buffer.from(writer.take()).toString(), '{"k0":"a"}\n')
    }
    const many = Array.from({ length: 40 }, () => 0x61)
    isRefused(text(0xff))
    isRefused(text(...many, 0xff, ...many))
    // The halves of a character in two texts are not one, and neither are those on the sides of an escape.
    isRefused(text(0xc3), text(0xa9))
    isRefused(text(...many, 0xc3, 0x0a, 0xa9))
    isRefused(new ColumnText(Buffer.concat([Buffer.alloc(2 ** 20 + 8, 0x61), Buffer.of(0xff)])))
    assert.equal(written(text(0xc3, 0xa9)), '{"k0":"é"}\n')
    assert.equal(written(text(0xef, 0xbb, 0xbf, 0x61)), '{"k0":"\ufeffa"}\n')
  })
