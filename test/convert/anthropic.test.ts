/** Anthropic's Messages API. */
import { test } from 'node:test'
import { checkRead } from './reading.ts'

test('thinking, uses of tools, results, and the system prompt', () => {
  checkRead(
    {
      model: 'claude-x',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be exact.', cache_control: { type: 'ephemeral' } }],
      tools: [
        {
          name: 'get_time',
          description: 'Tells the time',
          input_schema: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
        },
      ],
      messages: [
        { role: 'user', content: 'What time is it in Oslo?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Ask the tool.', signature: 'c2ln' },
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'toolu_1', name: 'get_time', input: { zone: 'Europe/Oslo' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '12:00' }] },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Noon.' }] },
      ],
    },
    'anthropic',
    [
      'system: Be exact.',
      'developer: # Tools\n\n## functions\n\nnamespace functions {\n\n// Tells the time\ntype get_time = (_: {\nzone: string,\n}) => any;\n\n} // namespace functions',
      'user: What time is it in Oslo?',
      'assistant/analysis: Ask the tool.',
      'assistant/preamble: Let me look.',
      'call functions.get_time#toolu_1: {"zone":"Europe/Oslo"}',
      'reply functions.get_time#toolu_1: 12:00',
      'assistant: Noon.',
    ],
  )
})

test('what has no words is reported, media is not', () => {
  checkRead(
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'x' } },
            { type: 'text', text: 'See' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: 'xx' },
            { type: 'text', text: 'Yes' },
          ],
        },
      ],
    },
    'anthropic',
    ['user: See', 'assistant: Yes'],
    ['content-part'],
  )
})

test('server tools', () => {
  checkRead(
    {
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: 's1',
              content: [{ type: 'web_search_result', url: 'u' }],
            },
            { type: 'text', text: 'Found.' },
          ],
        },
      ],
    },
    'anthropic',
    [
      'call functions.web_search#s1: {"query":"x"}',
      'reply functions.web_search#s1: [{"type":"web_search_result","url":"u"}]',
      'assistant: Found.',
    ],
  )
})

test('an answer of the API', () => {
  checkRead(
    {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
    },
    'anthropic',
    ['assistant: Hi'],
  )
})
