/** Saving an edited sample changes what was edited and nothing else (F16, F17): every other byte of its JSON stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  ConversionError,
  editedSample,
  type JsonValue,
  readJsonConversation,
  writeConversation,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

type Form = 'messages' | 'responses' | 'json' | 'harmony-json'

function opened(json: string) {
  const value = JSON.parse(json) as JsonValue
  const reading = readJsonConversation(value, { text: json, rest: 'source' })
  const form = reading.from as Form
  return { json, value, form, text: writeConversation(reading, { to: 'ocm' }).text }
}

/** Checks what becomes of `json` when `before` in its transcript becomes `after`. */
function checkSaved(json: string, before: string | RegExp, after: string, expected: string): void {
  const sample = opened(json)
  const edited = sample.text.replace(before, () => after)
  assert.notEqual(edited, sample.text, sample.text)
  assert.equal(editedSample(sample, edited).json, expected)
}

/** Checks that the edit is made in the JSON as it is in the transcript. */
function checkWord(json: string, before: string, after: string): void {
  checkSaved(
    json,
    before,
    after,
    json.replace(before, () => after),
  )
}

const odd =
  '"id": 12345678901234567890, "n": 1e400, "n": -0, "\\u006b": "a\\/\\u00e9\\ud800", "__proto__": {"x": 1.0}, "deep": [ [] , {"a" :null} ]'

test('flags, parts, and fields of an edited message stay', () => {
  const tools =
    '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]'
  const json = `{${odd}, ${tools}, "messages":[{"role":"user","weight":1,"content":[{"type":"image_url","image_url":{"url":"x"}},{"type":"text","text":"Look"},{"type":"text","text":" here"}]},{"role":"assistant","weight":0.50,"content":"Fine","audio":{"id":"a1"}}]}`
  checkWord(json, 'Fine', 'Great')
  checkWord(json, 'Look', 'See')
  checkWord(json, 'here', 'there')
  checkSaved(json, 'Look here', 'Hello', json.replace('"Look"', '"Hello"').replace('" here"', '""'))
  assert.throws(
    () => editedSample(opened(json), opened(json).text.replace('# Tools', '# Tool')),
    /comes from the field `tools`/,
  )
})

test('text that a channel hides is edited in its place, and is not shown by saving', () => {
  for (const json of [
    '{"messages":[{"role":"assistant","content":"Hmm","channel":"analysis"},{"role":"assistant","content":"Hi","tool_calls":[]}]}',
    '{"conversations":[{"from":"gpt","value":"Hmm","channel":"analysis"},{"from":"gpt","value":"Hi"}]}',
  ]) {
    checkWord(json, 'Hmm', 'Well')
    checkWord(json, 'Hi', 'Hello')
    const sample = opened(json)
    assert.match(sample.text, /<\|channel\|>analysis<\|message\|>Hmm/)
    assert.throws(
      () => editedSample(sample, sample.text.replace('analysis<|message|>Hmm', 'final<|message|>Hmm')),
      ConversionError,
    )
  }
})

test('a lone surrogate leaves the others alone', () => {
  const json = `{${odd}, "messages":[{"role":"user","content":"a\\ud800b \\u00e9 \\/ c","k":1,"k":2},{"role":"assistant","content":"Fine"}]}`
  checkWord(json, 'Fine', 'Great')
  checkSaved(json, '/ c', '/ d', json.replace('\\/ c', '\\/ d'))
  const sample = opened(json)
  const { json: saved } = editedSample(
    sample,
    sample.text.replace('a\ufffdb', 'x\ufffdb').replace('c<', 'y<').replaceAll('\n', '\r\n'),
  )
  assert.equal(saved, json.replace('"a\\ud800', '"x\\ud800').replace('\\/ c', '\\/ y'))
})

