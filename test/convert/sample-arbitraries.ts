/** One well-formed sample of each form: the same conversation, as each form writes it. */
import type { JsonValue, SourceForm } from '../../core/src/internal.ts'

/** The words of a conversation. */
export interface Words {
  readonly system: string
  readonly question: string
  readonly thought: string
  readonly city: string
  readonly observed: string
  readonly answer: string
  readonly worse: string
}

/** Words that differ by `seed`. */
export function wordsOf(seed: number): Words {
  return {
    system: `Answer in ${1 + (seed % 5)} sentences.`,
    question: `How warm is it in place ${seed}?`,
    thought: `CANARY-${seed}: the tool knows.`,
    city: `place ${seed}`,
    observed: `${seed % 40} degrees`,
    answer: `It is ${seed % 40} degrees there.`,
    // Sometimes longer than the better answer.
    worse: `I won't say (${seed})${seed % 2 === 0 ? '' : `, because a place like number ${seed} is none that I know anything about, whatever others tell you`}.`,
  }
}

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tool = { name: 'weather', description: 'Tells how warm it is', parameters }
const openAiTool = { type: 'function', function: tool }

/** A sample: a JSON value, or the text of a form that is none. */
export type FormSample = readonly [form: SourceForm, sample: object | string]

/** The text of a file with `sample` alone. */
export function textOfSample(sample: object | string): string {
  return typeof sample === 'string' ? sample : JSON.stringify(sample)
}

/** Samples that are JSON values, by the name of their form. */
export function jsonSamplesOf(words: Words): readonly (readonly [form: SourceForm, sample: JsonValue])[] {
  return samplesOf(words).flatMap(([form, sample]) =>
    typeof sample === 'string' ? [] : [[form, JSON.parse(JSON.stringify(sample)) as JsonValue] as const],
  )
}

