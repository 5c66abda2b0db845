/** Tool definitions become schemas: every construct that Harmony renders, the accepted deviations, and broken text. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { toolDeclarations } from '../../../core/src/embedded/tool-definitions.ts'
import { declared, duplicatesIn, shownParameters } from './declared.ts'

/** The schema of the one member of `(_: { x: TYPE })`. */
function member(line: string): unknown {
  const text = `namespace functions {\n\ntype f = (_: {\n${line}\n}) => any;\n\n} // namespace functions`
  const { definitions, problems } = declared(text)
  assert.deepEqual(
    problems.map(({ message }) => message),
    [],
  )
  const schema = shownParameters(definitions[0]!) as {
    properties: Record<string, unknown>
    required?: string[]
  }
  const names = Object.keys(schema.properties)
  assert.deepEqual(names, ['x'])
  return schema.required?.includes('x')
    ? { ...(schema.properties.x as object), isRequired: true }
    : schema.properties.x
}

suite('Types as Harmony renders them', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['x: string,', { type: 'string', isRequired: true }],
    ['x?: string,', { type: 'string' }],
    ['x?: number,', { type: 'number' }],
    ['x?: boolean,', { type: 'boolean' }],
    ['x?: any,', {}],
    ['x?: string[],', { type: 'array', items: { type: 'string' } }],
    ['x?: Array<any>,', { type: 'array', items: {} }],
    ['x?: "a" | "b",', { enum: ['a', 'b'] }],
    ['x?: "a" | "b"[],', { type: 'array', items: { enum: ['a', 'b'] } }],
    ['x?: string | null,', { type: ['string', 'null'] }],
    ['x?: "a" | "b" | null,', { anyOf: [{ enum: ['a'] }, { enum: ['b'] }, { type: 'null' }] }],
    ['x?: string | number,', { type: ['string', 'number'] }],
    ['x?: object | array,', { anyOf: [{ type: 'object', additionalProperties: true }, { type: 'array' }] }],
    ['x?: number[][],', { type: 'array', items: { type: 'array', items: { type: 'number' } } }],
    ['x?: {\n},', { type: 'object', properties: {}, additionalProperties: true }],
    [
      'x?: {\n    a: string,\n    b?: number,\n    },',
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
    ],
    ['// The x\nx?: string,', { type: 'string', description: 'The x' }],
    ['// Two\n// lines\nx?: string,', { type: 'string', description: 'Two\nlines' }],
    ['// Title\n//\n// The x\nx?: string,', { type: 'string', title: 'Title', description: 'The x' }],
    [
      '// The x\n// Examples:\n// - "a"\n// - "b"\nx?: string,',
      { type: 'string', description: 'The x', examples: ['a', 'b'] },
    ],
    ['x?: string, // default: "a"', { type: 'string', default: 'a' }],
    ['x?: "a" | "b", // default: a', { enum: ['a', 'b'], default: 'a' }],
    ['x?: number, // default: 10', { type: 'number', default: 10 }],
    ['x?: boolean, // default: false', { type: 'boolean', default: false }],
    ['x?: string[], // default: ["a"]', { type: 'array', items: { type: 'string' }, default: ['a'] }],
    ['x?: string, // default: 10', { type: 'string', default: '10' }],
    [
      '// The x\n// default: "a"\nx?:\n | "a" // first\n | number // second default: 3\n,',
      {
        description: 'The x',
        default: 'a',
        anyOf: [
          { description: 'first', enum: ['a'] },
          { description: 'second', type: 'number', default: 3 },
        ],
      },
    ],
    [
      'x?:\n | {\n    a: string,\n    }\n | string[]\n,',
      {
        anyOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    ],
    [
      '// Options\nx?:     // Options\n{\n    // Deep\n    a?: boolean,\n    },',
      { type: 'object', description: 'Options', properties: { a: { type: 'boolean', description: 'Deep' } } },
    ],
  ]
  for (const [line, expected] of rows)
    test(line.replaceAll('\n', '⏎'), () => assert.deepEqual(member(line), expected))
})