test('each form is written in its own spelling', () => {
  for (const json of [
    '{"messages":[{"role":"user","content":"Q1"},{"role":"assistant","content":null,"reasoning":"T1","tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":{"a":"V1","big":12345678901234567890,"f":1.0}}}]},{"role":"tool","tool_call_id":"c","name":"f","content":[{"type":"text","text":"R1"}]},{"role":"assistant","content":"A1","refusal":"N1"}]}',
    '{"messages":[{"role":"user","content":["Q1"]},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{\\"a\\": \\"V1\\"}"}},{"role":"function","name":"f","content":"R1"},{"role":"assistant","thinking":"T1","content":"A1"}]}',
    '{"model":"m","input":[{"role":"user","content":"Q1"},{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"T1"}],"encrypted_content":"e"},{"type":"function_call","id":"x","call_id":"c","name":"f","arguments":"{\\"a\\":\\"V1\\"}","status":"completed"},{"type":"function_call_output","call_id":"c","output":"R1"},{"type":"item_reference","id":"z"},{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"A1","annotations":[]}]}]}',
    '{"instructions":"I1","input":"Q1","k":1.0}',
    '{"messages":[{"role":"user","content":"Q1"},{"role":"assistant","channel":"analysis","content":[{"type":"text","text":"T1"}]},{"role":"assistant","channel":"commentary","recipient":"functions.f","content_type":"json","content":"{\\"a\\":\\"V1\\"}","k":1.0}]}',
    '{"header":{"version":2.2},"messages":[{"role":"user","content":"Q1"},{"role":"assistant","thinking":"T1","content":"A1","tool_call":{"id":"c","recipient":"functions.f","arguments":"{\\"a\\":\\"V1\\"}","z":1.0}}],"k":1.0}',
  ]) {
    for (const word of ['Q1', 'T1', 'V1', 'R1', 'A1', 'N1', 'I1'])
      if (json.includes(word)) checkWord(json, word, 'x y')
  }
})

test('a message that comes is written like its neighbours, and one that goes takes its fields with it', () => {
  const json =
    '{"messages": [{"content": [{"type": "text", "text": "Q1"}], "role": "user", "weight": 1}, {"role": "assistant", "reasoning": "T1", "content": "A1", "weight": 0}]}'
  checkSaved(
    json,
    /$/,
    '<|start|>user<|message|>Q2<|end|>\n<|start|>assistant<|channel|>analysis<|message|>T2<|end|><|start|>assistant<|channel|>final<|message|>A2<|end|>',
    `${json.slice(0, -2)}, {"content": [{"type": "text", "text": "Q2"}], "role": "user"}, {"role": "assistant", "reasoning": "T2", "content": "A2"}]}`,
  )
  checkSaved(
    json,
    /<\|start\|>user.*\n/,
    '',
    '{"messages": [{"role": "assistant", "reasoning": "T1", "content": "A1", "weight": 0}]}',
  )
  checkSaved(
    json,
    /<\|start\|>assistant<\|channel\|>analysis.*\n/,
    '',
    json.replace('"reasoning": "T1", ', ''),
  )
  checkSaved(json, /version: 2\.2/, 'version: 2.2\nmodel: m', `${json.slice(0, -1)}, "model": "m"}`)
})

test('what cannot be written refuses the save', () => {
  const json =
    '{"tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"Q1"}]}'
  const sample = opened(json)
  assert.throws(
    () => editedSample(sample, sample.text.replace(/<\|start\|>developer[\s\S]*?<\|end\|>\n/, '')),
    ConversionError,
  )
})

test('text outside messages, which would become reasoning, refuses the save and says where it is', () => {
  const [question, answer] = [
    { role: 'user', content: 'Q' },
    { role: 'assistant', content: 'A' },
  ]
  for (const json of [{ messages: [question, answer] }, { input: [question, answer] }]) {
    const sample = opened(JSON.stringify(json))
    const between = sample.text.indexOf('<|start|>assistant')
    for (const place of [between, sample.text.length]) {
      const edited = `${sample.text.slice(0, place)}stray${sample.text.slice(place)}`
      assert.throws(
        () => editedSample(sample, edited),
        (it) =>
          it instanceof ConversionError && it.offset === place && /Text outside messages/.test(it.message),
      )
    }
  }
})

test('a message whose header has no place in the sample refuses the save, which would lose it', () => {
  const messages = [
    { role: 'user', content: 'Q' },
    { role: 'assistant', content: 'A', weight: 1 },
  ]
  const conversations = [
    { from: 'human', value: 'Q' },
    { from: 'gpt', value: 'A' },
  ]
  for (const json of [{ messages }, { input: messages }, { conversations }]) {
    const sample = opened(JSON.stringify(json))
    const place = sample.text.indexOf('<|start|>assistant')
    for (const [header, name] of [
      ['<|start|>assistnt', 'message 2 (unknown role)'],
      ['<|start|>assistant<|channel|>finl', 'message 2 (assistant)'],
      ['<|start|>assistant<|channel x|>final', 'message 2 (unknown role)'],
    ] as const) {
      const edited =
        sample.text.slice(0, place) +
        sample.text.slice(place).replace(/<\|start\|>.*?(?=<\|message\|>)/, header)
      assert.throws(
        () => editedSample(sample, edited),
        (it) =>
          it instanceof ConversionError &&
          it.offset === place &&
          it.message.startsWith(`Saving would remove ${name}, because`),
        `${JSON.stringify(json)} ${header}`,
      )
    }
  }
})

