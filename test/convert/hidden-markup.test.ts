/** What is marked as reasoning in an answer is hidden, however marks of several kinds are in each other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shownTextOf } from '../../core/src/conversation/message-visibility.ts'
import { convert, readConversation } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

type Marks = readonly (readonly [begin: string, end: string])[]

/** Marks that count anywhere. */
const sure: Marks = [
  ['<think>', '</think>'],
  ['<Thinking effort="low">', '</Thinking>'],
  ['<seed:think>', '</seed:think>'],
  ['<thoughts>', '</thoughts>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|start_think|>', '<|end_think|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel>thought\n', '<channel|>'],
  ['<details type="reasoning" done="true">', '</details>'],
  ['<|im_start|>think\n', '\n<|im_start|>answer'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
]
/** Marks that count where nothing that users see is before them. */
const first: Marks = [
  ['&lt;think&gt;', '&lt;/think&gt;'],
  ['＜think＞', '＜/think＞'],
  ['< think>', '</ think>'],
  ['<analysis>', '</analysis>'],
  ['<reason>', '</reason>'],
]
const folded: Marks = [
  ['<details>\n<summary>Thinking…</summary>', '</details>'],
  ['<details open><summary>Thought for 12 seconds</summary>', '</details>'],
]
const sign = fc.constantFrom(...sure)
const anySign = fc.constantFrom(...sure, ...first, ...folded)

/** A hidden text, perhaps with others in it. */
const { hidden } = fc.letrec<{ hidden: string }>((tie) => ({
  hidden: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('SECRET', ' SECRET\n', '<tool_call>SECRET</tool_call>'),
    fc
      .tuple(tie('hidden'), anySign, tie('hidden'), tie('hidden'))
      .map(([before, [begin, end], inner, after]) => before + begin + inner + end + after),
    // One that is never closed. Of one that is sure, or in the same words as one, the next end would be taken for its own.
    fc.tuple(fc.constantFrom(...first), tie('hidden')).map(([[begin], inner]) => begin + inner),
  ),
}))

/** Texts that users see, and hidden ones between them. */
const answer = fc
  .tuple(
    fc.option(fc.tuple(anySign, hidden), { freq: 3 }),
    fc.array(fc.tuple(fc.constantFrom('Seen.', 'a < b\n'), sign, hidden), { maxLength: 3 }),
    fc.constantFrom('Seen.', '`</think>` Seen.'), // without it, a name of data in tags is around data
  )
  .map(([begin, others, end]) => {
    const marked = ([[from, to], inner]: readonly [readonly [string, string], string]) => from + inner + to
    const head = begin === null ? '' : marked(begin)
    return `${head}${others.map(([seen, own, inner]) => seen + marked([own, inner])).join('')}${end}`
  })

test('what is marked is hidden, in whatever is around it', () => {
  fc.assert(
    fc.property(answer, (content) => {
      const sample = {
        messages: [
          { role: 'user', content: 'U' },
          { role: 'assistant', content },
        ],
      }
      const { conversation } = readConversation(JSON.stringify(sample), { from: 'messages' })
      for (const message of conversation.messages)
        assert.doesNotMatch(shownTextOf(message) ?? '', /SECRET/, content)
    }),
    { numRuns: 10 * propertyRuns },
  )
})

/** An answer in the parts of its text, in the forms that have parts. */
const inParts: Readonly<Record<string, (parts: readonly string[]) => unknown>> = {
  messages: (parts) => ({
    messages: [{ role: 'assistant', content: parts.map((text) => ({ type: 'text', text })) }],
  }),
  anthropic: (parts) => ({
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'redacted_thinking', data: 'x' }, ...parts.map((text) => ({ type: 'text', text }))],
      },
    ],
  }),
  responses: (parts) => ({
    output: [
      { type: 'message', role: 'assistant', content: parts.map((text) => ({ type: 'output_text', text })) },
    ],
  }),
  gemini: (parts) => ({ contents: [{ role: 'model', parts: parts.map((text) => ({ text })) }] }),
  otel: (parts) => ({
    'gen_ai.output.messages': [
      { role: 'assistant', parts: parts.map((content) => ({ type: 'text', content })) },
    ],
  }),
  inspect: (parts) => ({
    input: 'U',
    messages: [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', reasoning: 'SECRET' },
          ...parts.map((text) => ({ type: 'text', text })),
        ],
      },
    ],
  }),
}

function shownIn(sample: unknown, from: 'auto' | 'messages' = 'auto'): string {
  const { conversation } = readConversation(JSON.stringify(sample), { from })
  return conversation.messages.map((it) => shownTextOf(it) ?? '').join('|')
}

