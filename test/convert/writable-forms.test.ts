/**
 * Each form of JSON that is written, from the registry: what it writes is read and written again the same, and an edit of one
 * message changes the words that it changes, byte for byte (F15, F16).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  convert,
  editableSample,
  editedSample,
  forms,
  type JsonValue,
  readSample,
  type SourceForm,
  type TargetForm,
  type TranscriptSample,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const writable = forms.flatMap((form) =>
  form.holds === 'json' && 'write' in form && 'read' in form ? [form.name as SourceForm & TargetForm] : [],
)

/** What may be around the words of a message. */
const around = fc.oneof(
  fc.constantFrom('', 'é"\\', 'a\nb ', '<', '\t😀 ', '<|end|>', '`x` ', '$& '),
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((it) => !/[[<]/.test(it)),
)

/** What a turn has besides its answer. */
const turn = fc.record({
  before: around,
  after: around,
  thinks: fc.boolean(),
  nCalls: fc.nat(2),
  says: fc.boolean(),
})

const conversation = fc.record({
  hasSystem: fc.boolean(),
  turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
  isPair: fc.boolean(),
})

type Drawn = typeof conversation extends fc.Arbitrary<infer It> ? It : never

/** A sample in which each text has a word of its own. */
function sampleOf({ hasSystem, turns, isPair }: Drawn): JsonValue {
  let nWords = 0
  const word = () => `Word${nWords++}s`
  const messages: Record<string, unknown>[] = hasSystem ? [{ role: 'system', content: word() }] : []
  for (const [nth, { before, after, thinks, nCalls, says }] of turns.entries()) {
    const text = () => `${before}${word()}${after}`
    messages.push({ role: 'user', content: text() })
    const ids = Array.from({ length: nCalls }, (_, index) => `c${nth}-${index}`)
    if (nCalls > 0)
      messages.push(
        {
          role: 'assistant',
          ...(thinks && { reasoning_content: word() }),
          content: says ? text() : null,
          tool_calls: ids.map((id) => ({
            id,
            type: 'function',
            function: { name: 'look', arguments: JSON.stringify({ at: text() }) },
          })),
        },
        ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: text() })),
      )
    messages.push({ role: 'assistant', ...(thinks && { reasoning_content: word() }), content: text() })
  }
  const value = isPair
    ? {
        messages: messages.slice(0, -1),
        chosen: messages.slice(-1),
        rejected: [{ role: 'assistant', content: word() }],
      }
    : { messages }
  return JSON.parse(JSON.stringify(value)) as JsonValue // what JSON.parse gives is a JSON value
}

/** The JSON of `value` in `form`, with all of its branches. */
function written(value: JsonValue, form: SourceForm & TargetForm, from?: SourceForm): string {
  return convert(JSON.stringify(value), { to: form, ...(from && { from }) }).text
}

function opened(json: string, branch: string | undefined): TranscriptSample {
  const sample = editableSample(readSample(new TextEncoder().encode(json), { rest: 'source', branch }))
  assert.equal(sample.kind, 'good', json)
  return sample as TranscriptSample // as its kind says
}

const nWritten = Math.ceil(propertyRuns / 2)
const nEdited = Math.ceil(propertyRuns / 12) // each edits every message of every branch

for (const form of writable)
  test(`${form}: what is written is read and written the same`, () => {
    fc.assert(
      fc.property(conversation, (drawn) => {
        const first = JSON.parse(written(sampleOf(drawn), form)) as JsonValue // as above
        assert.deepEqual(JSON.parse(written(first, form, form)), first)
      }),
      { numRuns: nWritten },
    )
  })

for (const form of writable)
  test(`${form}: an edit of a message changes its words and no other byte`, () => {
    fc.assert(
      fc.property(conversation, (drawn) => {
        const value = JSON.parse(written(sampleOf(drawn), form))
        const json = ` ${JSON.stringify({ id: 7, ...value, score: 1.0 }, undefined, 1).replaceAll(/\n */g, '  ')} `
        for (const branch of opened(json, undefined).branches ?? [undefined]) {
          const sample = opened(json, branch)
          for (const [word] of sample.text.matchAll(/Word\d+s/g)) {
            const saved = editedSample(sample, sample.text.replaceAll(word, 'Edited'))
            assert.deepEqual(saved, { json: json.replaceAll(word, 'Edited'), losses: [] })
          }
        }
      }),
      { numRuns: nEdited },
    )
  })