suite('Deviations', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    [
      '  x?: "celsius" | "fahrenheit" // default: celsius',
      { enum: ['celsius', 'fahrenheit'], default: 'celsius' },
    ],
    ['  // The x\n  x: string', { type: 'string', description: 'The x', isRequired: true }],
    ['x: string, // The x', { type: 'string', description: 'The x', isRequired: true }],
    ['/** The x */\nx?: integer;', { type: 'integer', description: 'The x' }],
    ['x?: Record<string, number>,', { type: 'object', additionalProperties: { type: 'number' } }],
    ['"x": 1 | -2 | true,', { enum: [1, -2, true], isRequired: true }],
    ['x?: [string, number],', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }],
    ['x?: ("a" | "b")[],', { type: 'array', items: { enum: ['a', 'b'] } }],
    ['x?: ,', {}],
    [
      "// Only the first line of this\nis marked, don't (worry\nx?: string,",
      { type: 'string', description: "Only the first line of this\nis marked, don't (worry" },
    ],
  ]
  for (const [line, expected] of rows)
    test(line.replaceAll('\n', '⏎'), () => assert.deepEqual(member(line), expected))

  test('keys that TypeScript would have in quotes', () => {
    const text =
      'namespace functions {\ntype f = (_: {\nuser-id: string,\na.b?: number,\n$ref?: string,\nfoo bar: string,\n}) => any;\n}'
    const { definitions, problems } = declared(text)
    assert.deepEqual(problems, [])
    const schema = shownParameters(definitions[0]!) as { properties: object; required: string[] }
    assert.deepEqual(Object.keys(schema.properties), ['user-id', 'a.b', '$ref', 'foo bar'])
    assert.deepEqual(schema.required, ['user-id', 'foo bar'])
  })

  test('names of tools that no type may have', () => {
    const { definitions } = declared(
      'namespace functions {\ntype get-weather = (_: {\na: string,\n}) => any;\ntype string = () => any;\n}',
    )
    assert.deepEqual(
      definitions.map((it) => [it.name, it.parameters.kind]),
      [
        ['get-weather', 'schema'],
        ['string', 'none'],
      ],
    )
  })

  test('CRLF', () => {
    const { definitions, problems } = declared(
      'namespace functions {\r\n\r\n// Says.\r\n// More.\r\ntype f = (_: {\r\n// A\r\na: string, // default: "x"\r\n}) => any;\r\n\r\n}',
    )
    assert.deepEqual(problems, [])
    assert.equal(definitions[0]?.description, 'Says.\nMore.')
    assert.deepEqual(shownParameters(definitions[0]!), {
      type: 'object',
      properties: { a: { type: 'string', description: 'A', default: 'x' } },
      required: ['a'],
    })
  })
})

