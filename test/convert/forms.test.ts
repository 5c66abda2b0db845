/** Chat Completions, Responses, Markdown and older versions, case by case. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  ConversionError,
  convert,
  parseToJson,
  readConversation,
  type SourceForm,
  type TargetForm,
} from '../../core/src/internal.ts'
import { through } from './through.ts'

describe('Chat Completions', () => {
  test('tools are shown to the model and kept exactly', () => {
    const request = {
      model: 'gpt-oss-20b',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'f',
            description: 'Does.',
            strict: true,
            parameters: { type: 'object', properties: { a: { type: 'string' } } },
          },
        },
      ],
    }
    assert.deepEqual(through(request, 'messages'), { value: request, kinds: [] })
    const { messages, diagnostics } = parseToJson(convert(JSON.stringify(request), { to: 'ocm' }).text)
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    )
    assert.equal(messages[1]?.role, 'developer')
    assert.match(messages[1]?.body ?? '', /^\/\/ Does\.\ntype f = \(_: \{\na\?: string,\n\}\) => any;$/m)
  })

  test('what a transcript cannot say comes back, and is no loss', () => {
    const messages = [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: 'x', audio: { id: 'a' } },
      { role: 'assistant', refusal: 'No.' },
      { role: 'assistant', function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: '1' },
    ]
    assert.deepEqual(through({ messages }, 'messages'), { value: { messages }, kinds: [] })
    // The text itself stands in the transcript only.
    const { text } = convert(JSON.stringify({ messages }), { to: 'ocm' })
    assert.match(text, /content: \[\{"type":"text","text":1\},\{"type":"text","text":1\}\]/)
    assert.match(text, /<\|message\|>ab<\|end\|>/)
  })

  test('losses', () => {
    const kinds = (message: object) => through({ messages: [message] }, 'messages').kinds
    const image = { type: 'image_url', image_url: { url: 'x'.repeat(40_000) } }
    assert.deepEqual(kinds({ role: 'user', content: [image] }), ['content-part'], 'too large for a header')
    assert.deepEqual(kinds({ role: 'oracle', content: 'x' }), ['role'])
    const dense = { type: 'image_url', image_url: { url: 'x', bytes: Array(8000).fill(1) } }
    assert.deepEqual(
      kinds({ role: 'user', content: [dense] }),
      ['content-part'],
      'too many numbers for a header',
    )
    const request = { messages: [{ role: 'user', content: 'Hi' }], metadata: { bytes: Array(8000).fill(1) } }
    assert.deepEqual(through(request, 'messages'), {
      value: { messages: request.messages },
      kinds: ['field'],
    })
  })

  test('a message that was edited is not what it was', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'x' } },
    ]
    const { text } = convert(JSON.stringify({ messages: [{ role: 'user', content }] }), { to: 'ocm' })
    const back = convert(text.replace('>a<', '>edited<'), { to: 'messages' })
    assert.deepEqual(JSON.parse(back.text).messages, [{ role: 'user', content: 'edited' }])
    assert.deepEqual(
      back.losses.map(({ kind }) => kind),
      ['field'],
    )
  })

  test('other forms tell what they leave out', () => {
    const content = [{ type: 'text', text: 'x', cache_control: {} }]
    const messages = [
      { role: 'user', content: 'x', weight: 1 },
      { role: 'user', content, weight: 0 },
      { role: 'assistant', content: 'y' },
    ]
    const tools = [{ type: 'function', function: { name: 'f', strict: true } }]
    const sample = JSON.stringify({ id: 3, tools, messages })
    const ofMessages = [
      'The field `weight` of a message cannot be represented',
      'The original form of `content` cannot be represented',
    ]
    const told = (text: string, to: TargetForm) => convert(text, { to }).losses.map(({ message }) => message)
    assert.deepEqual(told(sample, 'harmony'), [
      'The field `id` cannot be represented',
      'Tools are text in the result, which does not contain all of `tools`',
      ...ofMessages,
    ])
    assert.deepEqual(told(sample, 'responses'), ofMessages)
    assert.deepEqual(
      told('chat_messages: {}\nchat_request: 7\n\n<|start|>user<|message|>a<|end|>', 'harmony'),
      [
        'Harmony cannot represent `chat_messages` of the YAML header',
        'Harmony cannot represent `chat_request` of the YAML header',
      ],
    )
  })

  test('losses have the place of what is lost, or of its message, in JSON too', () => {
    const json =
      '\ufeff{"tools": [], "messages": [{"role": "user", "content": "ü"},\n {"role": "oracle", "content": ""}]}'
    for (const to of ['ocm', 'messages', 'harmony'] as const) {
      const { losses } = convert(json, { from: 'messages', to })
      const places = losses.flatMap(({ range }) => (range ? [json.slice(range.start, range.end)] : []))
      const own = to === 'harmony' ? ['{"role": "oracle", "content": ""}'] : [] // which has no such role either
      assert.deepEqual([...new Set(places)], ['"oracle"', ...own], to)
    }
    for (const [from, item, list, lost] of [
      ['responses', '{"type":"other"}', 'input', '{"type":"other"}'],
      ['harmony-json', '{"role":"user","content":"x","odd":1}', 'messages', '1'],
      ['json', '{"role":"user","content":"x","odd":1}', 'messages', '1'],
    ] as const) {
      const text = `{"${list}":[${item}]}`
      const [loss] = convert(text, { from, to: 'ocm' }).losses
      assert.equal(text.slice(loss?.range?.start, loss?.range?.end), lost, from)
      assert.ok(readConversation(text, { from }).losses[0]?.range, from)
    }
  })

  test('shapes that are none are refused with their place', () => {
    const refused = (value: unknown, message: RegExp) =>
      assert.throws(
        () => convert(JSON.stringify(value), { from: 'messages', to: 'ocm' }),
        (error) => error instanceof ConversionError && message.test(error.message),
      )
    refused(1, /The document is a number, not an object/)
    refused({ messages: 7 }, /`messages` is a number. Expected a list/)
    refused({ messages: [{ content: 'x' }] }, /Message 1 has no `role`/)
    refused({ messages: [null] }, /Message 1 is null, not an object/)
    refused({}, /no `messages`/)
    refused({ messages: [{ role: 'assistant', tool_calls: [1] }] }, /a call is a number, not an object/)
  })
})

test('Responses', () => {
  const request = {
    model: 'gpt-oss-120b',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Call it.' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'Sunny' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sunny.' }] },
    ],
    tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }],
  }
  assert.deepEqual(through(request, 'responses'), { value: request, kinds: [] })
  assert.deepEqual(through([{ type: 'web_search_call', id: 'x' }], 'responses').kinds, ['not-a-message'])
  assert.deepEqual(through({ input: 'Hi' }, 'responses', 'messages').value, {
    messages: [{ role: 'user', content: 'Hi' }],
  })
})

test('what a transcript has no words for is told where it stands, and what says nothing is not', () => {
  const told = (marked: string, from: SourceForm) => {
    const text = marked.replaceAll('§', '')
    const places = convert(text, { from, to: 'ocm' }).losses.map(({ range }) => range?.start)
    const expected: number[] = []
    for (let at = marked.indexOf('§'); at !== -1; at = marked.indexOf('§', at + 1))
      expected.push(at - expected.length)
    assert.deepEqual(
      places.sort((one = 0, other = 0) => one - other),
      expected,
      marked,
    )
  }
  const part = '{"type":"output_text","text":"x","annotations":§[{"url":"u"}],"logprobs":[]}'
  told(`{"input":[{"type":"message","role":"assistant","content":[${part}]}]}`, 'responses')
  told('{"input":[{"role":"assistant","content":[§{"type":"refusal","refusal":"no"}]}]}', 'responses')
  told(
    '{"messages":[{"role":"user","content":[{"type":"text","text":"x","odd":§1}]}],"id":§2}',
    'harmony-json',
  )
  told(
    '{"messages":[{"role":"system","content":[{"type":"system_content","model_identity":"x","odd":§"y","tools":null}]}]}',
    'harmony-json',
  )
  told('{"messages":[{"role":"user","content":[{"type":"text","text":"x","odd":§1}]}]}', 'json')
  const call = '{"id":"c","recipient":"functions.f","arguments":"{}","odd":§1}'
  told(`{"messages":[{"role":"assistant","tool_call":${call},"to":§"x","constrain":null}]}`, 'json')
})

test('the JSON of 2.2 §10, as the specification writes it', () => {
  const example = {
    role: 'assistant',
    channel: 'final',
    content: 'Visible reply',
    tool_call: {
      id: 'abc123',
      recipient: 'functions.lookup_weather',
      content_type: 'json',
      arguments: '{"location":"SF"}',
    },
    thinking: 'Private reasoning (analysis)',
  }
  const { messages } = parseToJson(convert(JSON.stringify(example), { from: 'json', to: 'ocm' }).text)
  assert.deepEqual(
    messages.map(({ channel, to, call_id, body, visible }) => [channel, to, call_id, body, visible]),
    [
      ['analysis', null, null, 'Private reasoning (analysis)', false],
      ['final', null, null, 'Visible reply', true],
      ['commentary', 'functions.lookup_weather', 'abc123', '{"location":"SF"}', false],
    ],
  )
})

test('Markdown has what users see, and nothing else', () => {
  const text = `version: 2.2
<|start|>system<|message|>SECRET<|end|>
<|start|>user name=Ann<|message|>Print <|literal|><|end|><|endliteral|><|end|>
<|start|>assistant<|channel|>analysis<|message|>SECRET<|end|>
<|start|>assistant<|channel|>final<|message|>**Done**<|return|>
`
  const { text: markdown, losses } = convert(text, { to: 'markdown' })
  assert.equal(markdown, '## User (Ann)\n\nPrint ` <|end|> `\n\n## Assistant\n\n**Done**\n')
  assert.deepEqual(
    losses.map(({ kind }) => kind),
    ['hidden-message'],
  )
})

test('2.0 becomes 2.2: the version, ids and reply roles', () => {
  const { text, losses } = convert(readFileSync('samples/11-openchatml-2.0.ocm', 'utf8'), { to: 'ocm' })
  assert.deepEqual(losses, [])
  assert.match(text, /^version: 2\.2\ngeneration_settings:\n {2}builtin_tools: \["browser"\]\n/)
  assert.match(
    text,
    /<\|start\|>assistant to=functions\.browser\.search call_id=call_1<\|channel\|>commentary<\|message\|>/,
  )
  assert.match(
    text,
    /<\|start\|>tool name=functions\.browser\.search call_id=call_1 to=assistant<\|channel\|>/,
  )
  assert.deepEqual(
    parseToJson(text).diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  )
})

test('what a model wrote behind its prompt', () => {
  const { text, from } = convert(
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>',
    { to: 'ocm' },
  )
  assert.equal(from, 'harmony')
  assert.match(
    text,
    /<\|start\|>assistant<\|channel\|>analysis<\|message\|>Hm\.<\|end\|>\n<\|start\|>assistant<\|channel\|>final/,
  )
})

test('the data of a header counts, its text keeps the comments', () => {
  const text = 'version: 2.2 # mine\nmodel: x\n\n<|start|>user<|message|>Hi<|end|>\n'
  const json = JSON.parse(convert(text, { to: 'json' }).text)
  assert.equal(convert(JSON.stringify(json), { to: 'ocm' }).text, text)
  json.header.model = 'other'
  const changed = convert(JSON.stringify(json), { to: 'ocm' })
  assert.equal(changed.text, 'version: 2.2\nmodel: other\n\n<|start|>user<|message|>Hi<|end|>\n')
  assert.deepEqual(
    changed.losses.map(({ kind }) => kind),
    ['header-key'],
  )
})
