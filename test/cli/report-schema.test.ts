/** The published schema of the JSON report describes what `ocm check` prints. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Validator } from '@cfworker/json-schema'
import { bad, fixable, folder, ocm } from './run-ocm.ts'

const schema = JSON.parse(readFileSync('docs/report.schema.json', 'utf8'))
const validator = new Validator(schema, '7', false)

/** Keys of `value` that the schema does not describe, as paths; lists count as their elements. */
function undescribed(value: unknown, by: Schema, path = ''): string[] {
  const { $ref, properties, items } = by
  if ($ref !== undefined) return undescribed(value, schema.$defs[$ref.replace('#/$defs/', '')], path)
  if (Array.isArray(value)) return value.flatMap((it) => (items ? undescribed(it, items, `${path}[]`) : []))
  if (typeof value !== 'object' || value === null || !properties) return []
  return Object.entries(value).flatMap(([key, it]) => {
    const own = properties[key]
    return own ? undescribed(it, own, `${path}.${key}`) : [`${path}.${key}`]
  })
}

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

test('reports of transcripts, samples, JSON conversations, and unreadable input fit the schema', async (t) => {
  const message = { role: 'assistant', content: '' }
  const cwd = folder(t, {
    'bad.ocm': bad,
    'fixable.ocm': fixable,
    'latin.ocm': Buffer.from([0xff]),
    'chat.json': JSON.stringify({ messages: [message] }),
    'data.jsonl': `${JSON.stringify({ messages: [message] })}\n${JSON.stringify({ text: bad })}\noops\n`,
    'list.json': JSON.stringify([{ messages: [message] }, 7]),
  })
  await ocm(['check', '--baseline', 'known.json', '--update-baseline', 'fixable.ocm'], { cwd })
  const found = new Set<string>()
  for (const args of [
    ['.'],
    ['chat.json', 'missing.ocm'],
    ['--fix', 'fixable.ocm', 'bad.ocm'],
    ['--max-problems', '1', 'data.jsonl'],
    ['--baseline', 'known.json', 'fixable.ocm', 'bad.ocm'],
    ['--statistics', 'data.jsonl'],
    ['--bad-lines', 'skip', 'list.json'],
  ]) {
    const { stdout } = await ocm(['check', '--format', 'json', ...args], { cwd })
    const report = JSON.parse(stdout)
    assert.deepEqual(validator.validate(report).errors, [], args.join(' '))
    assert.deepEqual(undescribed(report, schema), [], args.join(' '))
    for (const key of Object.keys(report)) found.add(key)
    const files = Array.isArray(report.files) ? report.files : []
    for (const file of files)
      for (const it of [file, ...file.diagnostics]) for (const key of Object.keys(it)) found.add(key)
    for (const { diagnostics } of files)
      for (const { url } of diagnostics)
        assert.doesNotThrow(() => readFileSync(new URL(url.replace(/#.*/, ''))), url)
  }
  // Everything that the schema describes was in some report, so that no description is left behind.
  const { file, diagnostic } = schema.$defs
  const described = [schema, file, diagnostic].flatMap(({ properties }) => Object.keys(properties))
  assert.deepEqual([...found].sort(), [...new Set(described)].sort())
})

test('a report of another shape does not fit', () => {
  const report = { schemaVersion: 1, files: [], errors: 0, warnings: 0 }
  assert.ok(validator.validate(report).valid)
  for (const it of [
    { ...report, schemaVersion: 2 },
    { ...report, errors: -1 },
    { ...report, files: undefined },
    { ...report, files: 1 },
    { ...report, files: [{ path: 'a.ocm', diagnostics: [{ code: 'E' }] }] },
  ])
    assert.ok(!validator.validate(JSON.parse(JSON.stringify(it))).valid)
})
