/** Columns from outlines are those of the sample itself, whatever is in it and in others with the same outline. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  columnNamed,
  isOutlinedColumn,
  readSample,
  SampleOutlines,
  type SampleView,
  standardColumns,
  viewOfSample,
} from '../../core/src/internal.ts'
import { jsonSamplesOf, wordsOf } from '../convert/sample-arbitraries.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const encoder = new TextEncoder()
const options = { rest: 'source' } as const
const columns = [
  ...standardColumns.filter(({ name }) => isOutlinedColumn(name)),
  ...['id', 'score', 'metadata.language', 'metadata', 'tags', 'Größe', 'messages.role'].map(columnNamed),
]

function valuesOf(view: SampleView): unknown {
  return columns.map((it) => [it.name, it.valueOf(view)])
}

/** What readers may take for something else than words, and what is written in several ways. */
const oddTexts = [
  ...[
    '<think>',
    '</think>',
    '<think>\nWhy\n</think>\n\nYes',
    '[THINK]Why[/THINK]Yes',
    '[/think]',
    '[\\/THINK]',
  ],
  ...[
    'analysisWe add.assistantfinalFour.',
    ' assistantanalysis',
    'commentary',
    '&lt;think&gt;Why',
    'analysis',
  ],
  ...["Here's my thought process: one. Here's my response: two", 'Here is my reasoning:\nHere is my answer:'],
  ...[
    '◁think▷a◁/think▷b',
    '＜think＞a＜/think＞b',
    '<tool_response>4</tool_response>',
    '<|channel|>analysis',
    '<|im_start|>user',
  ],
  ...[
    '{"name":"f","arguments":{}}',
    '{"a":[1]}',
    '[{"name":"f"}]',
    '[]',
    ' [1]',
    '{',
    '"{}"',
    'functions.f',
    'f',
  ],
  ...[
    '',
    ' ',
    '\n',
    '\u00a0',
    'a\u00a0',
    '\u2028a',
    '\ufeffa',
    '\u3000',
    ' a',
    'a ',
    'a\n',
    '\ta',
    '\\n',
    'a\\',
  ],
  ...[
    'Zürich',
    '東京',
    '\u{1f600}',
    '\ud83d',
    '\u0000',
    '/',
    '\u007f',
    'ab',
    'ba',
    'off',
    'low',
    '```',
    'a [link](b)',
  ],
]
const plainTexts = ['Hello', 'a b', 'Zürich "is"\na city.', '東京!', '\u{1f600} yes', 'one/two', 'x', 'y']

