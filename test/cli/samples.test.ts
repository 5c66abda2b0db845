/** The samples are what people learn from: they hold what their README says. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseToJson } from '../../core/src/internal.ts'

const samples = readdirSync('samples').filter((name) => name.endsWith('.ocm'))
const withMistakes = '15-mistakes.ocm'
const capture = '10-harmony-capture.ocm'

for (const name of samples) {
  if (name === withMistakes) continue
  test(`${name} has no error and no warning`, () => {
    const found = diagnosticsOf(name, name === capture ? 'harmony' : 'auto').filter(
      ({ severity }) => severity === 'error' || severity === 'warning',
    )
    assert.deepEqual(found, [])
  })
}

test('the capture lacks nothing but a header', () => {
  for (const { code } of diagnosticsOf(capture)) assert.equal(code, 'W-HEADER-MISSING')
})

test('each mistake is another one', () => {
  const rules = diagnosticsOf(withMistakes).map(({ rule }) => rule)
  assert.ok(rules.length > 0)
  assert.deepEqual(rules, [...new Set(rules)])
})

test('the README names every sample, in order', () => {
  const readme = readFileSync('samples/README.md', 'utf8')
  const named = [...readme.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, text, target]) => {
    assert.equal(text, target)
    return target
  })
  assert.deepEqual(named, samples.sort())
})

test('the samples show every dialect', () => {
  const dialects = samples.map((name) => parseToJson(read(name)).dialect)
  assert.deepEqual([...new Set(dialects)].sort(), ['1.x', '2.0', '2.2'])
})

function diagnosticsOf(name: string, dialect: 'auto' | 'harmony' = 'auto') {
  return parseToJson(read(name), { dialect }).diagnostics
}

function read(name: string): string {
  return readFileSync(join('samples', name), 'utf8')
}
