/** Conversations of Harmony, in the JSON of its library. */
import fc from 'fast-check'

/** Text without lone surrogates: it has to become UTF-8. */
export const bodyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    'Hello',
    'Two\nlines',
    '{"a":1}',
    ' spaced ',
    '# Tools\n',
    '日本語 😀',
    "it's",
    '1234567',
    '<',
    'a < b',
    '\r\n',
    '\ufeffusing',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)

/** A word as headers have them. */
export const headerWord = fc.constantFrom(
  'functions.f',
  'functions.get_weather',
  'browser.search',
  'python',
  'f',
  'x1',
)

const channel = fc.constantFrom('analysis', 'commentary', 'final', 'other')
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })
const line = fc.constantFrom(
  '',
  'A line.',
  'Two\nlines',
  'With "quotes"',
  'null',
  'trailing\n',
  'blank\n\nline',
  'bare\r',
  'bare\rcr\r\n\r',
  'é',
)
const scalar = fc.constantFrom<unknown>(
  'a',
  'b',
  '',
  1,
  2.5,
  1e21,
  1e-6,
  -1e-7,
  1.5e300,
  123456789012345680000,
  true,
  false,
  null,
  [1, 'x'],
  { k: 1 },
)

/** A JSON Schema, sensible or not. */
export const schema: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown; object: unknown; any: unknown }>(
  (tie) => ({
    schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('any'), tie('object')),
    any: fc.oneof(
      fc.constantFrom<unknown>(
        {},
        { $ref: '#/x' },
        { const: 1 },
        { type: 'null' },
        { type: [] },
        { anyOf: [{ type: 'string' }] },
      ),
      annotated(
        fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'null') }),
      ),
      annotated(
        fc.record({
          type: fc.constant('string'),
          enum: fc.array(fc.constantFrom<unknown>('a', 'b"c', 1, 'null'), { maxLength: 3 }),
        }),
      ),
      annotated(
        fc.record({
          type: fc.array(fc.constantFrom('string', 'integer', 'null', 'object'), { maxLength: 3 }),
        }),
      ),
      annotated(fc.record({ type: fc.constant('array'), items: tie('schema') })),
      annotated(
        fc.record({
          oneOf: fc.oneof(fc.array(tie('schema'), { maxLength: 3 }), fc.constant('x' as unknown)),
        }),
      ),
    ),
    object: annotated(
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc
            .uniqueArray(fc.tuple(fc.constantFrom('a', 'b_c', 'd-e', 'name', 'x y'), tie('schema')), {
              maxLength: 4,
              selector: ([key]) => key,
            })
            .map((entries) => Object.fromEntries(entries)),
          required: fc.subarray(['a', 'b_c', 'name']),
        },
        { requiredKeys: ['type'] },
      ),
    ),
  }),
).object

function annotated(base: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc
    .tuple(
      base,
      fc.record(
        {
          description: line,
          title: fc.constantFrom('T', 'A title'),
          default: scalar,
          nullable: fc.boolean(),
          examples: fc.array(fc.constantFrom<unknown>('x', 'y z', 1), { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([own, more]) => ({ ...own, ...more }))
}

const tool = fc.record({
  name: fc.constantFrom('f', 'get_weather'),
  description: line,
  parameters: optional(schema),
})
const namespace = fc.record({ description: optional(line), tools: fc.array(tool, { maxLength: 3 }) })

const tools = fc
  .uniqueArray(fc.tuple(fc.constantFrom('functions', 'browser', 'zeta', 'Alpha', 'é'), namespace), {
    maxLength: 3,
    selector: ([key]) => key,
  })
  .map((entries) => Object.fromEntries(entries.map(([name, rest]) => [name, { name, ...rest }])))

const systemContent = fc.record(
  {
    type: fc.constant('system_content'),
    model_identity: line,
    reasoning_effort: fc.constantFrom('Low', 'Medium', 'High'),
    conversation_start_date: fc.constant('2025-08-08'),
    knowledge_cutoff: fc.constant('2024-06'),
    channel_config: fc.record({
      valid_channels: fc.subarray(['analysis', 'commentary', 'final']),
      channel_required: fc.boolean(),
    }),
    tools,
  },
  { requiredKeys: ['type'] },
)

const developerContent = fc.record(
  { type: fc.constant('developer_content'), instructions: line, tools },
  { requiredKeys: ['type'] },
)

const text = bodyText.map((it) => ({ type: 'text', text: it }))

/** Any conversation that the reference renders. */
export const harmonyConversation = fc
  .array(
    fc.oneof(
      {
        weight: 1,
        arbitrary: fc.record({
          role: fc.constant('system'),
          content: fc.array(fc.oneof(systemContent, text), { minLength: 1, maxLength: 2 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          role: fc.constant('developer'),
          content: fc.array(fc.oneof(developerContent, text), { minLength: 1, maxLength: 2 }),
        }),
      },
      {
        weight: 6,
        arbitrary: fc
          .record(
            {
              role: fc.constantFrom('user', 'assistant', 'assistant', 'tool'),
              name: fc.constantFrom('functions.f', 'ann'),
              content: fc.array(text, { minLength: 1, maxLength: 2 }),
              channel,
              recipient: fc.oneof(headerWord, fc.constantFrom('all', 'assistant')),
              content_type: fc.constantFrom('<|constrain|>json', 'json', '<|constrain|> json'),
            },
            { requiredKeys: ['role', 'content'] },
          )
          .map((it) => (it.role === 'tool' && !it.name ? { ...it, name: 'functions.f' } : it)),
      },
    ),
    { maxLength: 8 },
  )
  .map((messages) => ({ messages }))

/** A conversation whose text parses back to itself (HARMONY P21). */
export const parseableText = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom('system', 'developer', 'user'), bodyText)
        .map(([role, body]) => `<|start|>${role}<|message|>${body}<|end|>`),
      fc
        .tuple(fc.constantFrom('analysis', 'commentary', 'final'), bodyText)
        .map(([it, body]) => `<|start|>assistant<|channel|>${it}<|message|>${body}<|end|>`),
      fc
        .tuple(headerWord, fc.constantFrom('', ' <|constrain|>json', ' json'), bodyText)
        .map(
          ([to, type, body]) =>
            `<|start|>assistant to=${to}<|channel|>commentary${type}<|message|>${body}<|call|>`,
        ),
      fc
        .tuple(headerWord, bodyText)
        .map(([name, body]) => `<|start|>${name} to=assistant<|channel|>commentary<|message|>${body}<|end|>`),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

const pieces = [
  '<|start|>',
  '<|end|>',
  '<|call|>',
  '<|return|>',
  '<|message|>',
  '<|channel|>',
  '<|constrain|>',
  'user',
  'assistant',
  'tool',
  'foo',
  'functions.f',
  ' to=functions.f',
  'to=x',
  ' ',
  '\n',
  'final',
  'analysis',
  ' json',
  'json',
  ' a b',
  'Hello',
  '<',
  '<|start|>user<|message|>Hi<|end|>',
  '<|start|>assistant',
  '<|channel|>final',
  '\u00a0',
  '\u000b',
  '<|channel|>commentary to=f <|constrain|>json<|message|>',
]

/** Pieces of Harmony in any order. */
export const harmonySoup = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((it) => it.join(''))
