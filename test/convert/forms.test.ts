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
} from '../../core/src/index.ts'

function through(
  value: unknown,
  from: SourceForm,
  to: TargetForm = from,
): { value: unknown; kinds: readonly string[] } {
  const ocm = convert(JSON.stringify(value), { from, to: 'ocm' })
  const back = convert(ocm.text, { from: 'ocm', to })
  return { value: JSON.parse(back.text), kinds: [...ocm.losses, ...back.losses].map(({ kind }) => kind) }
}

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
    const { losses } = convert(JSON.stringify({ messages: [{ role: 'user', content: 'x', weight: 1 }] }), {
      to: 'harmony',
    })
    assert.deepEqual(
      losses.map(({ message }) => message),
      ['Harmony has no place for `chat_messages` of the header'],
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
    refused({ messages: 'x' }, /`messages` is a string, not a list/)
    refused({ messages: [{ content: 'x' }] }, /Message 1 has no `role`/)
    refused({ messages: [null] }, /Message 1 is null, not an object/)
    refused({}, /no `messages`/)
    refused({ messages: [{ role: 'assistant', tool_calls: [{}] }] }, /`function` of a call is missing/)
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

describe('Chat Completions and Responses', () => {
  const definition = {
    name: 'f',
    description: 'Does.',
    parameters: { type: 'object', properties: {} },
    strict: true,
  }
  const chat = {
    tools: [{ type: 'function', function: definition, cache: 1 }, { type: 'custom' }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    messages: [{ role: 'user', content: 'Hi' }],
  }
  const responses = {
    tools: [{ type: 'function', cache: 1, ...definition }, { type: 'custom' }],
    tool_choice: { type: 'function', name: 'f' },
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
  }
  const direct = (value: unknown, from: SourceForm, to: TargetForm) => {
    const { text, losses } = convert(JSON.stringify(value), { from, to })
    return { value: JSON.parse(text), kinds: losses.map(({ kind }) => kind) }
  }

  test('each has tools in its own shape, and no message about them', () => {
    const kinds = ['tool-definition'] // of the tool that is no function
    assert.deepEqual(direct(chat, 'messages', 'responses'), { value: responses, kinds })
    assert.deepEqual(direct(responses, 'responses', 'messages'), { value: chat, kinds })
    assert.deepEqual(through(chat, 'messages', 'responses').value, responses)
    assert.deepEqual(through(responses, 'responses', 'messages').value, chat)
    assert.deepEqual(through(chat, 'messages').value, chat)
    assert.deepEqual(through(responses, 'responses').value, responses)
    const { tools: _, ...rest } = chat
    const plain = { ...rest, tools: chat.tools.slice(0, 1), tool_choice: 'auto' }
    assert.deepEqual(direct(plain, 'messages', 'responses').kinds, [])
    assert.equal(direct(plain, 'messages', 'responses').value.tool_choice, 'auto')
  })

  test('custom tools, their calls and the choice among tools are those of each', () => {
    const lark = { syntax: 'lark', definition: 'start: /.*/' }
    const call = { name: 'patch', input: '*** <|end|>\n+a <' }
    const input = [
      { type: 'custom_tool_call', call_id: 'c1', ...call },
      { type: 'function_call', call_id: 'c2', name: 'f', arguments: '{}' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
      { type: 'function_call_output', call_id: 'c2', output: '1' },
    ]
    const messages = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'custom', custom: call },
          { id: 'c2', type: 'function', function: { name: 'f', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Done' },
      { role: 'tool', tool_call_id: 'c2', content: '1' },
    ]
    const patch = { name: 'patch', description: 'Edits.' }
    for (const [nested, flat] of [
      [
        { type: 'custom', custom: { name: 'patch' } },
        { type: 'custom', name: 'patch' },
      ],
      [
        {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'auto',
            tools: [
              { type: 'function', function: { name: 'f' } },
              { type: 'custom', custom: { name: 'patch' } },
            ],
          },
        },
        {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [
            { type: 'function', name: 'f' },
            { type: 'custom', name: 'patch' },
          ],
        },
      ],
      ['required', 'required'],
    ]) {
      const inChat = {
        tools: [
          { type: 'function', function: definition },
          { type: 'custom', custom: { ...patch, format: { type: 'grammar', grammar: lark } } },
          { type: 'custom', custom: { name: 'say', format: { type: 'text' } } },
        ],
        tool_choice: nested,
        messages,
      }
      const inResponses = {
        tools: [
          { type: 'function', ...definition },
          { type: 'custom', ...patch, format: { type: 'grammar', ...lark } },
          { type: 'custom', name: 'say', format: { type: 'text' } },
        ],
        tool_choice: flat,
        input,
      }
      for (const way of [direct, through]) {
        assert.deepEqual(way(inChat, 'messages', 'responses'), { value: inResponses, kinds: [] })
        assert.deepEqual(way(inResponses, 'responses', 'messages'), { value: inChat, kinds: [] })
      }
      assert.deepEqual(through(inChat, 'messages').value, inChat)
      assert.deepEqual(through(inResponses, 'responses').value, inResponses)
    }
  })

  test('a call of a custom tool is text to the rules as well, and may say so or not', () => {
    const tools = [{ type: 'custom', custom: { name: 'patch', description: 'Edits\nfiles.' } }]
    const calls = [{ id: 'c1', type: 'custom', custom: { name: 'patch', input: 'no json' } }]
    const request = { tools, messages: [{ role: 'assistant', content: null, tool_calls: calls }] }
    const { text } = convert(JSON.stringify(request), { to: 'ocm' })
    assert.match(text, /\n\/\/ Edits\n\/\/ files\.\ntype patch = \(FREEFORM\) => any;\n/)
    assert.match(
      text,
      / to=functions\.patch call_id=c1<\|channel\|>commentary<\|constrain\|>text<\|message\|>no json/,
    )
    assert.deepEqual(parseToJson(text).diagnostics, [])
    const silent = text.replace('<|constrain|>text', '')
    assert.deepEqual(JSON.parse(convert(silent, { to: 'messages' }).text), request)
  })

  test('what does not fit into a flat tool is told', () => {
    const tools = [{ type: 'function', name: 'g', function: { name: 'f', type: 'x' } }]
    assert.deepEqual(direct({ messages: [], tools }, 'messages', 'responses'), {
      value: { tools: [{ type: 'function', name: 'f' }], input: [] },
      kinds: ['tool-definition', 'tool-definition'],
    })
    const odd = [1, null, { type: 'function' }, { type: 'function', function: 1 }]
    assert.deepEqual(direct({ messages: [], tools: odd }, 'messages', 'responses').value.tools, odd)
    assert.deepEqual(direct({ input: [], tools: odd }, 'responses', 'messages').value.tools, odd)
  })

  test('instructions are the first message', () => {
    const instructed = { ...responses, instructions: 'Be <|end|> brief.\n' }
    assert.deepEqual(through(instructed, 'responses').value, instructed)
    const messages = [{ role: 'developer', content: 'Be <|end|> brief.\n' }, ...chat.messages]
    assert.deepEqual(direct(instructed, 'responses', 'messages').value, { ...chat, messages })
    assert.deepEqual(through(instructed, 'responses', 'messages').value, { ...chat, messages })
    assert.match(
      convert(JSON.stringify({ input: 'Hi', instructions: 'Brief!' }), { to: 'harmony' }).text,
      /^<\|start\|>developer<\|message\|>[^<]*Brief!<\|end\|><\|start\|>user/,
    )
    const twice = { input: [{ ...responses.input[0], role: 'developer' }], instructions: 'Hi' }
    assert.deepEqual(through(twice, 'responses').value, twice)
    const own = { messages: chat.messages, instructions: 'mine' }
    assert.deepEqual(through(own, 'messages'), { value: own, kinds: [] })
    for (const instructions of [null, '', []]) {
      const odd = { input: responses.input, instructions }
      assert.deepEqual(through(odd, 'responses').value, odd)
    }
    assert.deepEqual(direct({ input: 'Hi', instructions: [1] }, 'responses', 'messages').kinds, ['field'])
  })
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
