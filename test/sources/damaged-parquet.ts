/** Parquet files that no program of a test writes. */
import assert from 'node:assert/strict'

/** `file`, whose columns aren't compressed, with another code for their compression. */
export function withCodec(file: Uint8Array, code: number): Uint8Array {
  const result = file.slice()
  let changed = 0
  // In the footer the codec is the fourth field of a column: an i32 after the path.
  for (let at = 4; at < result.length - 8; at++) {
    const isCodec = result[at] === 0x15 && result[at + 1] === 0 && result[at + 2] === 0x16
    if (!isCodec) continue
    result[at + 1] = code // in zigzag
    changed++
  }
  assert.ok(changed > 0)
  return result
}