/** Samples by the name of their form; some forms have several shapes. */
export function samplesOf(it: Words): readonly FormSample[] {
  const { system, question, thought, city, observed, answer, worse } = it
  const args = { city }
  const thinking = `<think>\n${thought}\n</think>\n\n`
  const user = { role: 'user', content: question }
  const assistant = { role: 'assistant', content: answer }
  const calling = {
    role: 'assistant',
    content: null,
    reasoning_content: thought,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'weather', arguments: JSON.stringify(args) } },
    ],
  }
  const replying = { role: 'tool', tool_call_id: 'c1', content: observed }
  return [
    [
      'messages',
      {
        messages: [{ role: 'system', content: system }, user, calling, replying, assistant],
        tools: [openAiTool],
      },
    ],
    [
      'messages',
      { messages: [user, { role: 'assistant', content: thinking + answer, weight: 1 }], source: 'web' },
    ],
    [
      'sharegpt',
      {
        id: city,
        system,
        tools: JSON.stringify([tool]),
        conversations: [
          { from: 'human', value: question },
          {
            from: 'function_call',
            value: `${thinking}<tool_call>\n${JSON.stringify({ name: 'weather', arguments: args })}\n</tool_call>`,
          },
          { from: 'observation', value: observed },
          { from: 'gpt', value: answer },
        ],
      },
    ],
    [
      'messages',
      {
        modelId: 'm',
        system: [{ text: system }, { cachePoint: { type: 'default' } }],
        toolConfig: {
          tools: [
            {
              toolSpec: {
                name: 'weather',
                description: 'Tells how warm it is',
                inputSchema: { json: parameters },
              },
            },
            { cachePoint: { type: 'default' } },
          ],
        },
        messages: [
          { role: 'user', content: [{ text: question }] },
          {
            role: 'assistant',
            content: [
              { reasoningContent: { reasoningText: { text: thought, signature: 'c2ln' } } },
              { toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: args } },
            ],
          },
          {
            role: 'user',
            content: [
              { toolResult: { toolUseId: 'tooluse_1', content: [{ text: observed }], status: 'success' } },
            ],
          },
          { role: 'assistant', content: [{ text: answer }] },
        ],
      },
    ],
    ['alpaca', { instruction: question, input: '', output: thinking + answer, history: [] }],
    ['prompt-completion', { prompt: question, completion: thinking + answer }],
    ['prompt-completion', { question, answer }],
    ['prompt-completion', { prompt: [user], completion: [{ ...assistant, thinking: thought }], label: true }],
    ['preference', { prompt: question, chosen: thinking + answer, rejected: worse }],
    ['preference', { chosen: [user, assistant], rejected: [user, { role: 'assistant', content: worse }] }],
    [
      'openai-dpo',
      {
        input: { messages: [user], tools: [] },
        preferred_output: [assistant],
        non_preferred_output: [{ role: 'assistant', content: worse }],
      },
    ],
    ['stepwise', { prompt: question, completions: ['First look.', answer], labels: [true, true] }],
    [
      'anthropic',
      {
        model: 'm',
        system,
        tools: [{ name: 'weather', description: 'Tells how warm it is', input_schema: parameters }],
        messages: [
          user,
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: thought, signature: 'c2ln' },
              { type: 'tool_use', id: 'toolu_1', name: 'weather', input: args },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: observed }] },
          { role: 'assistant', content: [{ type: 'text', text: answer }] },
        ],
      },
    ],
    [
      'xlam',
      {
        query: question,
        answers: JSON.stringify([{ name: 'weather', arguments: args }]),
        tools: JSON.stringify([openAiTool]),
      },
    ],
    [
      'gemini',
      {
        systemInstruction: { parts: [{ text: system }] },
        tools: [{ functionDeclarations: [tool] }],
        contents: [
          { role: 'user', parts: [{ text: question }] },
          {
            role: 'model',
            parts: [{ text: thought, thought: true }, { functionCall: { name: 'weather', args } }],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { observed } } }] },
          { role: 'model', parts: [{ text: answer }] },
        ],
      },
    ],
    [
      'otel',
      {
        'gen_ai.system_instructions': [{ type: 'text', content: system }],
        'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: question }] }],
        'gen_ai.output.messages': [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', content: thought },
              { type: 'text', content: answer },
            ],
          },
        ],
      },
    ],
    [
      'inspect',
      {
        id: city,
        input: question,
        target: answer,
        messages: [
          user,
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', reasoning: thought },
              { type: 'text', text: answer },
            ],
          },
        ],
        output: { model: 'm', choices: [], completion: answer },
      },
    ],
    [
      'atif',
      {
        schema_version: 'ATIF-v1.5',
        agent: { name: 'a', version: '1', tool_definitions: [openAiTool] },
        steps: [
          { step_id: 1, source: 'user', message: question },
          {
            step_id: 2,
            source: 'agent',
            message: '',
            reasoning_content: thought,
            tool_calls: [{ tool_call_id: 'c1', function_name: 'weather', arguments: args }],
            observation: { results: [{ source_call_id: 'c1', content: observed }] },
          },
          { step_id: 3, source: 'agent', message: answer },
        ],
      },
    ],
    [
      'responses',
      {
        input: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] },
          { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: thought }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
        ],
      },
    ],
    [
      'responses',
      {
        input: [
          { role: 'user', content: question },
          { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: thought }] },
          {
            type: 'message',
            role: 'assistant',
            phase: 'commentary',
            content: [{ type: 'output_text', text: `I look at ${city}.` }],
          },
          {
            type: 'local_shell_call',
            id: 'lsh_1',
            call_id: 'call_1',
            status: 'completed',
            action: { type: 'exec', command: ['weather', city], env: {} },
          },
          { type: 'local_shell_call_output', call_id: 'call_1', output: observed },
          {
            type: 'message',
            role: 'assistant',
            phase: 'final_answer',
            content: [{ type: 'output_text', text: answer }],
          },
        ],
      },
    ],
    [
      'messages',
      {
        custom_id: city,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'm', messages: [user, assistant] },
      },
    ],
    [
      'json',
      {
        header: { version: 2.2 },
        messages: [
          { role: 'user', content: question },
          { role: 'assistant', channel: 'analysis', content: thought },
          { role: 'assistant', channel: 'final', content: answer, terminator: '<|return|>' },
        ],
      },
    ],
    [
      'harmony-json',
      {
        messages: [
          { role: 'user', content: [{ type: 'text', text: question }] },
          { role: 'assistant', channel: 'analysis', content: [{ type: 'text', text: thought }] },
          { role: 'assistant', channel: 'final', content: [{ type: 'text', text: answer }] },
        ],
      },
    ],
    ['ocm', `version: 2.2\n${inTokens([question, thought, answer])}`],
    ['harmony', inTokens([question, thought, answer]).replaceAll(/(?<=\|>)\n/g, '')],
    [
      'text',
      `<|begin_of_text|>${[
        ['system', system],
        ['user', question],
        ['assistant', thinking + answer],
      ]
        .map(([role, said]) => `<|start_header_id|>${role}<|end_header_id|>\n\n${said}<|eot_id|>`)
        .join('')}`,
    ],
    [
      'claude-code',
      [
        { type: 'summary', summary: city, leafUuid: '4' },
        { type: 'user', uuid: '1', parentUuid: null, message: user },
        ...[
          { type: 'thinking', thinking: thought, signature: 'c2ln' },
          { type: 'text', text: answer },
        ].map((part, nth) => ({
          type: 'assistant',
          uuid: String(nth + 2),
          parentUuid: String(nth + 1),
          message: { id: 'm1', role: 'assistant', content: [part] },
        })),
      ],
    ],
    [
      'codex',
      [
        { type: 'session_meta', payload: { id: city, base_instructions: { text: system } } },
        ...[
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] },
          { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: thought }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
        ].map((payload) => ({ type: 'response_item', payload })),
      ],
    ],
    [
      'pi',
      [
        { type: 'session', version: 3, id: city, cwd: '/' },
        { type: 'message', id: '1', parentId: null, message: user },
        {
          type: 'message',
          id: '2',
          parentId: '1',
          message: {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: thought },
              { type: 'text', text: answer },
            ],
          },
        },
      ],
    ],
  ]
}

function inTokens([question, thought, answer]: readonly string[]): string {
  return [
    `<|start|>user<|message|>${question}<|end|>`,
    `<|start|>assistant<|channel|>analysis<|message|>${thought}<|end|>`,
    `<|start|>assistant<|channel|>final<|message|>${answer}<|return|>`,
    '',
  ].join('\n')
}