/** A text of the sample, by its number. */
const hole = fc.integer({ min: 0, max: 5 }).map((nth) => `§${nth}`)
const value = fc.oneof(
  { weight: 4, arbitrary: hole },
  fc.constantFrom<unknown>(null, 0, 1, 2.5, -3, 1e21, true, false, [], {}, ''),
)
const part = fc.record(
  {
    type: fc.constantFrom('text', 'thinking', 'tool_use', 'image', 'refusal'),
    text: hole,
    thinking: hole,
    name: hole,
  },
  { requiredKeys: ['type'] },
)
const call = fc.record(
  {
    id: hole,
    type: fc.constant('function'),
    function: fc.record(
      { name: hole, arguments: fc.oneof(hole, fc.constant({ a: '§1' })) },
      { requiredKeys: [] },
    ),
    name: hole,
    tool_name: hole,
    arguments: hole,
  },
  { requiredKeys: [] },
)
const roles = [
  'system',
  'user',
  'assistant',
  'tool',
  'developer',
  'function_call',
  'tool_call',
  'human',
  'gpt',
  'reasoning',
  'Ada',
]
const message = fc.record(
  {
    role: fc.constantFrom(...roles, ...roles.slice(0, 4), ...roles.slice(0, 4), '§0'),
    content: fc.oneof(
      { weight: 6, arbitrary: hole },
      value,
      fc.array(fc.oneof(part, hole), { maxLength: 3 }),
    ),
    reasoning_content: value,
    reasoning: value,
    thinking: value,
    refusal: value,
    name: value,
    phase: fc.constantFrom('commentary', '§0'),
    tool_calls: fc.oneof(fc.array(call, { maxLength: 2 }), hole),
    tool_call_id: hole,
    function_call: call,
    weight: value,
    text: hole,
    value: hole,
    from: fc.constantFrom('human', 'gpt'),
    channel: hole,
    type: hole,
  },
  { requiredKeys: ['role', 'content'] },
)
const plainMessage = fc.record(
  {
    role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
    content: fc.oneof({ weight: 6, arbitrary: hole }, fc.constant(null)),
    reasoning_content: hole,
    reasoning: hole,
    tool_calls: fc.array(call, { maxLength: 2 }),
    tool_call_id: hole,
  },
  { requiredKeys: ['role', 'content'] },
)
const tools = [
  {
    type: 'function',
    function: { name: 'f', description: 'Adds <b>\n§9 "it"', parameters: { type: 'object' } },
  },
]
const sides = {
  id: value,
  score: value,
  metadata: fc.record({
    language: hole,
    labels: fc.array(hole),
    passed: value,
    depth: fc.constant([{ a: [] }]),
  }),
  tags: fc.array(hole, { maxLength: 2 }),
  Größe: value,
  tools: fc.constantFrom<unknown>(tools, JSON.stringify(tools), [], '§2'),
  functions: fc.constant([{ name: 'g', description: '§3' }]),
}
const odds = {
  ...sides,
  ...{
    system: value,
    system_prompt: hole,
    prompt: hole,
    response: fc.oneof(hole, message),
    text: hole,
    chosen: value,
  },
  ...{
    rejected: value,
    output: value,
    instruction: hole,
    reasoning: hole,
    answer: hole,
    type: hole,
    input: value,
  },
  ...{
    conversations: fc.array(message, { maxLength: 2 }),
    schema_version: hole,
    messages: fc.oneof(fc.array(message), value),
  },
}
const structure: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  fc.record(
    { ...sides, messages: fc.array(plainMessage, { minLength: 1, maxLength: 5 }) },
    { requiredKeys: ['messages'] },
  ),
  fc.record(
    { ...sides, messages: fc.array(message, { minLength: 1, maxLength: 4 }) },
    { requiredKeys: ['messages'] },
  ),
  fc.record(odds, { requiredKeys: [] }),
)
const text = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...plainTexts) }, fc.constantFrom(...oddTexts))
const texts = fc.oneof(
  fc.array(fc.constantFrom(...plainTexts), { minLength: 6, maxLength: 6 }),
  fc.array(text, { minLength: 6, maxLength: 6 }),
)

/** The sample with its texts. */
function filled(sample: unknown, texts: readonly string[]): unknown {
  const fill = (_key: string, it: unknown) =>
    typeof it === 'string' && /^§\d$/.test(it) ? (texts[Number(it[1])] ?? it) : it
  return JSON.parse(JSON.stringify(sample), fill)
}

