/** Columns that users name, in a configuration file or in `dataset_info.json`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ConversionError,
  configurationWithMapping,
  convert,
  type DatasetMapping,
  datasetMappingIn,
  editableSample,
  editedSample,
  mappingBeside,
  readConfiguration,
  readDatasetInfo,
  readSample,
  settingsForPath,
} from '../../core/src/internal.ts'

function mappingOf(entry: object): DatasetMapping {
  const mapping = datasetMappingIn({ file_name: '*.jsonl', ...entry })
  assert.ok(mapping)
  return mapping
}

/** The transcript of `value` without its header, and the sample. */
function opened(value: object, entry: object, branch?: string) {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const sample = editableSample(readSample(bytes, { rest: 'source', mapping: mappingOf(entry), branch }))
  assert.equal(sample.kind, 'good')
  if (sample.kind !== 'good') throw new TypeError()
  return { sample, body: sample.text.slice(sample.text.indexOf('<|start|>')) }
}

test('columns of one’s own in the layout of Alpaca', () => {
  const value = { ask: 'A', more: 'B', reply: 'C', rules: 'S', past: [['U', 'V']] }
  const columns = { prompt: 'ask', query: 'more', response: 'reply', system: 'rules', history: 'past' }
  const { sample, body } = opened(value, { columns })
  assert.equal(
    body,
    '<|start|>system<|message|>S<|end|>\n<|start|>user<|message|>U<|end|>\n<|start|>assistant<|channel|>final<|message|>V<|end|>\n<|start|>user<|message|>A\nB<|end|>\n<|start|>assistant<|channel|>final<|message|>C<|end|>\n',
  )
  assert.equal(
    editedSample(sample, sample.text.replace('>C<', '>D<')).json,
    JSON.stringify({ ...value, reply: 'D' }),
  )
})

test('tags of one’s own in the layout of ShareGPT', () => {
  const value = {
    talk: [
      { who: 'Kunde', says: 'A' },
      { who: 'Berater', says: 'B' },
    ],
  }
  const entry = {
    formatting: 'sharegpt',
    columns: { messages: 'talk' },
    tags: { role_tag: 'who', content_tag: 'says', user_tag: 'Kunde', assistant_tag: 'Berater' },
  }
  assert.equal(
    opened(value, entry).body,
    '<|start|>user<|message|>A<|end|>\n<|start|>assistant<|channel|>final<|message|>B<|end|>\n',
  )
})

test('ranking names two branches', () => {
  const entry = { ranking: true, columns: { prompt: 'q', chosen: 'good', rejected: 'bad' } }
  const { sample, body } = opened({ q: 'Q', good: 'G', bad: 'B' }, entry, 'bad')
  assert.deepEqual(sample.branches, ['good', 'bad'])
  assert.match(body, /final<\|message\|>B/)
})

test('a mapping wins over detection', () => {
  const value = { messages: [{ role: 'user', content: 'M' }], q: 'Q', a: 'A' }
  assert.match(opened(value, { columns: { prompt: 'q', response: 'a' } }).body, /user<\|message\|>Q/)
})

test('a mapping names a form, for what would be recognized as another one, and a form that is asked for wins', () => {
  const value = { prompt: 'P', completion: 'C', instruction: 'I', output: 'O' }
  const { sample, body } = opened(value, { formatting: 'prompt-completion' })
  assert.match(body, /user<\|message\|>P.*\n.*final<\|message\|>C/)
  assert.equal(
    editedSample(sample, sample.text.replace('>C<', '>D<')).json,
    JSON.stringify({ ...value, completion: 'D' }),
  )
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const mapping = mappingOf({ columns: { prompt: 'completion' } })
  const asked = readSample(bytes, { from: 'alpaca', mapping })
  assert.equal(asked.kind === 'good' && asked.read().conversation.messages[0]?.content.length, 1)
  assert.equal(asked.kind === 'good' && asked.read().from, 'alpaca')
  const unknown = readSample(bytes, { mapping: mappingOf({ formatting: 'vicuna' }) })
  assert.match(unknown.kind === 'bad' ? unknown.message : '', /^Unknown form `vicuna`/)
})

/** Texts in the frames of other models: a user who asks, what the assistant thinks and answers. */
const framedTexts: Readonly<Record<string, string>> = {
  llama3:
    '<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nU<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nCUT<think>T</think>A<|eot_id|>',
  gemma:
    '<bos><start_of_turn>user\nU<end_of_turn>\n<start_of_turn>model\nCUT<think>T</think>A<end_of_turn>\n',
  chatml: '<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\nCUT<think>T</think>A<|im_end|>\n',
  mistral: '<s>[INST] U [/INST]CUT <think>T</think>A</s>',
  phi: '<|user|>\nU<|end|>\n<|assistant|>\nCUT<think>T</think>A<|end|>\n',
  zephyr: '<|user|>\nU</s>\n<|assistant|>\nCUT<think>T</think>A</s>\n',
  glm: '[gMASK]<sop><|user|>\nU<|assistant|>\nCUT<think>T</think>A',
  deepseek: '<｜begin▁of▁sentence｜><｜User｜>U<｜Assistant｜>CUT<think>T</think>A<｜end▁of▁sentence｜>',
  vicuna: '### Human: U\n### Assistant: CUT<think>T</think>A',
  anthropic: '\n\nHuman: U\n\nAssistant: CUT<think>T</think>A',
}

