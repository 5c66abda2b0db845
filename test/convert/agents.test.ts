/** Forms of agents and their tools: xLAM, Gemini, OpenTelemetry, Inspect, ATIF. */
import { test } from 'node:test'
import { checkRead } from './reading.ts'

test('xLAM', () => {
  checkRead(
    {
      id: 1,
      query: 'Weather in Rome and Oslo?',
      answers:
        '[{"name": "weather", "arguments": {"city": "Rome"}}, {"name": "weather", "arguments": {"city": "Oslo"}}]',
      tools:
        '[{"name": "weather", "description": "W", "parameters": {"city": {"type": "str", "description": "C", "default": "Rome"}}}]',
    },
    'xlam',
    [
      'developer: # Tools\n\n## functions\n\nnamespace functions {\n\n// W\ntype weather = (_: {\n// C\ncity?: any, // default: "Rome"\n}) => any;\n\n} // namespace functions',
      'user: Weather in Rome and Oslo?',
      'call functions.weather: {"city":"Rome"}',
      'call functions.weather: {"city":"Oslo"}',
    ],
  )
  checkRead(
    { query: 'Q', answers: 'None of them' },
    'xlam',
    ['user: Q', 'assistant/analysis: None of them'],
    ['unreadable'],
  )
})

test('Gemini', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Weather?' }, { inlineData: { mimeType: 'image/png', data: 'AA' } }] },
    {
      role: 'model',
      parts: [
        { text: 'Look it up.', thought: true },
        { functionCall: { name: 'weather', args: { city: 'Rome' } } },
      ],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { degrees: 21 } } }] },
    { role: 'model', parts: [{ text: 'It is ' }, { text: '21.' }] },
  ]
  const lines = [
    'system: Brief.',
    'user: Weather?',
    'assistant/analysis: Look it up.',
    'call functions.weather: {"city":"Rome"}',
    'reply functions.weather: {"degrees":21}',
    'assistant: It is 21.',
  ]
  checkRead({ systemInstruction: { parts: [{ text: 'Brief.' }] }, contents }, 'gemini', lines)
  checkRead(
    { system_instruction: { role: 'system', parts: [{ text: 'Brief.' }] }, contents },
    'gemini',
    lines,
  )
  checkRead(
    {
      contents: [
        {
          parts: [
            { executable_code: { language: 'PYTHON', code: '1+1' } },
            { code_execution_result: { outcome: 'OK', output: '2' } },
          ],
        },
      ],
    },
    'gemini',
    ['call python: 1+1', 'reply python: 2'],
  )
})

test('OpenTelemetry', () => {
  checkRead(
    {
      name: 'chat m',
      attributes: {
        'gen_ai.system_instructions': '[{"type": "text", "content": "Brief."}]',
        'gen_ai.input.messages': [
          { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Rome' } }],
          },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'mild' }] },
        ],
        'gen_ai.output.messages': [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', content: 'Mild.' },
              { type: 'text', content: 'Mild!' },
            ],
            finish_reason: 'stop',
          },
        ],
      },
    },
    'otel',
    [
      'system: Brief.',
      'user: Weather?',
      'call functions.weather#c1: {"city":"Rome"}',
      'reply functions.weather#c1: mild',
      'assistant/analysis: Mild.',
      'assistant: Mild!',
    ],
  )
})

test('Inspect', () => {
  checkRead(
    {
      id: 's1',
      input: 'Weather?',
      target: 'mild',
      messages: [
        { id: 'a', role: 'user', content: 'Weather?', source: 'input' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', reasoning: 'Ask.', signature: 's' },
            { type: 'text', text: '' },
          ],
          tool_calls: [{ id: 'c1', function: 'weather', arguments: { city: 'Rome' }, type: 'function' }],
        },
        { role: 'tool', content: 'mild', tool_call_id: 'c1', function: 'weather' },
        { role: 'assistant', content: 'Mild.' },
      ],
      output: { model: 'm', choices: [], completion: 'Mild.' },
    },
    'inspect',
    [
      'user: Weather?',
      'assistant/analysis: Ask.',
      'call functions.weather#c1: {"city":"Rome"}',
      'reply functions.weather#c1: mild',
      'assistant: Mild.',
    ],
  )
  checkRead({ input: 'Q', target: 'T', choices: ['T', 'U'] }, 'inspect', ['user: Q'])
})

test('ATIF', () => {
  checkRead(
    {
      schema_version: 'ATIF-v1.5',
      session_id: 's',
      agent: { name: 'a', version: '1', tool_definitions: [] },
      steps: [
        { step_id: 1, source: 'user', message: 'Weather?' },
        {
          step_id: 2,
          source: 'agent',
          message: 'Let me see.',
          reasoning_content: 'Ask.',
          tool_calls: [{ tool_call_id: 'c1', function_name: 'weather', arguments: { city: 'Rome' } }],
          observation: { results: [{ source_call_id: 'c1', content: 'mild' }] },
        },
        { step_id: 3, source: 'agent', message: 'Mild.' },
      ],
    },
    'atif',
    [
      'user: Weather?',
      'assistant/analysis: Ask.',
      'assistant/preamble: Let me see.',
      'call functions.weather#c1: {"city":"Rome"}',
      'reply functions.weather#c1: mild',
      'assistant: Mild.',
    ],
  )
})
