/** Patterns of bytes: what is found is compared with a search for one place after the other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BytePattern, BytePatterns, SearchedBytes } from '../../core/src/query/byte-patterns.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const byte = fc.oneof(fc.constantFrom(0x5c, 0x75, 0x61, 0x41, 0xc5, 0xbf), fc.nat(255))

/** All places of `patterns` in `bytes`, of which those from `from` to before `to` are searched. */
function placesOf(patterns: BytePatterns, bytes: Uint8Array, from: number, to: number): readonly number[] {
  const searched = new SearchedBytes(bytes)
  const places: number[] = []
  for (let at = from; ; at++) {
    at = patterns.next(searched, at, to)
    if (at === -1) return places
    places.push(at)
  }
}

/** True if `exceptions` has those bytes before and after the place. */
function isExcepted(bytes: Uint8Array, at: number, exceptions: readonly Exception[]): boolean {
  return exceptions.some(
    ([before, after]) =>
      bytes[at + 1] === after &&
      before.every((byte, nth) => bytes[at - before.length + nth] === byte && at >= before.length),
  )
}

type Exception = readonly [before: readonly number[], after: number]

function has(bytes: Uint8Array, at: number, pattern: BytePattern, offsets: readonly number[]): boolean {
  return pattern.every((set, nth) => set.includes(bytes[at + (offsets[nth] ?? 0)] ?? -1))
}

test('every place of a pattern is found, with vectors and without', () => {
  const pattern = fc.tuple(...[1, 2, 3].map(() => fc.array(byte, { minLength: 1, maxLength: 3 })))
  const steps = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20 }))
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 400 }),
      fc.array(pattern, { minLength: 1, maxLength: 10 }),
      steps,
      fc.nat(40),
      fc.nat(40),
      (content, patterns, [one, other], before, after) => {
        const bytes = Uint8Array.from(content)
        const offsets = [0, one % 20, (one % 20) + other]
        const [from, to] = [Math.min(before, bytes.length), Math.max(before, bytes.length - after)]
        const found = placesOf(
          new BytePatterns([{ patterns, offsets, nHints: 2 }]),
          bytes,
          from,
          Math.min(to, bytes.length),
        )
        const [, , third = 0] = offsets
        for (let at = from; at + third < Math.min(to, bytes.length); at++)
          if (patterns.some((it) => has(bytes, at, it, offsets))) assert.ok(found.includes(at), `${at}`)
        for (const at of found) assert.ok(at >= from && at + third < to)
        assert.deepEqual(
          found,
          [...found].sort((left, right) => left - right),
        )
      },
    ),
    { numRuns: 3 * propertyRuns },
  )
})

test('groups with places of their own are found in one pass, without exceptions', () => {
  const few = fc.constantFrom(0x61, 0x62, 0x63, 0x64)
  const group = fc.record({
    patterns: fc.array(
      fc.tuple(fc.array(few, { minLength: 1, maxLength: 2 }), fc.array(few, { minLength: 1 })),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    offsets: fc.integer({ min: 1, max: 9 }).map((it) => [0, it]),
    nHints: fc.constantFrom(1 as const, 2 as const),
  })
  const exception = fc.tuple(fc.array(few, { minLength: 1, maxLength: 16 }), few)
  fc.assert(
    fc.property(
      fc.array(few, { maxLength: 300 }),
      fc.array(group, { minLength: 1, maxLength: 3 }),
      fc.array(exception, { maxLength: 20 }),
      (content, groups, exceptions) => {
        const bytes = Uint8Array.from(content)
        const patterns = new BytePatterns(groups)
        for (const [before, after] of exceptions) patterns.except(Uint8Array.from(before), after)
        const found = placesOf(patterns, bytes, 0, bytes.length)
        for (let at = 0; at < bytes.length; at++) {
          const isPattern = groups.some((it) => it.patterns.some((own) => has(bytes, at, own, it.offsets)))
          if (isPattern && !isExcepted(bytes, at, exceptions)) assert.ok(found.includes(at), `${at}`)
        }
      },
    ),
    { numRuns: 3 * propertyRuns },
  )
  const patterns = new BytePatterns([{ patterns: [[[0x5b]]], offsets: [0], nHints: 1 }])
  const bytes = new TextEncoder().encode(`{"labels":["a"],"x":["a"]}${' '.repeat(32)}`)
  patterns.except(bytes.subarray(1, 10), 0x22)
  assert.deepEqual(placesOf(patterns, bytes, 0, bytes.length), [20])
})

test('a few bytes in many megabytes are found where they are, beyond what is searched at once', () => {
  const bytes = new Uint8Array(3 * 2 ** 20).fill(0x20)
  const places = [0, 15, 16, 2 ** 20 - 3, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 95, 2 ** 21 + 7, bytes.length - 3]
  for (const at of places) bytes.set([0x61, 0x62, 0x63], at)
  const patterns = new BytePatterns([{ patterns: [[[0x61], [0x63]]], offsets: [0, 2], nHints: 2 }])
  assert.deepEqual(
    placesOf(patterns, bytes, 0, bytes.length),
    places.filter((it) => bytes[it + 2] === 0x63 && bytes[it] === 0x61),
  )
  assert.equal(patterns.next(new SearchedBytes(bytes), bytes.length - 2, bytes.length), -1)
})

test('nearly all bytes are looked at in vectors', () => {
  const bytes = new Uint8Array(2 ** 19 + 5)
  const searched = new SearchedBytes(bytes)
  const patterns = new BytePatterns([{ patterns: [[[1]]], offsets: [0], nHints: 1 }])
  const reached = searched.find(patterns, 0, bytes.length)
  assert.ok(reached !== undefined && -1 - reached > bytes.length - 32, `${reached}`)
})