for (const [name, cut] of Object.entries(framedTexts))
  test(`mapped texts in the frames of ${name} are read as messages, whole, parted, and in pairs, and are read only`, () => {
    const text = cut.replace('CUT', '')
    const [head = '', tail = ''] = cut.split('CUT')
    const other = tail.replace('A', 'B')
    const expected = (answer: string) =>
      `<|start|>user<|message|>U<|end|>\n<|start|>assistant<|channel|>analysis<|message|>T<|end|>\n<|start|>assistant<|channel|>final<|message|>${answer}<|end|>\n`
    const pair = { ranking: true, columns: { prompt: 'q', chosen: 'good', rejected: 'bad' } }
    const alone = { columns: { prompt: 'body' } }
    for (const [value, entry, branch] of [
      [{ body: text, id: 1 }, alone],
      [{ body: text }, { columns: { response: 'body' } }],
      [{ q: head, r: tail }, { columns: { prompt: 'q', response: 'r' } }],
      [{ q: head, good: tail, bad: other }, pair],
      [{ q: head, good: other, bad: tail }, pair, 'bad'],
      [
        { good: text, bad: text },
        { ranking: true, columns: { chosen: 'good', rejected: 'bad' } },
      ],
    ] as const) {
      const { sample, body } = opened(value, entry, branch)
      assert.equal(body, expected('A'), JSON.stringify(value))
      assert.throws(() => editedSample(sample, sample.text.replace('>A<', '>C<')), ConversionError)
    }
    assert.equal(opened({ q: head, good: tail, bad: other }, pair, 'bad').body, expected('B'))
  })

test('a mapping to a form that a sample cannot be of is refused', () => {
  for (const formatting of ['text', 'harmony', 'ocm', 'codex', 'claude-code', 'pi']) {
    const mapping = mappingOf({ formatting, columns: { prompt: 'body' } })
    const sample = readSample(new TextEncoder().encode('{"body": "[INST] U [/INST] A"}'), { mapping })
    assert.match(
      sample.kind === 'bad' ? sample.message : '',
      /^Unknown form: the sample has `body`/,
      formatting,
    )
  }
  for (const from of ['codex', 'claude-code', 'pi'] as const)
    assert.throws(() => convert('{"body": 1}', { from, to: 'ocm' }), /is an object, not a list/)
})

test('the configuration maps paths, and names mistakes', () => {
  const { configuration, problems } = readConfiguration(
    'datasets:\n  - file_name: data/*.jsonl\n    columns: {prompt: q, respons: a}\n  - formatting: openai\n',
  )
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      'Unknown configuration key `respons`; did you mean `response`?',
      'An entry of `datasets` must be a mapping with `file_name`, a pattern of paths',
    ],
  )
  assert.deepEqual(settingsForPath(configuration, 'data/a.jsonl').mapping?.columns, { prompt: 'q' })
  assert.equal(settingsForPath(configuration, 'other/a.jsonl').mapping, undefined)
})

test('dataset_info.json names files', () => {
  const info = readDatasetInfo(
    JSON.stringify({ mine: { file_name: 'a.json', formatting: 'sharegpt' }, hub: { hf_hub_url: 'x' } }),
  )
  assert.deepEqual(info.problems, [])
  assert.equal(mappingBeside(info, 'a.json')?.formatting, 'sharegpt')
  assert.equal(mappingBeside(info, 'b.json'), undefined)
})

test('dataset_info.json may begin with a byte order mark, and names files of its folder in any way', () => {
  const info = readDatasetInfo('\ufeff{"mine": {"file_name": "./a.json", "formatting": "sharegpt"}}')
  assert.deepEqual(info.problems, [])
  assert.equal(mappingBeside(info, 'data/a.json')?.formatting, 'sharegpt')
})

for (const [text, at, message] of [
  ['{"mine": {"file_name": "a.json"},}', ',}', 'A `,` before `}` is not allowed in JSON'],
  ['words of another file', 'words', 'This is not JSON'],
  ['[]', '[]', 'Expected an object with an entry per dataset'],
  ['{"mine": "a.json"}', '"a.json"', 'The entry `mine` must be an object'],
  ['{"mine": {"file_name": 5}}', '5', '`file_name` must be a string such as `data.jsonl`'],
] as const)
  test(`mistakes in dataset_info.json are reported: ${text}`, () => {
    const { mappings, problems } = readDatasetInfo(text)
    assert.deepEqual(mappings, [])
    assert.deepEqual(
      problems.map((it) => [it.range.start, it.message, it.isError]),
      [[text.indexOf(at), message, true]],
    )
  })

