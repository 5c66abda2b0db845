/** zstd data as a stream: all frames, checksums, and bounds; and what is left of packed data that is cut off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, gunzipSync } from 'node:zlib'
import { nodeDecompression } from '../../client/disk/decompression.ts'
import { Xxh64 } from '../../core/src/datasets/sources/xxh64.ts'
import { unpackZstd } from '../../core/src/datasets/sources/zstd.ts'
import { SourceError } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { packedBy } from './packed-files.ts'

async function unpacked(packed: Uint8Array, chunkSize = 1 << 16): Promise<Buffer> {
  async function* chunks() {
    for (let at = 0; at < packed.length; at += chunkSize) yield packed.subarray(at, at + chunkSize)
  }
  const parts: Uint8Array[] = []
  for await (const part of unpackZstd(chunks(), {})) parts.push(part)
  return Buffer.concat(parts)
}

const text = Array.from(
  { length: 6000 },
  (_, at) => `{"id":${at},"text":"${'lorem ipsum '.repeat(at % 13)}"}\n`,
).join('')

for (const options of [['-1'], ['-3'], ['-19'], ['--long=27'], ['--no-check'], ['-1', '-T2']]) {
  const register = options[0] === '-19' ? nightly : test // takes two seconds to pack
  register(`what zstd packs with ${options.join(' ')} is unpacked`, async () => {
    assert.equal((await unpacked(packedBy('zstd', text, ...options))).toString(), text)
  })
}

test('chunks may end anywhere', async () => {
  const packed = packedBy('zstd', text.slice(0, 3000))
  for (const size of [1, 2, 3, 7])
    assert.equal((await unpacked(packed, size)).toString(), text.slice(0, 3000))
})

test('all frames are read, also empty ones, and frames to be skipped are skipped', async () => {
  const skipped = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3)
  const many = Array.from({ length: 3000 }, () => skipped)
  const packed = Buffer.concat([
    skipped,
    packedBy('zstd', text),
    packedBy('zstd', ''),
    ...many,
    packedBy('zstd', 'x'),
  ])
  assert.equal((await unpacked(packed)).toString(), `${text}x`)
  assert.equal((await unpacked(new Uint8Array())).length, 0)
})

async function failure(packed: Uint8Array): Promise<string> {
  const error = await unpacked(packed).then(
    () => undefined,
    (error) => error,
  )
  assert.ok(error instanceof SourceError, `no SourceError but ${error}`)
  return error.message
}

test('data that is cut off anywhere is never taken for all of it', async () => {
  const packed = packedBy('zstd', text.slice(0, 2000))
  for (let length = 1; length < packed.length; length++)
    assert.equal(await failure(packed.subarray(0, length)), 'the zstd data is cut off', `${length} bytes`)
})

test('what is whole of data that is cut off comes before the error', async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `${at} ${Math.sin(at)}\n`).join('')
  async function left(chunks: AsyncIterable<Uint8Array>): Promise<number> {
    let length = 0
    await assert.rejects(async () => {
      for await (const it of chunks) length += it.length
    }, /is cut off/)
    return length
  }
  async function* inChunks(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 30_000) yield bytes.subarray(at, at + 30_000)
  }
  const zstd = packedBy('zstd', lines)
  const gzip = packedBy('gzip', lines)
  const finishFlush = constants.Z_SYNC_FLUSH
  for (const share of [0.3, 0.6, 0.9, 1]) {
    const cutZstd = zstd.subarray(0, share * zstd.length - 3)
    assert.equal(
      await left(unpackZstd(inChunks(cutZstd), nodeDecompression)),
      await left(unpackZstd(inChunks(cutZstd), {})),
    )
    const cutGzip = gzip.subarray(0, share * gzip.length - 3)
    const whole = gunzipSync(cutGzip, { finishFlush }).length
    assert.equal(await left(nodeDecompression.gzip(inChunks(cutGzip))), whole)
  }
})

test('another checksum, other data after a frame, and a dictionary are reported', async () => {
  const packed = packedBy('zstd', text)
  const wrong = Buffer.from(packed)
  wrong[packed.length - 1] = (wrong.at(-1) ?? 0) ^ 1
  assert.equal(await failure(wrong), 'the zstd data is damaged: its checksum differs')
  assert.equal(await failure(Buffer.concat([packed, Buffer.from('more')])), 'the zstd data is damaged')
  const withDictionary = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x00, 7, 1, 0, 0)
  assert.match(await failure(withDictionary), /needs a dictionary/)
})

test('a window that would take the memory of the machine is refused', async () => {
  const window = (descriptor: number) => Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, descriptor, 1, 0, 0)
  assert.match(await failure(window(0xff)), /needs a window of \d+ MB. The limit is 128 MB/)
  assert.equal((await unpacked(window(17 << 3))).length, 0)
})

nightly('no byte that is another one makes anything but other text, or an error of ours', async () => {
  const packed = packedBy('zstd', text.slice(0, 4000), '--no-check')
  for (let at = 0; at < packed.length; at++) {
    const other = Buffer.from(packed)
    other[at] = (other[at] ?? 0) ^ 0x11
    await unpacked(other).catch((error) => assert.ok(error instanceof SourceError, `byte ${at}: ${error}`))
  }
})

test('the hash is XXH64, in pieces of any size', () => {
  const low = (text: string, ...cuts: number[]) => {
    const bytes = new TextEncoder().encode(text)
    const hash = new Xxh64()
    let from = 0
    for (const to of [...cuts, bytes.length]) {
      hash.update(bytes.subarray(from, to))
      from = to
    }
    return hash.digest().toString(16).padStart(8, '0')
  }
  // As the frames of the `zstd` program end.
  assert.equal(low(''), '51d8e999')
  assert.equal(low('a'), 'a98c6e5b')
  assert.equal(low('abc'), 'ad770999')
  assert.equal(low('abcdefghijklmnopqrstuvwxyz0123456789'), '1609b766')
  const long = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(7)
  for (let cut = 0; cut < long.length; cut += 5) assert.equal(low(long, cut), low(long))
})
