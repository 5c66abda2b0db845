/** Saving a sample: only what was edited changes, in the file and in the sample's own line. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ChangedFileError } from '../../client/src/datasets/byte-file.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { fileOnDisk } from '../../client/src/datasets/disk-file.ts'
import { readSample } from '../../client/src/datasets/listed-sample.ts'
import { mergedJson } from '../../core/src/datasets/merge-json.ts'
import { editedSample, type TranscriptSample } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { memoryFile, textIn } from './memory-file.ts'

function good(json: string): TranscriptSample {
  const sample = readSample(new TextEncoder().encode(json))
  assert.ok(sample.kind === 'good', JSON.stringify(sample))
  return sample
}

/** Checks what becomes of `json` when `before` in its transcript becomes `after`. */
function checkSaved(json: string, before: string, after: string, expected: string): void {
  const sample = good(json)
  assert.ok(sample.text.includes(before), sample.text)
  assert.equal(editedSample(sample, sample.text.replace(before, after)).json, expected)
}

test('a text keeps the order, the spelling and the spaces of what stands beside it', () => {
  checkSaved(
    '{ "id" : 1.0, "text" : "<|start|>user<|message|>Hi<|end|>", "n": 1e400 , "x":"\\u00e9"}',
    'Hi',
    'H\nö',
    '{ "id" : 1.0, "text" : "<|start|>user<|message|>H\\nö<|end|>", "n": 1e400 , "x":"\\u00e9"}'.replace(
      'ö',
      '\\u00f6',
    ),
  )
})

test('messages change one value, and other fields stay', () => {
  const json =
    '{"id": 10000000000000000001, "messages": [{"content": "Hello", "role": "user", "weight": 0.50}, {"role": "assistant", "content": "Good day"}], "__proto__": {"a": 1}, "meta": {"b": [1,2]}}'
  checkSaved(json, 'Good day', 'Good "night"', json.replace('Good day', 'Good \\"night\\"'))
  checkSaved(json, 'Hello', 'Bye', json.replace('Hello', 'Bye'))
  const sample = good(json)
  assert.equal(editedSample(sample, sample.text).json, json)
})

test('every form of conversation is written back in that form', () => {
  for (const json of [
    '{"messages":[{"role":"user","content":"Q1"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"}}]},{"role":"tool","tool_call_id":"c","content":"R"},{"role":"assistant","content":"A"}],"k":1}',
    '[{"role":"user","content":"Q1"},{"role":"assistant","content":"A"}]',
    '{"input":[{"type":"message","role":"user","content":"Q1"}],"model":"m"}',
    '{"messages":[{"role":"user","content":"Q1"},{"role":"assistant","channel":"analysis","recipient":null,"content":[{"type":"text","text":"T"}]}],"k":1}',
    '{"header":{"version":2.2},"messages":[{"role":"user","content":"Q1"},{"role":"assistant","channel":"final","content":"A","terminator":"<|return|>"}],"k":1}',
  ]) {
    checkSaved(json, 'Q1', 'Q2', json.replace('Q1', 'Q2'))
  }
})

test('a message that comes or goes leaves the others as they are written', () => {
  const one = '{"content": "a",  "role": "user"}'
  const two = '{"role": "assistant", "content": "b", "w": 1.0}'
  const sample = good(`{"messages": [${one}, ${two}]}`)
  const added = sample.text.replace('<|start|>user', '<|start|>user<|message|>new<|end|>\n<|start|>user')
  assert.equal(
    editedSample(sample, added).json,
    `{"messages": [{"content": "new", "role": "user"}, ${one}, ${two}]}`,
  )
  const removed = sample.text.replace(/<\|start\|>user.*\n/, '')
  assert.equal(editedSample(sample, removed).json, `{"messages": [${two}]}`)
})

test('JSON is merged so that it says what was meant, for any values', () => {
  const value = fc.jsonValue({ maxDepth: 3 }).filter((it) => !Object.is(it, -0))
  fc.assert(
    fc.property(value, value, fc.constantFrom(undefined, 2), (base, next, space) => {
      const json = JSON.stringify(base, undefined, space)
      const parsed = JSON.parse(json)
      assert.deepEqual(JSON.parse(mergedJson(json, parsed, next as never)), JSON.parse(JSON.stringify(next)))
      assert.equal(mergedJson(json, parsed, parsed), json)
    }),
  )
})

