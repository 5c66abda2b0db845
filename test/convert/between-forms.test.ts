/** Conversions between forms of training data: what a form can hold comes back, and the rest is reported. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convert, type SourceForm, type TargetForm, targetForms } from '../../core/src/internal.ts'
import { read } from './reading.ts'
import { samplesOf, textOfSample, wordsOf } from './sample-arbitraries.ts'

const tool = {
  type: 'function',
  function: {
    name: 'f',
    description: 'Does',
    parameters: { type: 'object', properties: { a: { type: 'integer' } } },
  },
}
const conversation = {
  messages: [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'U' },
    {
      role: 'assistant',
      content: 'Wait.',
      reasoning_content: 'R',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'T' },
    { role: 'assistant', content: 'A', reasoning_content: 'Q' },
  ],
  tools: [tool],
  source: 'web',
}

/** The lines of `conversation` as they come back from `form`, and what was reported. */
function through(form: TargetForm & SourceForm) {
  const { text, losses } = convert(JSON.stringify(conversation), { to: form })
  return {
    value: JSON.parse(text),
    lines: read(JSON.parse(text)).lines,
    form: read(JSON.parse(text)).form,
    losses,
  }
}

const whole = read(conversation).lines

test('forms of agents hold calls, ids, and reasoning', () => {
  for (const form of ['messages', 'anthropic', 'gemini', 'otel', 'inspect', 'atif'] as const) {
    const { lines, losses, form: detected, value } = through(form)
    assert.equal(detected, form)
    const expected = form === 'gemini' ? whole.map((it) => it.replace(': T', ': {"output":"T"}')) : whole
    assert.deepEqual([...lines].sort(), [...expected].sort(), form)
    assert.equal(value.source, 'web')
    // Signatures of reasoning, and replies as objects, are the API's.
    const known = ['intent', form === 'anthropic' ? 'reasoning' : form === 'gemini' ? 'content-part' : '']
    for (const { kind, message } of losses) assert.ok(known.includes(kind), `${form}: ${message}`)
  }
})

test('a reply that is a JSON object is one for Gemini, however it is spaced', () => {
  const responseOf = (content: string) => {
    const [asked, question, called, , answered] = conversation.messages
    const reply = { role: 'tool', tool_call_id: 'c1', content }
    const sample = { messages: [asked, question, called, reply, answered] }
    const { text, losses } = convert(JSON.stringify(sample), { to: 'gemini' })
    const [{ functionResponse }] = JSON.parse(text).contents[2].parts
    return [functionResponse.response, losses.map(({ kind }) => kind)]
  }
  for (const json of ['{"t":3}', '{"t": 3}', '\n{\n  "t": 3.0\n}'])
    assert.deepEqual(responseOf(json), [{ t: 3 }, []])
  for (const text of ['[1]', '3', '', '{"t": 3'])
    assert.deepEqual(responseOf(text), [{ output: text }, ['content-part']])
  assert.deepEqual(responseOf('{"t": 1, "t": 9007199254740993}')[1], ['duplicate-key', 'rounded-number'])
})

test('ShareGPT holds everything but ids and preambles; reasoning is in tags', () => {
  const { lines, losses, value } = through('sharegpt')
  assert.deepEqual(lines, [
    'system: S',
    whole.find((it) => it.startsWith('developer'))?.toString(),
    'user: U',
    'assistant/analysis: R',
    'assistant: Wait.',
    'call functions.f: {"a":1}',
    'reply functions.f: T',
    'assistant/analysis: Q',
    'assistant: A',
  ])
  assert.deepEqual(
    losses.map(({ kind }) => kind),
    ['call-id', 'intent'],
    'its preamble is an answer when it is read back',
  )
  assert.equal(value.tools, JSON.stringify([tool]))
})

test('Alpaca holds questions and answers', () => {
  const { value, losses } = through('alpaca')
  assert.equal(value.instruction, 'U')
  assert.equal(value.output, '<think>\nQ\n</think>\n\nA')
  assert.ok(losses.some(({ kind }) => kind === 'not-a-message'))
  const back = convert(JSON.stringify({ instruction: 'B', output: 'C', history: [['A', 'D']] }), {
    to: 'alpaca',
  })
  assert.deepEqual(JSON.parse(back.text), { instruction: 'B', input: '', output: 'C', history: [['A', 'D']] })
})

