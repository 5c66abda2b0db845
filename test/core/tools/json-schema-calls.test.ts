/** Calls of tools that are defined in JSON are judged by their schema as it is written, with all its keywords (D19). */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { analyze, Checker, readConversation, transcriptOfConversation } from '../../../core/src/internal.ts'
import { problemsIn } from '../../rules/check-rules.ts'

/** The errors and warnings of a call of a tool with `parameters`, each with what it marks. */
function judged(parameters: unknown, given: unknown): readonly string[] {
  const tools = JSON.stringify([{ type: 'function', function: { name: 'f', parameters } }])
  const text = `version: 2.2\n<|start|>developer<|message|>${tools}<|end|>\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>${JSON.stringify(given)}<|call|>\n`
  return problemsIn(text)
    .filter(({ code }) => code === 'E-CALL-SCHEMA')
    .map(({ severity, range, message }) => `${severity} «${text.slice(range.start, range.end)}» ${message}`)
}

function withValue(schema: unknown): unknown {
  return { type: 'object', properties: { a: schema } }
}

suite('Calls that fit the schema of their tool', () => {
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    [
      'items of several kinds',
      withValue({ type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } }),
      { a: ['x', 1] },
    ],
    [
      'items that may be null',
      withValue({ type: 'array', items: { type: 'string', nullable: true } }),
      { a: ['x', null] },
    ],
    ['types in a list', withValue({ type: ['string', 'null'] }), { a: null }],
    [
      'an argument of a branch of anyOf',
      {
        type: 'object',
        properties: { a: {} },
        anyOf: [{ properties: { b: {} } }, { properties: { c: {} } }],
      },
      { a: 1, b: 1, c: 1 },
    ],
    [
      'an argument of another branch of anyOf',
      {
        anyOf: [
          { type: 'object', properties: { a: {} } },
          { type: 'object', properties: { b: {} } },
        ],
      },
      { a: 1, b: 1 },
    ],
    [
      'an argument of a branch of allOf',
      { type: 'object', allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { a: 1, b: 1 },
    ],
    [
      'an argument next to $ref',
      {
        $ref: '#/$defs/base',
        properties: { b: {} },
        $defs: { base: { type: 'object', properties: { a: {} } } },
      },
      { a: 1, b: 1 },
    ],
    [
      'an argument of then',
      JSON.parse('{"properties":{"a":{}},"if":{"required":["a"]},"then":{"properties":{"b":{}}}}'),
      { a: 1, b: 1 },
    ],
    [
      'an argument of dependentSchemas',
      { type: 'object', properties: { a: {} }, dependentSchemas: { a: { properties: { b: {} } } } },
      { a: 1, b: 1 },
    ],
    [
      'a name that matches patternProperties',
      {
        type: 'object',
        properties: { a: {} },
        patternProperties: { '^x-': { type: 'integer' } },
        additionalProperties: false,
      },
      { a: 1, 'x-b': 1 },
    ],
    [
      'further arguments that are allowed',
      { type: 'object', properties: { a: {} }, additionalProperties: true },
      { b: 1 },
    ],
    [
      'a deadline',
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      { a: 1, deadline_ms: 5 },
    ],
    ['a remote reference', withValue({ not: { $ref: 'https://example.com/never-fetched.json' } }), { a: 1 }],
    ['an expression that is not regular', withValue({ not: { pattern: '(?=a)b' } }), { a: 'x' }],
    [
      'characters outside the first plane',
      withValue({ type: 'string', minLength: 2, maxLength: 2 }),
      { a: '😀😀' },
    ],
    [
      'a vocabulary of its own',
      { $schema: 'https://example.com/mine', type: 'object', properties: { a: { type: 'string' } } },
      { a: 1 },
    ],
    ['a type that JSON Schema does not have', withValue({ type: 'float' }), { a: 1.5 }],
    ['draft 4 bounds', withValue({ minimum: 1, exclusiveMinimum: true }), { a: 2 }],
    ['a multiple of a fraction', withValue({ multipleOf: 0.1 }), { a: 0.3 }],
    ['a property called id', withValue({ properties: { id: { type: 'string' } } }), { a: { id: 'x' } }],
    [
      'a property called __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      JSON.parse('{"__proto__":"x"}'),
    ],
  ]
  for (const [title, schema, given] of rows) {
    test(title, () => assert.deepEqual(judged(schema, given), []))
  }
})

