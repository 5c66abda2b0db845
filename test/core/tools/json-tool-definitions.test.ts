/** Tools as JSON objects, in all their shapes, become schemas; what is wrong in them is reported where it stands. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { functionListDeclarations, toolDeclarations } from '../../../core/src/embedded/tool-definitions.ts'
import { declared, duplicatesIn, shownParameters } from './declared.ts'

suite('Tools as JSON objects', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
  const rows: readonly (readonly [string, unknown])[] = [
    ['Chat Completions', [{ type: 'function', function: { name: 'f', description: 'Says.', parameters } }]],
    ['one of them', { type: 'function', function: { name: 'f', description: 'Says.', parameters } }],
    ['Responses', [{ type: 'function', name: 'f', description: 'Says.', parameters }]],
    ['a bare function', { name: 'f', description: 'Says.', parameters }],
    ['with input_schema', { name: 'f', description: 'Says.', input_schema: parameters }],
    [
      'a request with tools',
      { tools: [{ type: 'function', function: { name: 'f', description: 'Says.', parameters } }] },
    ],
    ['functions', { functions: [{ name: 'f', description: 'Says.', parameters }] }],
  ]
  for (const [title, value] of rows) {
    for (const space of [0, 2]) {
      test(`${title}, ${space === 0 ? 'on one line' : 'laid out'}, between prose`, () => {
        const text = `Use these:\n\n\`\`\`json\n${JSON.stringify(value, undefined, space)}\n\`\`\`\n\nThank you {really}.`
        const { definitions, namespaces, problems } = declared(text)
        assert.deepEqual(problems, [])
        assert.deepEqual(
          namespaces.map(({ name }) => name),
          ['functions'],
        )
        assert.deepEqual(
          definitions.map((it) => [it.name, it.description]),
          [['f', 'Says.']],
        )
        const { nameRange } = definitions[0]!
        assert.equal(text.slice(nameRange.start, nameRange.end), 'f')
        assert.deepEqual(shownParameters(definitions[0]!), parameters)
      })
    }
  }

  test('an OpenAPI document', () => {
    const document = {
      openapi: '3.1.0',
      paths: {
        '/orders/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          put: {
            operationId: 'change_order',
            summary: 'Changes it.',
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
            },
          },
          get: { operationId: 'get_order', description: 'Gets it.' },
        },
      },
      components: {
        schemas: {
          Order: { type: 'object', properties: { size: { enum: ['s', 'l'] } }, required: ['size'] },
        },
      },
    }
    const { definitions, problems } = declared(JSON.stringify(document, undefined, 2))
    assert.deepEqual(problems, [])
    assert.deepEqual(
      definitions.map((it) => [it.name, it.description]),
      [
        ['change_order', 'Changes it.'],
        ['get_order', 'Gets it.'],
      ],
    )
    assert.deepEqual(shownParameters(definitions[1]!), {
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
    })
    assert.deepEqual(shownParameters(definitions[0]!), {
      allOf: [
        { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        { type: 'object', properties: { size: { enum: ['s', 'l'] } }, required: ['size'] },
      ],
    })
  })

  test('a call is no definition, and other roles define nothing by JSON', () => {
    assert.equal(toolDeclarations('{"name": "f", "parameters": {"a": 1}}', { isDeveloper: true }), undefined)
    const tool = JSON.stringify({ type: 'function', function: { name: 'f', parameters } })
    assert.equal(toolDeclarations(tool, { isDeveloper: false }), undefined)
  })

  test('a bare function is known by any schema', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    for (const tool of [
      { name: 'f', inputSchema: schema },
      { name: 'f', input_schema: schema },
      { name: 'f', parameters: { allOf: [schema] } },
      { name: 'f', parameters: { oneOf: [schema] } },
      { name: 'f', parameters: { $ref: '#/$defs/f' }, $defs: { f: schema } },
    ]) {
      const { definitions } = declared(JSON.stringify(tool))
      assert.match(JSON.stringify(definitions.map(shownParameters)), /"required":\["a"\]/)
    }
  })

  test('what keywords that are not checked may allow is allowed', () => {
    const furtherOf = (extra: object) => {
      const { definitions } = declared(
        JSON.stringify({ name: 'f', parameters: { type: 'object', ...extra } }),
      )
      const { additionalProperties: further } = shownParameters(definitions[0]!) as Record<string, unknown>
      return further
    }
    const properties = { a: { enum: [] } }
    assert.equal(furtherOf({ properties }), undefined)
    assert.equal(furtherOf({ properties, patternProperties: {}, additionalProperties: false }), true)
    assert.equal(furtherOf({ patternProperties: {}, additionalProperties: false }), true)
    assert.equal(furtherOf({ properties, else: { properties: { b: {} } } }), true)
    assert.equal(furtherOf({ properties, else: {}, additionalProperties: false }), false)
    const { definitions } = declared(
      JSON.stringify({ name: 'f', parameters: { type: 'object', properties } }),
    )
    assert.deepEqual(shownParameters(definitions[0]!), { type: 'object', properties: { a: {} } })
  })

  test('references stay inside, and circles end', () => {
    const text = JSON.stringify({
      name: 'f',
      parameters: {
        type: 'object',
        properties: {
          tree: { $ref: '#/$defs/Tree' },
          web: { $ref: 'https://example.com/schema.json' },
          self: { $ref: '#/properties/self' },
        },
        $defs: {
          Tree: {
            type: 'object',
            properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
          },
        },
      },
    })
    const { definitions, problems } = declared(text)
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['dead-reference'],
    )
    assert.match(JSON.stringify(shownParameters(definitions[0]!)), /"children"/)
  })

  test('keywords with a value of the wrong kind are reported where it stands', () => {
    const text =
      '{"name": "f", "parameters": {"type": "object", "properties": {"a": 5, "b": {"enum": "x", "anyOf": {}}, "c": true}, "required": "a"}}'
    const { problems } = declared(text)
    assert.deepEqual(
      problems.map(({ kind, range }) => [kind, text.slice(range.start, range.end)]),
      [
        ['wrong-shape', '5'],
        ['wrong-shape', '"x"'],
        ['wrong-shape', '{}'],
        ['wrong-shape', '"a"'],
      ],
    )
  })

  test('a mistake in the JSON is reported, and the tool is known', () => {
    const text = '{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}},}}'
    const { definitions, problems } = declared(text)
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['not-json'],
    )
    assert.equal(definitions[0]?.name, 'f')
  })

  test('a key that stands twice is reported with the first one', () => {
    const text =
      '{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}, "b": {}, "a": {"type": "number"}}}}'
    const { definitions, problems } = declared(text)
    assert.deepEqual(duplicatesIn(text, problems), [['"a"', '"a"', text.lastIndexOf('"a"')]])
    assert.match(JSON.stringify(shownParameters(definitions[0]!)), /"a":\{"type":"number"\}/)
  })

  test('mistakes are where they are, also if the same definition was somewhere else before', () => {
    const tool = (name: string, type: string) =>
      `{"name": "${name}", "parameters": {"type": "object", "properties": {"a": {"type": "${type}"}}}}`
    const broken = tool('f', 'strin')
    const texts = [broken, `${tool('g', 'string')}\n${broken}`, `\n${broken}\n${broken}`]
    for (const text of texts) {
      const places = declared(text).problems.map(({ kind, range }) => [kind, range.start])
      const expected = [...text.matchAll(/"strin"/g)].map(({ index }) => ['unknown-type', index])
      assert.deepEqual(places, expected)
    }
  })

  test('what has no tool may say anything twice', () => {
    assert.equal(toolDeclarations('{"a": 1, "a": 2}', { isDeveloper: true }), undefined)
  })
})

test('the list of functions of 0.1 ends where prose begins', () => {
  const tool = (name: string) => JSON.stringify({ type: 'function', function: { name } })
  const found = functionListDeclarations(`\n${tool('a')}\n${tool('b')}\n\nUse them:\n${tool('c')}`)
  assert.deepEqual(
    found?.definitions.map(({ name }) => name),
    ['a', 'b'],
  )
})