/** JSON text as odd as it may be, with the same value as `JSON.stringify` gives. */
interface Spelling {
  readonly random: () => number
}

const spellings = ['\\u0061', 'a']

function oddString(text: string, { random }: Spelling): string {
  const units = [
    ...JSON.stringify(text)
      .slice(1, -1)
      .matchAll(/\\u[0-9a-f]{4}|\\.|[\s\S]/g),
  ].map(([unit]) => {
    if (unit === '/') return random() < 0.5 ? '\\/' : '/'
    if (unit === 'a') return spellings[Math.floor(random() * 2)] ?? ''
    return unit.length === 1 && unit > '\u007f' && random() < 0.5
      ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`
      : unit
  })
  return `"${units.join('')}"`
}

const oddValues = [
  '1e400',
  '-0',
  '1.50',
  '12345678901234567890',
  '"\\ud800"',
  '{"a":1,"a":2}',
  '[ ]',
  'null',
  '{"\\u006b":[1.0]}',
]

function oddJson(value: JsonValue, spelling: Spelling, isItem = false): string {
  const { random } = spelling
  const space = () => ['', ' ', '\t'][Math.floor(random() * 3)] ?? ''
  const spaced = (parts: readonly string[]) => parts.map((it) => space() + it + space()).join(',')
  if (Array.isArray(value)) return `[${spaced(value.map((it) => oddJson(it, spelling, true)))}]`
  if (typeof value === 'string') return oddString(value, spelling)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([key, it]) => `${oddString(key, spelling)}${space()}:${space()}${oddJson(it as JsonValue, spelling)}`,
  )
  const nExtra = isItem ? Math.floor(random() * 3) : 0
  for (let nth = 0; nth < nExtra; nth++) {
    const extra = `"x${nth}":${oddValues[Math.floor(random() * oddValues.length)]}`
    entries.splice(Math.floor(random() * (entries.length + 1)), 0, extra)
  }
  return `{${spaced(entries)}}`
}

const plainText = fc.string({
  unit: fc.constantFrom('a', 'b', '/', 'é', '"', '\\', '\n', ' ', '😀', '\t', '\ud800', '\r'),
})
/** The word that is edited: it is in the text of one message only. */
const marked = fc.tuple(plainText, plainText)

const messageKinds: Readonly<Record<Form, readonly ((text: string, nth: number) => JsonValue)[]>> = {
  messages: [
    (content) => ({ role: 'user', content }),
    (content) => ({ role: 'system', content: [{ type: 'text', text: content }] }),
    (content) => ({
      role: 'user',
      content: [
        { type: 'text', text: content },
        { type: 'image_url', image_url: { url: 'x' } },
        { type: 'text', text: '' },
      ],
    }),
    (content) => ({ role: 'assistant', content, weight: 0 }),
    (content) => ({ role: 'assistant', content: 'x', reasoning_content: content }),
    (content, nth) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${nth}`, type: 'function', function: { name: 'f', arguments: content } }],
    }),
    (content, nth) => ({
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `c${nth}`, type: 'function', function: { name: 'f', arguments: { text: content } } },
      ],
    }),
    (content) => ({ role: 'tool', name: 'f', content }),
  ],
  responses: [
    (content) => ({ type: 'message', role: 'user', content }),
    (content) => ({ role: 'assistant', content: [{ type: 'output_text', text: content }] }),
    (content) => ({ type: 'reasoning', summary: [{ type: 'summary_text', text: content }] }),
    (content) => ({ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: content }] }),
    (content, nth) => ({ type: 'function_call', call_id: `c${nth}`, name: 'f', arguments: content }),
    (content, nth) => ({ type: 'function_call_output', call_id: `c${nth}`, output: content }),
    () => ({ type: 'item_reference', id: 'x' }),
  ],
  json: [
    (content) => ({ role: 'user', content }),
    (content) => ({ role: 'assistant', channel: 'final', content, terminator: '<|return|>' }),
    (content) => ({ role: 'assistant', channel: 'final', content: 'x', thinking: content }),
    (content, nth) => ({
      role: 'assistant',
      tool_call: { id: `c${nth}`, recipient: 'functions.f', arguments: content },
    }),
    (content, nth) => ({
      role: 'assistant',
      content: 'y',
      tool_call: { id: `c${nth}`, recipient: 'functions.f', arguments: content },
    }),
  ],
  'harmony-json': [
    (content) => ({ role: 'user', content }),
    (content) => ({ role: 'assistant', channel: 'final', content: [{ type: 'text', text: content }] }),
    (content) => ({ role: 'assistant', channel: 'analysis', content }),
    (content) => ({
      role: 'assistant',
      channel: 'commentary',
      recipient: 'functions.f',
      content_type: 'json',
      content,
    }),
  ],
}