test('several namespaces, with descriptions, tools without arguments, and any', () => {
  const text =
    '# Tools\n\n## browser\n\n// Looks things up.\n// On the web.\nnamespace browser {\n\n// Looks.\n// \n// Second.\ntype search = (_: {\nquery: string,\n}) => any;\n\n} // namespace browser\n\n## functions\n\nnamespace functions {\n\ntype none = () => any;\n\ntype all = (_: any) => any;\n\ntype nothing = (_: {\n}) => any;\n\n} // namespace functions'
  const { namespaces, definitions } = declared(text)
  assert.deepEqual(
    namespaces.map(({ name, description, isComplete }) => [name, description, isComplete]),
    [
      ['browser', 'Looks things up.\nOn the web.', true],
      ['functions', '', true],
    ],
  )
  assert.deepEqual(
    definitions.map((it) => [it.namespace, it.name, it.description, shownParameters(it)]),
    [
      [
        'browser',
        'search',
        'Looks.\n\nSecond.',
        { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      ],
      ['functions', 'none', '', 'none'],
      ['functions', 'all', '', {}],
      ['functions', 'nothing', '', { type: 'object', properties: {} }],
    ],
  )
  for (const { name, nameRange, range } of definitions) {
    assert.equal(text.slice(nameRange.start, nameRange.end), name)
    assert.match(text.slice(range.start, range.end), /^type [\s\S]*;$/)
  }
})

test('ranges of members lead to the text', () => {
  const text =
    'Hello\n\nnamespace functions {\n// c\ntype f = (_: {\n// A\na: {\n    b?: "x" | "y",\n    },\n}) => any;\n}'
  const { parameters } = declared(text).definitions[0]!
  assert.ok(parameters.kind === 'schema')
  const a = parameters.schema.properties?.get('a')
  const b = a?.schema.properties?.get('b')
  assert.ok(a && b)
  assert.equal(text.slice(b.nameRange.start, b.nameRange.end), 'b')
  assert.equal(text.slice(b.schema.range.start, b.schema.range.end), '"x" | "y"')
  assert.equal(text.slice(a.nameRange.start, a.nameRange.end), 'a')
})

suite('Broken definitions', () => {
  const around = (broken: string) =>
    `namespace functions {\n\ntype before = (_: {\na: string,\n}) => any;\n\n${broken}\n\n// After.\ntype after = (_: {\nb: string,\n}) => any;\n\n} // namespace functions`
  const rows: readonly (readonly [string, string, string])[] = [
    ['a bracket is missing', 'type broken = (_: {\na: string,\n} => any;', 'unknown'],
    ['nothing closes it', 'type broken = (_: {\na: string,', 'unknown'],
    ['a bracket too many', 'type broken = (_: {\na: string,\n}}) => any;', 'unknown'],
    ['no function', 'type broken = string;', 'unknown'],
    ['a line that is no member', 'type broken = (_: {\na: string,\n!?,\nb: string,\n}) => any;', 'schema'],
    ['a type that is none', 'type broken = (_: {\na: strin,\n}) => any;', 'schema'],
    ['an unescaped quote', 'type broken = (_: {\na: "say "hi"" | "x",\nb: string,\n}) => any;', 'schema'],
  ]
  for (const [title, broken, kind] of rows) {
    test(`${title}: reported, and its neighbours are read`, () => {
      const text = around(broken)
      const { definitions, problems, namespaces } = declared(text)
      assert.deepEqual(
        definitions.map(({ name }) => name),
        ['before', 'broken', 'after'],
      )
      assert.equal(definitions[1]?.parameters.kind, kind)
      assert.deepEqual(Object.keys((shownParameters(definitions[0]!) as { properties: object }).properties), [
        'a',
      ])
      assert.deepEqual(Object.keys((shownParameters(definitions[2]!) as { properties: object }).properties), [
        'b',
      ])
      assert.equal(definitions[2]?.description, 'After.')
      assert.equal(problems.length, 1, JSON.stringify(problems))
      const start = text.indexOf('type broken')
      assert.ok(problems[0]!.range.start >= start && problems[0]!.range.end <= text.indexOf('// After.'))
      assert.equal(namespaces[0]?.isComplete, true)
    })
  }

  test('what is left out of an object may be there', () => {
    const { definitions } = declared('namespace functions {\ntype f = (_: {\na: string,\n!?,\n}) => any;\n}')
    assert.equal(
      (shownParameters(definitions[0]!) as { additionalProperties?: boolean }).additionalProperties,
      true,
    )
  })

  test('a namespace that nothing closes, and text in one', () => {
    const open = declared('namespace functions {\n\ntype f = () => any;\n\n# Something else')
    assert.deepEqual(
      open.problems.map(({ kind }) => kind),
      ['unclosed-namespace'],
    )
    assert.equal(open.definitions.length, 1)
    const stray = declared('namespace functions {\n\nHere are the tools:\n\ntype f = () => any;\n\n}')
    assert.deepEqual(
      stray.problems.map(({ kind }) => kind),
      ['stray-text'],
    )
    assert.equal(stray.namespaces[0]?.isComplete, false)
    assert.equal(stray.definitions.length, 1)
  })

  test('a key that an object declares twice', () => {
    const text =
      'namespace functions {\n\ntype f = (_: {\na: string,\nb?: { c: string, d: number, c: number },\n"a"?: number,\n}) => any;\n\n}'
    const { definitions, problems } = declared(text)
    assert.deepEqual(duplicatesIn(text, problems), [
      ['c', 'c', text.lastIndexOf('c: number')],
      ['"a"', 'a', text.indexOf('"a"')],
    ])
    assert.deepEqual(shownParameters(definitions[0]!), {
      type: 'object',
      properties: {
        a: { type: 'number' },
        b: {
          type: 'object',
          properties: { c: { type: 'number' }, d: { type: 'number' } },
          required: ['c', 'd'],
        },
      },
    })
  })

  test('prose is no declaration', () => {
    for (const text of [
      '',
      'The namespace functions { is odd',
      'A namespace for you',
      '{"name": "Ana"}',
      '[1, 2]',
      '{',
    ]) {
      assert.equal(toolDeclarations(text, { isDeveloper: true }), undefined, text)
    }
  })
})

test('response formats', () => {
  const text =
    '# Instructions\n\nHelp.\n\n# Response Formats\n\n## shopping_list\n\n// What to buy\n{"type":"object","properties":{"items":{"type":"array"}}}\n\n## note\n\n{"type":"string"}'
  const { formats, problems } = declared(text)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    formats.map(({ name, description, schema }) => [name, description, schema.types?.[0]]),
    [
      ['shopping_list', 'What to buy', 'object'],
      ['note', '', 'string'],
    ],
  )
  const broken = declared('# Response Formats\n\n## a\n\n{"type":}')
  assert.deepEqual(
    broken.problems.map(({ kind }) => kind),
    ['not-json'],
  )
})
