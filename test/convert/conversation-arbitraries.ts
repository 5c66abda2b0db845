/** Conversations of Chat Completions, and transcripts in canonical form. */
import fc from 'fast-check'

const body = fc.oneof(
  fc.constantFrom(
    '',
    'Hello',
    'a <',
    '<|end|>',
    '<<|start|>user<|message|>x',
    '<|literal|>',
    '<|start_reason|>',
    'x\r\ny',
    ' ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const some = body.filter((it) => it !== '')
const alias = fc.constantFrom('Ann', 'Bob-1')
const tool = fc.constantFrom('get_weather', 'search', 'f-1')
const id = fc.integer({ min: 1, max: 99 }).map((it) => `call_x${it}`)

/** A turn of the assistant with the replies to its calls. */
const turn = fc.oneof(
  fc
    .record({
      content: body,
      reasoning: fc.option(some, { nil: undefined }),
      name: fc.option(alias, { nil: undefined }),
    })
    .map(({ content, reasoning, name }) => [
      {
        role: 'assistant',
        ...(name && { name }),
        content: reasoning === undefined ? content : content || 'x',
        ...(reasoning !== undefined && { reasoning_content: reasoning }),
      },
    ]),
  fc
    .record({
      content: fc.option(some, { nil: null }),
      reasoning: fc.option(some, { nil: undefined }),
      calls: fc.uniqueArray(
        fc.record({
          id,
          name: tool,
          input: fc.constantFrom('{}', '{"a":1}', 'no json', '', '*** a <|end|>\n<'),
          isCustom: fc.boolean(),
        }),
        {
          minLength: 1,
          maxLength: 3,
          selector: (it) => it.id,
        },
      ),
      reply: body,
    })
    .map(({ content, reasoning, calls, reply }) => [
      {
        role: 'assistant',
        content,
        ...(reasoning !== undefined && { reasoning_content: reasoning }),
        tool_calls: calls.map(({ id, name, input, isCustom }) =>
          isCustom
            ? { id, type: 'custom', custom: { name, input } }
            : { id, type: 'function', function: { name, arguments: input } },
        ),
      },
      ...calls.map((it) => ({ role: 'tool', tool_call_id: it.id, content: reply })),
    ]),
)

const other = fc
  .record({
    role: fc.constantFrom('system', 'developer', 'user'),
    content: body,
    name: fc.option(alias, { nil: undefined }),
  })
  .map(({ role, content, name }) => [{ role, ...(name && { name }), content }])

const part = fc.oneof(
  body.map((text) => ({ type: 'text', text })),
  fc.constantFrom(
    { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
    { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    { type: 'file', file: { file_id: 'f1' } },
  ),
)
const answerPart = fc.oneof(
  body.map((text) => ({ type: 'text', text })),
  some.map((refusal) => ({ type: 'refusal', refusal })),
)

/** What a transcript alone cannot say: the header keeps it. */
const odd = fc.oneof(
  fc.record({ role: fc.constant('user'), content: fc.array(part, { maxLength: 4 }) }).map((it) => [it]),
  fc
    .record({ role: fc.constantFrom('system', 'developer'), content: fc.array(part, { maxLength: 2 }) })
    .map((it) => [it]),
  fc
    .record({ role: fc.constant('assistant'), content: fc.array(answerPart, { minLength: 1, maxLength: 3 }) })
    .map((it) => [it]),
  fc
    .record({ content: fc.option(body, { nil: null }), refusal: some })
    .map((it) => [{ role: 'assistant', ...it }]),
  fc.constantFrom<Record<string, unknown>[]>(
    [{ role: 'assistant', content: null, audio: { id: 'audio_1' } }],
    [{ role: 'assistant', content: null }],
    [{ role: 'assistant', content: 'x', reasoning_content: 'a', thinking: 'b' }],
    [{ role: 'assistant', content: 'x', reasoning_content: 'a', reasoning: 'a' }],
    [{ role: 'user', content: 'x', tool_call_id: 'odd', weight: 1, name: 'Ann' }],
    [
      { role: 'assistant', content: null, function_call: { name: 'search', arguments: '{}' } },
      { role: 'function', name: 'search', content: '1' },
    ],
    [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ type: 'function', function: { name: 'f', arguments: '' } }],
      },
    ],
    [
      {
        role: 'assistant',
        content: 'y',
        tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'f', input: 'no json' } }],
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c2', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c2', name: 'f', content: 'named' },
      { role: 'tool', tool_call_id: 'c2', name: 'other', content: 'named otherwise' },
      { role: 'tool', tool_call_id: 'nobody', content: 'without a call' },
    ],
    [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c3', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c4', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'assistant', content: null, reasoning_content: 'r' },
      { role: 'assistant', content: 'z' },
      { role: 'assistant', content: 'z' },
    ],
  ),
)

const definition = fc.oneof(
  fc.record({ name: tool, description: body, strict: fc.boolean() }).map(({ strict, ...rest }) => ({
    type: 'function',
    function: {
      ...rest,
      strict,
      parameters: { type: 'object', properties: { a: { type: 'string', enum: ['<|end|>', 'b'] } } },
    },
  })),
  fc
    .record({
      name: tool,
      description: body,
      format: fc.constantFrom(
        undefined,
        { type: 'text' },
        { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: /.*/' } },
      ),
    })
    .map(({ format, ...rest }) => ({ type: 'custom', custom: { ...rest, ...(format && { format }) } })),
)
const tools = fc.array(definition, { minLength: 1, maxLength: 2 })
const choice = fc.constantFrom(
  'auto',
  { type: 'function', function: { name: 'search' } },
  { type: 'custom', custom: { name: 'search' } },
  {
    type: 'allowed_tools',
    allowed_tools: {
      mode: 'required',
      tools: [
        { type: 'function', function: { name: 'search' } },
        { type: 'custom', custom: { name: 'f-1' } },
      ],
    },
  },
)

/** A request with everything that Chat Completions can say and a transcript can hold. */
export const chatRequest = fc
  .record({
    model: fc.option(fc.constantFrom('gpt-oss-20b', 'a: b # c'), { nil: undefined }),
    temperature: fc.option(fc.constantFrom(0, 0.7), { nil: undefined }),
    tools: fc.option(tools, { nil: undefined }),
    tool_choice: fc.option(choice, { nil: undefined }),
    turns: fc.array(fc.oneof(turn, other, odd), { maxLength: 5 }),
    reasoningField: fc.constantFrom('reasoning_content', 'reasoning', 'thinking'),
  })
  .map(({ turns, reasoningField, ...rest }) => {
    const seen = new Set<string>()
    let next = 0
    const json = JSON.stringify(turns.flat()).replaceAll('"reasoning_content":', `"${reasoningField}":`)
    const messages = JSON.parse(json) as Record<string, unknown>[]
    return {
      ...JSON.parse(JSON.stringify(rest)),
      messages: withUniqueIds(messages, seen, () => `call_y${++next}`),
    }
  })

/** The same id must not be used in two turns. */
function withUniqueIds(messages: Record<string, unknown>[], seen: Set<string>, newId: () => string) {
  let renamed = new Map<string, string>()
  for (const message of messages) {
    const calls = message.tool_calls as { id?: string }[] | undefined
    if (calls) {
      renamed = new Map()
      for (const call of calls) {
        if (!call.id) continue
        const unique = seen.has(call.id) ? newId() : call.id
        renamed.set(call.id, unique)
        seen.add(unique)
        call.id = unique
      }
    }
    const reply = message.tool_call_id
    if (typeof reply === 'string') message.tool_call_id = renamed.get(reply) ?? reply
  }
  return messages
}
