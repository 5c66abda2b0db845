/** ShareGPT, as datasets on the Hub write it. */
import { test } from 'node:test'
import { checkRead } from './reading.ts'

test('messages with from and value, a system prompt beside them, side fields', () => {
  checkRead(
    {
      id: 'a1',
      system: 'Be kind.',
      conversations: [
        { from: 'human', value: 'Hi' },
        { from: 'gpt', value: 'Hello', weight: 1 },
      ],
      source: 'web',
    },
    'sharegpt',
    ['system: Be kind.', 'user: Hi', 'assistant: Hello'],
  )
})

test('calls and observations, with tools as JSON in a string', () => {
  checkRead(
    {
      conversations: [
        { from: 'human', value: 'Weather in Rome?' },
        { from: 'function_call', value: '{"name": "weather", "arguments": {"city": "Rome"}}' },
        { from: 'observation', value: '{"degrees": 21}' },
        { from: 'gpt', value: 'It is 21 degrees.' },
      ],
      tools:
        '[{"name": "weather", "description": "Tells the weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]',
    },
    'sharegpt',
    [
      'developer: # Tools\n\n## functions\n\nnamespace functions {\n\n// Tells the weather\ntype weather = (_: {\ncity?: string,\n}) => any;\n\n} // namespace functions',
      'user: Weather in Rome?',
      'call functions.weather: {"city":"Rome"}',
      'reply functions.weather: {"degrees": 21}',
      'assistant: It is 21 degrees.',
    ],
  )
})

test('reasoning and calls as markup', () => {
  checkRead(
    {
      conversations: [
        { from: 'human', value: 'Add 2 and 3' },
        {
          from: 'gpt',
          value:
            '<think>\nUse the tool.\n</think>\n\nOne moment.\n<tool_call>\n{"name": "add", "arguments": {"a": 2, "b": 3}}\n</tool_call>',
        },
        { from: 'tool', value: '<tool_response>\n{"name": "add", "content": 5}\n</tool_response>' },
        { from: 'gpt', value: '<think>\n\n</think>\n\nFive.' },
      ],
    },
    'sharegpt',
    [
      'user: Add 2 and 3',
      'assistant/analysis: Use the tool.',
      'assistant/preamble: One moment.',
      'call functions.add: {"a":2,"b":3}',
      'reply functions.add: {"name": "add", "content": 5}',
      'assistant: Five.',
    ],
  )
})

test('pairs of human and assistant, and lists as JSON in a string', () => {
  checkRead({ conversation: [{ human: 'Hi', assistant: 'Hello' }] }, 'sharegpt', [
    'user: Hi',
    'assistant: Hello',
  ])
  checkRead({ conversations: '[{"from": "user", "value": "Hi"}]' }, 'sharegpt', ['user: Hi'])
})

test('an unknown role is reported and kept', () => {
  checkRead(
    { conversations: [{ from: 'narrator', value: 'Once' }] },
    'sharegpt',
    ['narrator: Once'],
    ['role'],
  )
})