function escaped(text: string): string {
  return text.replaceAll(/[\s\S]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The same sample as other programs write it. */
const writers: readonly ((sample: unknown) => string)[] = [
  (sample) => JSON.stringify(sample),
  (sample) => JSON.stringify(sample, undefined, 2),
  (sample) => JSON.stringify(sample).replaceAll(/[^ -~]/g, escaped),
  (sample) => JSON.stringify(sample).replaceAll(/[<>&]/g, escaped),
  (sample) => JSON.stringify(sample).replaceAll('/', '\\/'),
  (sample) => JSON.stringify(sample).replaceAll('0', '0.0e+5'),
]

function compare(outlines: SampleOutlines, bytes: Uint8Array): void {
  const view = outlines.viewOf(bytes, 7)
  if (!view) return
  const own = viewOfSample(readSample(bytes, options), 7)
  assert.deepEqual(valuesOf(view), valuesOf(own))
  assert.deepEqual([view.value, view.source, view.messages], [own.value, own.source, own.messages])
}

describe('columns from outlines', () => {
  test('are those of the sample, whatever others with the same outline have', () => {
    fc.assert(
      fc.property(
        structure,
        fc.array(texts, { minLength: 2, maxLength: 4 }),
        fc.constantFrom(...writers),
        (sample, fillings, write) => {
          const outlines = new SampleOutlines(options)
          const all = fillings.map((it) => encoder.encode(write(filled(sample, it))))
          for (const it of [...all, ...all]) compare(outlines, it)
        },
      ),
      { numRuns: 20 * propertyRuns },
    )
  })

  test('are those of samples that only readers tell apart', () => {
    const pairs = [
      // One text in two ways, which is one thought.
      [
        String.raw`{"messages":[{"role":"assistant","content":"a","reasoning":"t\u00e4","reasoning_content":"tö"}]}`,
        String.raw`{"messages":[{"role":"assistant","content":"a","reasoning":"t\u00e4","reasoning_content":"tä"}]}`,
      ],
      // JSON that is a call.
      [
        String.raw`{"messages":[{"role":"tool_call","content":"{\"city\":1}"}]}`,
        String.raw`{"messages":[{"role":"tool_call","content":"{\"name\":\"f\",\"arguments\":{}}"}]}`,
      ],
      // JSON that has an answer.
      [
        String.raw`{"messages":[{"role":"user","content":"a"}],"response":"{\"city\":1}"}`,
        String.raw`{"messages":[{"role":"user","content":"a"}],"response":"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"b\"}}]}"}`,
      ],
    ]
    for (const pair of pairs) {
      const outlines = new SampleOutlines(options)
      const [first, second] = pair.map((it) => encoder.encode(it))
      assert.ok(first && second)
      assert.notDeepEqual(
        ...([first, second].map((it) => valuesOf(viewOfSample(readSample(it, options), 7))) as [
          unknown,
          unknown,
        ]),
      )
      for (const it of [first, first, first, second, second]) compare(outlines, it)
    }
  })

  test('are those of the sample in every form', () => {
    const outlines = new SampleOutlines(options)
    for (let round = 0; round < 3; round++)
      for (const seed of [7, 12, 13])
        for (const [, sample] of jsonSamplesOf(wordsOf(seed)))
          for (const write of writers) compare(outlines, encoder.encode(write(sample)))
    assert.ok(outlines.found > 0)
  })

  test('are of no sample that is broken', () => {
    const sample = {
      id: 'a',
      n: [0, 12, -1.5e3, true, null],
      messages: [{ role: 'user', content: 'Zürich "x"\u00e9' }],
    }
    const bytes = encoder.encode(JSON.stringify(sample))
    const byte = fc.oneof(
      fc.constantFrom(...encoder.encode('"\\{}[],:-0.e+tn \n')),
      fc.integer({ min: 0, max: 255 }),
    )
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.nat(2), fc.array(byte, { maxLength: 2 }), (at, left, added) => {
        const outlines = new SampleOutlines(options)
        const changed = Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at + left)])
        for (let round = 0; round < 3; round++) compare(outlines, changed)
      }),
      { numRuns: 20 * propertyRuns },
    )
  })

  test('take the place of reading for all samples of chat but the first', () => {
    const outlines = new SampleOutlines(options)
    for (let seed = 0; seed < 100; seed++) {
      const { system, question, thought, city, observed, answer } = wordsOf(seed)
      const called = { name: 'weather', arguments: JSON.stringify({ city }) }
      const sample = {
        ...{ id: `sample-${seed}`, score: seed / 100, metadata: { passed: seed % 2 === 0, labels: [city] } },
        tools: [
          { type: 'function', function: { name: 'weather', description: 'Tells <b>how</b> warm it is' } },
        ],
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: `${question} "Zürich"\n` },
          {
            ...{ role: 'assistant', content: null, reasoning_content: thought },
            tool_calls: [{ id: `call-${seed}`, type: 'function', function: called }],
          },
          { role: 'tool', tool_call_id: `call-${seed}`, content: observed },
          { role: 'assistant', content: answer },
        ],
      }
      compare(outlines, encoder.encode(JSON.stringify(sample)))
    }
    assert.equal(outlines.found, 99)
  })

  test('are not looked for any longer where each sample has an outline of its own', () => {
    const outlines = new SampleOutlines(options)
    const sampleOf = (nth: number) =>
      encoder.encode(JSON.stringify({ [`key${nth}`]: 1, messages: [{ role: 'user', content: 'Hi' }] }))
    for (let nth = 0; nth < 1001; nth++) assert.equal(outlines.viewOf(sampleOf(nth), nth), undefined)
    for (let nth = 0; nth < 3; nth++) assert.equal(outlines.viewOf(sampleOf(0), nth), undefined)
    assert.equal(outlines.found, 0)
  })
})