test('xLAM holds calls', () => {
  assert.deepEqual(through('xlam').value.answers, [{ name: 'f', arguments: { a: 1 } }])
})

test('every form goes to every form', () => {
  for (const [form, sample] of samplesOf(wordsOf(1)))
    for (const to of targetForms)
      assert.doesNotThrow(() => convert(textOfSample(sample), { to }), `${form} to ${to}`)
})

test('branches that are not written are reported', () => {
  const { losses } = convert('{"prompt": "P", "chosen": "C", "rejected": "R"}', { to: 'messages' })
  assert.deepEqual(
    losses.map(({ message }) => message),
    ['Only the branch `chosen` of `chosen`, `rejected` is written'],
  )
})

const pair = {
  messages: [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'U' },
  ],
  chosen: [{ role: 'assistant', content: 'A', reasoning_content: 'R' }],
  rejected: [{ role: 'assistant', content: 'B' }],
  tools: [tool],
  source: 'web',
}

test('pairs become pairs, with both branches, their reasoning, and tools', () => {
  const expected = ['chosen', 'rejected'].map((it) => read(pair, it).lines)
  for (const [form, names] of [
    ['openai-dpo', ['preferred_output', 'non_preferred_output']],
    ['preference', ['chosen', 'rejected']],
  ] as const) {
    const { text, losses } = convert(JSON.stringify(pair), { to: form })
    assert.deepEqual(losses, [], form)
    const value = JSON.parse(text)
    assert.deepEqual(
      names.map((it) => read(value, it).lines),
      expected,
      form,
    )
    assert.equal(read(value).form, form)
    assert.equal(value.source, 'web')
    const back = convert(text, { to: form })
    assert.deepEqual([JSON.parse(back.text), back.losses], [value, []], 'reading and writing changes nothing')
  }
  const plain = { prompt: 'P', chosen: 'C', rejected: 'D' }
  assert.deepEqual(JSON.parse(convert(JSON.stringify(plain), { to: 'preference' }).text), plain)
  const ranked = { prompt: 'P', completions: ['A', 'B', 'C'] }
  assert.deepEqual(JSON.parse(convert(JSON.stringify(ranked), { to: 'preference' }).text), ranked)
})

test('what a pair cannot hold is reported', () => {
  const messages = [
    { role: 'user', content: 'U' },
    { role: 'assistant', content: 'A' },
  ]
  const alone = convert(JSON.stringify({ messages }), { to: 'preference' })
  assert.deepEqual(JSON.parse(alone.text), { prompt: 'U', chosen: 'A', rejected: '' })
  assert.deepEqual(
    alone.losses.map(({ kind }) => kind),
    ['branch'],
  )
  const ranked = convert(JSON.stringify({ prompt: 'P', completions: ['A', 'B', 'C'] }), { to: 'openai-dpo' })
  assert.match(ranked.losses.map(({ message }) => message).join(), /first two of 3 branches/)
  const chosen = convert(JSON.stringify(pair), { to: 'messages' })
  assert.match(chosen.losses.map(({ message }) => message).join(), /Only the branch `chosen` of/)
})