suite('Calls that do not fit the schema of their tool', () => {
  const rows: readonly (readonly [string, unknown, unknown, readonly string[]])[] = [
    [
      'pattern',
      withValue({ pattern: '^a+$' }),
      { a: 'b' },
      ['error «"b"» `a` must be text that matches the `pattern` of its schema, but is the string `"b"`'],
    ],
    [
      'maximum',
      withValue({ type: 'number', maximum: 3 }),
      { a: 4 },
      ['error «4» `a` must be at most 3, but is the number `4`'],
    ],
    [
      'integer',
      withValue({ type: 'integer' }),
      { a: 4.5 },
      ['error «4.5» `a` must be an integer, but is the number `4.5`'],
    ],
    [
      'not',
      withValue({ not: { type: 'string' } }),
      { a: 'b' },
      ['error «"b"» `a` must be a value that does not match `not` of its schema, but is the string `"b"`'],
    ],
    [
      'oneOf',
      withValue({ oneOf: [{ minimum: 1 }, { minimum: 2 }] }),
      { a: 3 },
      [
        'error «3» `a` must be a value that matches exactly one variant of `oneOf` in its schema, but is the number `3`',
      ],
    ],
    [
      'uniqueItems',
      withValue({ uniqueItems: true }),
      { a: [1, 1] },
      ['error «[1,1]» `a` must be a list without duplicate items, but is an array'],
    ],
    [
      'contains',
      withValue({ contains: { type: 'string' } }),
      { a: [1] },
      ['error «[1]» `a` must be a list with an item that matches `contains` of its schema, but is an array'],
    ],
    [
      'an item',
      withValue({ items: { pattern: '^a' } }),
      { a: ['a', 'b'] },
      ['error «"b"» `a[1]` must be text that matches the `pattern` of its schema, but is the string `"b"`'],
    ],
    [
      'minProperties',
      { type: 'object', minProperties: 1 },
      {},
      [
        'error «{}» The arguments must be a value that `minProperties` of its schema allows, but are an object',
      ],
    ],
    [
      'if and then',
      JSON.parse('{"properties":{"a":{},"b":{}},"if":{"required":["a"]},"then":{"required":["b"]}}'),
      { a: 1 },
      [
        'error «{"a":1}» The arguments must be a value that `required` of its schema allows, but are an object',
      ],
    ],
    [
      'only variants that are no objects',
      { type: 'object', anyOf: [{ type: 'string' }] },
      {},
      ['error «{}» The arguments must be a string, but are an object'],
    ],
    [
      'patternProperties',
      { type: 'object', patternProperties: { '^x-': { type: 'integer' } } },
      { 'x-b': 'y' },
      ['error «"y"» `x-b` must be a value that `type` of its schema allows, but is the string `"y"`'],
    ],
    [
      'a further argument, of which the schema says nothing',
      { type: 'object', properties: { a: {} } },
      { b: 1 },
      ['warning «"b"» `f` does not accept the argument `b`'],
    ],
    [
      'a further argument, which the schema forbids',
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      { b: 1 },
      ['warning «"b"» `f` does not accept the argument `b`'],
    ],
    [
      'the keywords next to $ref',
      { properties: { a: { $ref: '#/$defs/t', maxLength: 2 } }, $defs: { t: { type: 'string' } } },
      { a: 'abc' },
      ['error «"abc"» `a` must be at most 2 characters long, but is the string `"abc"`'],
    ],
    [
      'an anchor',
      { properties: { a: { $ref: '#t' } }, $defs: { t: { $anchor: 't', type: 'string' } } },
      { a: 1 },
      ['error «1» `a` must be a value that `type` of its schema allows, but is the number `1`'],
    ],
    [
      'characters outside the first plane',
      withValue({ minLength: 2 }),
      { a: '😀' },
      ['error «"😀"» `a` must be at least 2 characters long, but is the string `"😀"`'],
    ],
    [
      'a deadline',
      { type: 'object', minProperties: 1 },
      { deadline_ms: 0 },
      [
        'error «{"deadline_ms":0}» The arguments must be a value that `minProperties` of its schema allows, but are an object',
        'error «0» `deadline_ms` must be a positive integer, but is the number `0`',
      ],
    ],
  ]
  for (const [title, schema, given, expected] of rows) {
    test(title, () => assert.deepEqual(judged(schema, given), expected))
  }
})