test('an answer in parts shows what it shows as one text, wherever it is cut', () => {
  const cuts = fc.array(fc.nat(), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(answer, cuts, fc.constantFrom(...Object.keys(inParts)), (content, places, form) => {
      const ends = [...places.map((it) => it % (content.length + 1)), content.length].sort((a, b) => a - b)
      const parts = ends.map((end, index) => content.slice(ends[index - 1] ?? 0, end))
      const whole = { messages: [{ role: 'assistant', content }] }
      const { conversation } = readConversation(JSON.stringify(inParts[form]?.(parts)))
      const shown = conversation.messages.flatMap((it) => shownTextOf(it) ?? [])
      assert.doesNotMatch(shown.join('|'), /SECRET/, `${form}: ${parts.join('|')}`)
      const expected = shownIn(whole, 'messages').replaceAll('|', '')
      assert.equal(shown.join(''), expected, `${form}: ${parts.join('|')}`)
    }),
    { numRuns: 10 * propertyRuns },
  )
})

const call = { type: 'tool_use', id: 't', name: 'f', input: {} }

for (const [name, content, expected] of [
  [
    'a tag that ends after calls',
    [
      { type: 'text', text: '<think>SECRET' },
      call,
      { type: 'text', text: 'SECRET' },
      call,
      { type: 'text', text: 'SECRET</think>Seen.' },
    ],
    '|||||Seen.',
  ],
  [
    'a tag that ends before a call and never began',
    [{ type: 'text', text: 'SECRET' }, call, { type: 'text', text: 'SECRET</think>Seen.' }],
    '|||Seen.',
  ],
  [
    'a tag that never ends',
    [{ type: 'text', text: 'Seen.[THINK]SECRET' }, call, { type: 'text', text: 'SECRET' }],
    'Seen.|||',
  ],
  [
    'a private block that ends after a call',
    [
      { type: 'text', text: 'Seen.<|start_reason|>SECRET' },
      call,
      { type: 'text', text: 'SECRET<|end_reason|>Seen.' },
    ],
    'Seen.|||Seen.',
  ],
] as const)
  test(`reasoning stays hidden in a message with calls: ${name}`, () => {
    const sample = { messages: [{ role: 'assistant', content }] }
    const shown = shownIn(sample)
    assert.doesNotMatch(shown, /SECRET/)
    assert.equal(shown, expected)
  })

test('a refusal is read as other text of the assistant', () => {
  const sample = {
    messages: [{ role: 'assistant', content: null, refusal: '<think>SECRET</think>Seen.' }],
  }
  assert.equal(shownIn(sample, 'messages'), '|Seen.')
})

test('tags in a private block do not end it', () => {
  for (const [content, expected] of [
    ['Seen.<|start_reason|>SECRET<think>SECRET</think>SECRET<|end_reason|>Seen.', 'Seen.|||Seen.'],
    [
      '<|start_reason|>a<think>SECRET</think>SECRET<|start_reflect|>SECRET<|end_reason|>SECRET<|end_reflect|>Seen.',
      '|||Seen.',
    ],
    ['<think>SECRET<|start_reason|>SECRET</think>Seen.', '|Seen.'],
  ] as const) {
    const sample = { messages: [{ role: 'assistant', content }] }
    const shown = shownIn(sample, 'messages')
    assert.doesNotMatch(shown, /SECRET/, content)
    assert.equal(shown, expected, content)
  }
})

test('a token of a private block that is in two parts of a body hides what it begins', () => {
  const content = ['<|st', 'art_reason|>SECRET<|end_reason|>Seen.'].map((text) => ({ type: 'text', text }))
  const sample = { messages: [{ role: 'assistant', channel: 'final', content }] }
  const { text } = convert(JSON.stringify(sample), { from: 'harmony-json', to: 'messages' })
  const { messages } = JSON.parse(text) as { messages: readonly { content: string }[] }
  assert.deepEqual(
    messages.map((it) => it.content),
    ['Seen.'],
  )
})

test('a part that says in any way that it is a thought is one', () => {
  for (const thought of [true, 'true', 'True', 1, 'yes', { level: 1 }]) {
    const parts = [{ text: 'SECRET', thought }, { text: 'Seen.' }]
    assert.equal(shownIn({ contents: [{ role: 'model', parts }] }), '|Seen.', JSON.stringify(thought))
  }
  for (const thought of [false, null, '', 'false', 0]) {
    const parts = [{ text: 'Seen.', thought }]
    assert.equal(shownIn({ contents: [{ role: 'model', parts }] }), 'Seen.', JSON.stringify(thought))
  }
})