test('a system prompt in a column becomes a message, or a column of the other form, and not both', () => {
  const samples: readonly Record<string, unknown>[] = [
    { system: 'S', instruction: 'Q', output: 'A', id: 1 },
    {
      system_prompt: 'S',
      conversations: [
        { from: 'human', value: 'Q' },
        { from: 'gpt', value: 'A' },
      ],
      id: 1,
    },
    { system: 'S', messages: [{ role: 'user', content: [{ type: 'text', text: 'Q' }] }], id: 1 },
    { system: [{ type: 'text', text: 'S' }], prompt: 'Q', completion: 'A', id: 1 },
  ]
  const columns = ['system', 'system_prompt', 'systemInstruction', 'gen_ai.system_instructions']
  for (const sample of samples) {
    for (const to of targetForms) {
      if (to === 'markdown') continue // what users see
      const { text, losses } = convert(JSON.stringify(sample), { to })
      assert.deepEqual(
        losses.filter(({ message }) => message.includes('`system')),
        [],
        to,
      )
      assert.doesNotMatch(text, /system_prompt/)
      assert.equal(text.split(/"S"|\bS\b/).length - 1, 1, `${to}: ${text}`)
    }
    const value = JSON.parse(convert(JSON.stringify(sample), { to: 'messages' }).text)
    assert.deepEqual([value.id, value.messages[0]], [1, { role: 'system', content: 'S' }])
    assert.deepEqual(
      columns.filter((it) => it in value),
      [],
    )
  }
})

test('an empty input of an instruction is part of the prompt, not kept next to it', () => {
  const sample = { instruction: 'Q', input: '', output: 'A', id: 1 }
  for (const to of ['messages', 'sharegpt', 'ocm'] as const)
    assert.doesNotMatch(convert(JSON.stringify(sample), { to }).text, /input/, to)
  assert.deepEqual(JSON.parse(convert(JSON.stringify(sample), { to: 'alpaca' }).text), sample)
})

test('an edited system prompt of a transcript does not leave the earlier one in its header', () => {
  const { text } = convert(JSON.stringify({ system: 'Old', instruction: 'Q', output: 'A' }), { to: 'ocm' })
  const edited = text.replace('Old<|end|>', 'New<|end|>')
  assert.doesNotMatch(convert(edited, { to: 'messages' }).text, /Old/)
})

test('what the parts of a system prompt say besides their words is a loss', () => {
  const system = [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }]
  const sample = { system, messages: [{ role: 'user', content: 'Q' }] }
  for (const to of ['messages', 'anthropic', 'ocm'] as const) {
    const { losses } = convert(JSON.stringify(sample), { to })
    assert.deepEqual(
      losses.map(({ message }) => message),
      ['`system`: a transcript cannot contain `cache_control`'],
      to,
    )
  }
})

test('a request of Converse becomes one of Chat Completions, and what that does not hold is reported', () => {
  const request = {
    messages: [
      { role: 'user', content: [{ text: 'U' }] },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'T', signature: 's' } } },
          { toolUse: { toolUseId: 't1', name: 'f', input: { a: 1 } } },
        ],
      },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: 't1', content: [{ json: { b: 2 } }], status: 'error' } }],
      },
    ],
  }
  const { text, losses } = convert(JSON.stringify(request), { to: 'messages' })
  assert.deepEqual(JSON.parse(text).messages, [
    { role: 'user', content: 'U' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'T',
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 't1', content: '{"b":2}' },
  ])
  assert.deepEqual(
    losses.map(({ message }) => message),
    [
      'Message 2: the pieces of the content become one text',
      'Message 2: a transcript cannot contain `signature`',
      'Message 3: a transcript cannot contain `status`',
    ],
  )
  const images = { messages: [{ role: 'user', content: [{ text: 'U' }, { image: 'a.png' }] }] }
  assert.deepEqual(JSON.parse(convert(JSON.stringify(images), { to: 'messages' }).text), images)
})

test('custom tool calls stay custom, or are reported', () => {
  const call = { id: 'c1', type: 'custom', custom: { name: 'f', input: 'x = 1' } }
  const messages = [
    { role: 'user', content: 'U' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ]
  for (const to of ['anthropic', 'atif', 'gemini', 'inspect', 'otel', 'sharegpt', 'xlam'] as const) {
    const { losses } = convert(JSON.stringify({ messages }), { to })
    const told = losses.filter(({ kind }) => kind === 'content-type').map(({ message }) => message)
    assert.deepEqual(told, ['Custom tool calls cannot be distinguished from function calls'], to)
  }
  for (const to of ['messages', 'responses', 'prompt-completion', 'ocm'] as const)
    assert.deepEqual(convert(JSON.stringify({ messages }), { to }).losses, [], to)
})
