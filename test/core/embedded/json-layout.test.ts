/** Layouts of JSON: the same as `JSON.stringify`, but for what that would change, and never without bound. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  fitsOnLines,
  jsonOf,
  jsonOnLines,
  jsonOnOneLine,
  longestJsonLayout,
} from '../../../core/src/embedded/json-layout.ts'
import type { JsonValue } from '../../../core/src/embedded/yaml-header.ts'

const options = { eol: '\n', indent: '  ' }

test('layouts are those of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.json(), (written) => {
      const value: unknown = JSON.parse(written)
      const onOneLine = JSON.stringify(value)
      const onLines = JSON.stringify(value, undefined, 2)
      assert.equal(jsonOnLines(onOneLine, options), onLines)
      assert.equal(jsonOnOneLine(onLines), onOneLine)
    }),
  )
})

test('what JSON.stringify would change stays', () => {
  const text = '{"a":1.0,"a":12345678901234567890,"b":"\\u0041 \\" ,","c":[],"d":{}}'
  const lines = jsonOnLines(text, options) ?? ''
  assert.ok(lines.includes('"c": [],\n  "d": {}\n}'))
  assert.equal(jsonOnOneLine(lines), text)
})

test('nesting whose layout grows with its square is not laid out', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.equal(jsonOnLines(nested(500), options)?.length, 500_000)
  assert.ok(!fitsOnLines(nested(5000), options))
  assert.equal(jsonOnLines(nested(5000), options), undefined)
  const atLimit = nested(1000)
  assert.ok((jsonOnLines(atLimit, options)?.length ?? 0) < longestJsonLayout)
})

test('a value that is nested so deep that most of its layout would be indentation is written on one line', () => {
  const nested = (depth: number): JsonValue => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))
  assert.equal(jsonOf(nested(100)), JSON.stringify(nested(100), undefined, 2))
  assert.equal(jsonOf(nested(1000)), JSON.stringify(nested(1000)))
  const flat = Array.from({ length: 100_000 }, () => [1])
  assert.equal(jsonOf(flat), JSON.stringify(flat, undefined, 2))
})