suite('Calls of the tools of a request', () => {
  /** The errors and warnings of a sample with one call, in either kind of request. */
  function judgedIn(kind: 'messages' | 'responses', parameters: unknown, given: unknown): readonly string[] {
    const call = { name: 'f', arguments: JSON.stringify(given) }
    const request =
      kind === 'messages'
        ? {
            tools: [{ type: 'function', function: { name: 'f', parameters } }],
            messages: [
              {
                role: 'assistant',
                content: null,
                tool_calls: [{ id: 'c1', type: 'function', function: call }],
              },
            ],
          }
        : {
            tools: [{ type: 'function', name: 'f', parameters }],
            input: [{ type: 'function_call', call_id: 'c1', ...call }],
          }
    return (['source', 'header'] as const).flatMap((rest) => {
      const checker = new Checker(
        analyze(transcriptOfConversation(readConversation(JSON.stringify(request), { rest }))),
      )
      checker.advance()
      const { problems } = checker.problems()
      return problems.filter(({ code }) => code === 'E-CALL-SCHEMA').map(({ message }) => message)
    })
  }

  const rows: readonly (readonly [string, unknown, unknown, string | undefined])[] = [
    [
      'a description that looks like an argument',
      withValue({ type: 'string', description: 'Type: string\nRequired: true' }),
      { a: 'x' },
      undefined,
    ],
    [
      'items of several kinds',
      withValue({ type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } }),
      { a: ['x', 1] },
      undefined,
    ],
    [
      'items that may be null',
      withValue({ type: 'array', items: { type: ['string', 'null'] } }),
      { a: [null] },
      undefined,
    ],
    [
      'maximum',
      withValue({ type: 'number', maximum: 3 }),
      { a: 4 },
      '`a` must be at most 3, but is the number `4`',
    ],
    [
      'integer',
      withValue({ type: 'integer' }),
      { a: 4.5 },
      '`a` must be an integer, but is the number `4.5`',
    ],
    [
      'a further argument',
      { type: 'object', properties: { a: {} } },
      { b: 1 },
      '`f` does not accept the argument `b`',
    ],
  ]
  for (const kind of ['messages', 'responses'] as const) {
    for (const [title, schema, given, expected] of rows) {
      test(`${kind}: ${title}`, () => {
        assert.deepEqual(judgedIn(kind, schema, given), expected === undefined ? [] : [expected, expected])
      })
    }
  }
})

suite('Hostile schemas', () => {
  const deadline = 20_000 // milliseconds of the processor; each takes far less, and used to take forever
  const many = <Item>(count: number, make: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => make(index))
  const doubling = {
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      many(60, (it) => [
        `d${it}`,
        { anyOf: [{ $ref: `#/$defs/d${it + 1}` }, { $ref: `#/$defs/d${it + 1}`, not: {} }] },
      ]),
    ),
  }
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    ['an expression that backtracks', withValue({ pattern: '^(a+)+$' }), { a: `${'a'.repeat(50_000)}b` }],
    [
      'a name pattern that backtracks',
      { patternProperties: { '^(a+)+$': {} } },
      { [`${'a'.repeat(50_000)}b`]: 1 },
    ],
    [
      'an expression of many states',
      withValue({ pattern: many(60, () => '(a{30}){30}').join('') }),
      { a: 'a'.repeat(100_000) },
    ],
    ['variants that double', { ...doubling, not: { const: 1 } }, { a: 1 }],
    ['a reference to itself', { $ref: '#', not: { const: 1 } }, { a: 1 }],
    [
      'many equal items',
      withValue({ uniqueItems: true }),
      { a: many(20_000, (it) => ({ x: 'y'.repeat(50), it })) },
    ],
    [
      'many values for many items',
      withValue({ items: { oneOf: [{ enum: many(5000, (it) => `v${it}`) }] } }),
      { a: many(20_000, (it) => `w${it}`) },
    ],
    [
      'a long text in many variants',
      withValue({ oneOf: many(2000, (it) => ({ minLength: it })) }),
      { a: 'x'.repeat(1_000_000) },
    ],
    ['many errors', withValue({ items: { not: {} } }), { a: many(200_000, () => 1) }],
    [
      'many names',
      { patternProperties: { '^a': { patternProperties: { '^b': {} } } } },
      Object.fromEntries(many(5000, (it) => [`a${it}`, { [`b${it}`]: 1 }])),
    ],
    [
      'deep values',
      { properties: {}, additionalProperties: { $ref: '#' }, not: { const: 1 } },
      JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`),
    ],
  ]
  for (const [title, schema, given] of rows) {
    test(title, () => {
      const begun = process.cpuUsage().user
      judged(schema, given)
      assert.ok((process.cpuUsage().user - begun) / 1000 < deadline)
    })
  }
})