for (const [what, text, expected] of [
  ['no configuration', '', 'datasets:\n  - ENTRY\n'],
  ['other settings', 'intent: training # why\n', 'intent: training # why\ndatasets:\n  - ENTRY\n'],
  ['a last line without break', 'intent: training', 'intent: training\ndatasets:\n  - ENTRY\n'],
  ['an empty list', 'datasets: []\nintent: training\n', 'datasets: [JSON]\nintent: training\n'],
  ['no list', 'datasets: # none\nintent: training\n', 'datasets: # none\n  - ENTRY\nintent: training\n'],
  [
    'entries for other files, which it comes before',
    'datasets:\n  # mine\n  - file_name: "*.jsonl" # all\n    formatting: openai\n',
    'datasets:\n  # mine\n  - ENTRY\n  - file_name: "*.jsonl" # all\n    formatting: openai\n',
  ],
  [
    'its entry, which is replaced',
    'datasets:\n  - {file_name: a.jsonl}\n  - file_name: "./b.jsonl"\n    formatting: openai\nintent: training\n',
    'datasets:\n  - {file_name: a.jsonl}\n  - ENTRY\nintent: training\n',
  ],
  ['a flow list', 'datasets: [{file_name: "*"}]\n', 'datasets: [JSON, {file_name: "*"}]\n'],
  ['JSON', '{"datasets": [{"file_name": "*"}]}', '{"datasets": [JSON, {"file_name": "*"}]}'],
] as const)
  test(`a mapping is written into a configuration with ${what}`, () => {
    const mapping = mappingOf({ formatting: 'sharegpt', columns: { messages: 'my talk' } })
    const object = { file_name: './b.jsonl', formatting: 'sharegpt', columns: { messages: 'my talk' } }
    const entry = 'file_name: "./b.jsonl"\n    formatting: sharegpt\n    columns:\n      messages: "my talk"'
    const written = configurationWithMapping(text, mapping, 'b.jsonl')
    assert.equal(written, expected.replace('ENTRY', entry).replace('JSON', JSON.stringify(object)))
  })

test('a mapping leaves the rest of a configuration as it is, byte order mark and line breaks included', () => {
  const mapping = mappingOf({ formatting: 'openai' })
  for (const lines of [
    'intent: training',
    'intent: training\n',
    'datasets:\n  - file_name: "*"\n# the end',
    '# first\ndatasets:\nrules: {}\n',
    '{"datasets": [\n]}\n',
    '{"intent": "training"\n}\n',
  ])
    for (const mark of ['', '\ufeff'])
      for (const lineBreak of ['\n', '\r\n']) {
        const text = mark + lines.replaceAll('\n', lineBreak)
        const written = configurationWithMapping(text, mapping, 'b.jsonl') ?? ''
        let [start, end] = [0, 0]
        while (start < text.length && text[start] === written[start]) start++
        while (end < text.length - start && text.at(-1 - end) === written.at(-1 - end)) end++
        const left = text.slice(start, text.length - end)
        assert.ok(left === '' || left === ']' || left.trim() === '', JSON.stringify([text, written]))
        const nOthers = written.replaceAll('\r\n', '').split('\n').length - 1
        assert.ok(
          lineBreak === '\n' || nOthers === (lines.includes('\n') ? 0 : nOthers),
          JSON.stringify([text, written]),
        )
      }
})

test('a mapping is not written into what is no configuration, or where its path has signs of patterns', () => {
  const mapping = mappingOf({ formatting: 'openai' })
  assert.equal(configurationWithMapping('- a\n', mapping, 'b.jsonl'), undefined)
  assert.equal(configurationWithMapping('datasets: all\n', mapping, 'b.jsonl'), undefined)
  assert.equal(configurationWithMapping('', mapping, 'd/{b,c.jsonl'), undefined)
})

test('columns of media and of labels stay beside the conversation', () => {
  const value = { q: 'Q', a: 'A', ok: false, pics: ['1.png'], films: [], z: 1 }
  const columns = { prompt: 'q', response: 'a', kto_tag: 'ok', images: 'pics', videos: 'films' }
  const mapping = mappingOf({ columns })
  const { text, losses } = convert(JSON.stringify(value), { to: 'messages', mapping })
  const { messages, ...others } = JSON.parse(text)
  assert.equal(messages.length, 2)
  assert.deepEqual([others, losses], [{ ok: false, pics: ['1.png'], films: [], z: 1 }, []])
})