const anchors: Readonly<Record<Form, JsonValue>> = {
  messages: { role: 'user', content: 'start' },
  responses: { type: 'message', role: 'user', content: 'start' },
  json: { role: 'user', channel: 'final', content: 'start' },
  'harmony-json': { role: 'user', recipient: 'all', content: 'start' },
}

for (const form of Object.keys(messageKinds) as Form[]) {
  test(`${form}: an edit of one word changes that word, in any spelling`, () => {
    const kinds = messageKinds[form]
    const message = fc.tuple(fc.nat(kinds.length - 1), marked)
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 6 }),
        fc.nat(),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (chosen, at, numbers) => {
          const random = () => numbers.next().value ?? 0
          const edited = at % chosen.length
          const items = chosen.map(([kind, [before, after]], nth) =>
            (kinds[kind] ?? (() => null))(before + (nth === edited ? 'WORD' : '') + after, nth),
          )
          const list = oddJson([anchors[form], ...items], { random })
          const key = form === 'responses' ? 'input' : 'messages'
          const json = `{${odd},"${key}":${list},"last" : 1.0 }`
          const sample = opened(json)
          assert.equal(sample.form, form)
          if (!sample.text.includes('WORD')) return
          const saved = editedSample(
            sample,
            sample.text.replace('WORD', 'other words').replaceAll(/\r\n?/g, '\n'),
          )
          assert.equal(saved.json, json.replace('WORD', 'other words'))
        },
      ),
      { numRuns: propertyRuns },
    )
  })
}

/** Calls without id are numbered, so the numbers of others change. */
function withoutId(message: string): string {
  return message.replace(/ call_id=\S+?(?=[ <])/, '')
}

const messageTokens = /<\|start\|>[\s\S]*?(?:<\|end\|>|<\|call\|>|<\|return\|>)\n/g

for (const form of Object.keys(messageKinds) as Form[]) {
  test(`${form}: messages that come, go and move leave the others byte for byte`, () => {
    const kinds = messageKinds[form]
    const chosen = fc.array(fc.tuple(fc.nat(kinds.length - 1), marked), { minLength: 1, maxLength: 6 })
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(2)), { minLength: 1, maxLength: 4 })
    const numbers = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))
    let nRefused = 0
    let nRuns = 0
    fc.assert(
      fc.property(chosen, edits, numbers, (kindsOfItems, changes, stream) => {
        const random = () => stream.next().value ?? 0
        const items = kindsOfItems.map(([kind, [before, after]], nth) =>
          oddJson((kinds[kind] ?? (() => null))(`${before}${nth}${after}`, nth), { random }, true),
        )
        const anchor = JSON.stringify(anchors[form])
        const json = `{"${form === 'responses' ? 'input' : 'messages'}":[${[anchor, ...items].join(' , ')}],${odd}}`
        const sample = opened(json)
        const shown = sample.text.replaceAll(/\r\n?/g, '\n')
        const messages = [...shown.matchAll(messageTokens)].map(([it]) => it)
        const head = shown.slice(0, shown.indexOf('<|start|>'))
        assert.equal(head + messages.join(''), shown)
        const edited = [...messages]
        for (const [nth, kind] of changes) {
          const at = 1 + (nth % edited.length)
          if (kind === 0) edited.splice(at, 1)
          else if (kind === 1) edited.splice(at, 0, `<|start|>user<|message|>new ${nth}<|end|>\n`)
          else edited.splice(at, 0, '<|start|>assistant<|channel|>final<|message|>Yes<|end|>\n')
        }
        nRuns++
        try {
          const saved = editedSample(sample, head + edited.join(''))
          const again = opened(saved.json)
          assert.deepEqual(
            [...again.text.replaceAll(/\r\n?/g, '\n').matchAll(messageTokens)].map(([it]) => withoutId(it)),
            edited.map(withoutId),
          )
          assert.ok(saved.json.includes(odd) && saved.json.includes(anchor))
        } catch (error) {
          if (!(error instanceof ConversionError)) throw error
          nRefused++
        }
      }),
      { numRuns: propertyRuns },
    )
    assert.ok(nRefused < nRuns / 20, `${nRefused} of ${nRuns} refused`)
  })
}