test('what an editor does not keep is restored around the edit', () => {
  const [head, tail] = ['<|start|>user<|message|>', '<|end|>']
  const saved = (before: string, after: string) => {
    const json = JSON.stringify({ text: head + before + tail })
    const { json: result } = editedSample(good(json), head + after + tail)
    return (JSON.parse(result) as { text: string }).text.slice(head.length, -tail.length)
  }
  assert.equal(saved('a\r\nb\nc\rd\ud800', 'a\nb\nc\nd\ufffd'), 'a\r\nb\nc\rd\ud800')
  assert.equal(saved('a\r\nb\nc\rd\ud800', 'a\nx\nc\nd\ufffd'), 'a\r\nx\nc\rd\ud800')
  assert.equal(saved('a', 'a\r\nb'), 'a\nb')
  assert.equal(saved('\ra\n', '\n\n'), '\n\n', 'two line breaks stay two')
  assert.equal(saved('a\rb\n', 'a\n\nb\n'), 'a\n\nb\n')
  const words = fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '\r', '\ud800', '\udc00', '€', '😀', '\\', '"')
  const texts = fc.array(words, { maxLength: 30 }).map((it) => it.join(''))
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const shown = (text: string) => Buffer.from(text.replaceAll(/\r\n?/g, '\n')).toString()
      assert.equal(saved(before, shown(before)), before)
      assert.equal(shown(saved(before, shown(after))), shown(after))
    }),
  )
})

test('other lines keep every byte, in sequences of saves', async () => {
  const sample = fc.constantFrom(
    '{"text":"<|start|>user<|message|>x<|end|>"}',
    '{"messages":[{"role":"user","content":"x"}]}',
    '',
    '{"broken',
    '  ',
  )
  const file = fc
    .tuple(fc.constantFrom('', '\ufeff'), fc.array(fc.tuple(sample, fc.constantFrom('\n', '\r\n'))), sample)
    .map(([mark, lines, last]) => ({ mark, lines: [...lines, [last, ''] as [string, string]] }))
  await fc.assert(
    fc.asyncProperty(file, fc.array(fc.tuple(fc.nat(), fc.string())), async ({ mark, lines }, edits) => {
      const expected = lines.map((it) => [...it] as [string, string])
      const stored = memoryFile(mark + lines.flat().join(''), 5)
      const dataset = new Dataset(stored, 'a.jsonl')
      await dataset.load()
      for (const [at, word] of edits) {
        if (dataset.index.size === 0) break
        const place = at % dataset.index.size
        const bytes = await dataset.bytesOf(place)
        const read = readSample(bytes)
        if (read.kind === 'bad') continue
        const text = read.text.replace(/(<\|message\|>)[^<]*/, (_, token) => token + word.replaceAll('<', ''))
        const { json } = editedSample(read, text)
        await dataset.replace(place, bytes, json)
        const line = expected[dataset.index.numberOf(place) - 1]
        if (line) line[0] = json
        assert.equal(textIn(stored.bytes), mark + expected.flat().join(''))
      }
    }),
    { numRuns: Math.ceil(propertyRuns / 2) },
  )
})

test('on disk: whole or not at all, through links, with permissions, and never over the work of others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openchatml-dataset-'))
  try {
    const path = join(folder, 'real.jsonl')
    const link = join(folder, 'link.jsonl')
    const content = '\ufeff{"text":"a"}\r\n\r\n{"text":"b"}\n{"text":"c"}'
    await writeFile(path, content)
    await chmod(path, 0o640)
    await symlink(path, link)
    const dataset = new Dataset(fileOnDisk(link), link)
    await dataset.load()
    const original = await dataset.bytesOf(1)
    await dataset.replace(1, original, '{"text":"longer"}')
    assert.equal(await readFile(path, 'utf8'), content.replace('"b"', '"longer"'))
    assert.equal((await stat(path)).mode & 0o777, 0o640)
    assert.deepEqual((await readdir(folder)).sort(), ['link.jsonl', 'real.jsonl'])

    await assert.rejects(dataset.replace(1, original, '{"text":"again"}'), ChangedFileError)
    await writeFile(path, '{"text":"theirs"}\n{"text":"others"}')
    await assert.rejects(dataset.replace(1, await original, '{"text":"mine"}'), ChangedFileError)
    await dataset.refresh()
    assert.equal(dataset.index.size, 2)
    await assert.rejects(dataset.replace(1, original, '{"text":"mine"}'), ChangedFileError)
    assert.equal(await readFile(path, 'utf8'), '{"text":"theirs"}\n{"text":"others"}')
    assert.deepEqual((await readdir(folder)).sort(), ['link.jsonl', 'real.jsonl'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('of two windows that save at the same moment, the second is told, and nothing is lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openchatml-dataset-'))
  try {
    const path = join(folder, 'a.jsonl')
    await writeFile(path, '{"text":"a"}\n{"text":"b"}\n')
    const windows = [new Dataset(fileOnDisk(path), path), new Dataset(fileOnDisk(path), path)]
    await Promise.all(windows.map((it) => it.load()))
    const saves = windows.map(async (it, nth) => it.replace(nth, await it.bytesOf(nth), `{"text":"${nth}"}`))
    const results = await Promise.allSettled(saves)
    const refused = results.findIndex(({ status }) => status === 'rejected')
    const told = results[refused]
    assert.ok(told?.status === 'rejected' && told.reason instanceof ChangedFileError)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    const again = windows[refused]
    await again?.refresh()
    await again?.replace(refused, await again.bytesOf(refused), `{"text":"${refused}"}`)
    assert.equal(await readFile(path, 'utf8'), '{"text":"0"}\n{"text":"1"}\n')
    assert.deepEqual(await readdir(folder), ['a.jsonl'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
