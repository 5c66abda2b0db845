/** Requests of Chat Completions and Responses: tools, their calls and the choice among them, each in its own shape. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convert, parseToJson, type SourceForm, type TargetForm } from '../../core/src/internal.ts'
import { through } from './through.ts'

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
