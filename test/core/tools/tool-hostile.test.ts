/** Definitions that nobody honest writes: whatever the text, there is an answer, in time, and nothing else is touched. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonTree } from '../../../core/src/embedded/json-tree.ts'
import { argumentsSchema } from '../../../core/src/embedded/tool-arguments.ts'
import { toolDeclarations } from '../../../core/src/embedded/tool-definitions.ts'
import { schemaMismatches } from '../../../core/src/embedded/tool-mismatch.ts'
import { typeText } from '../../../core/src/embedded/tool-schema-text.ts'
import { validatorOf } from '../../../core/src/embedded/tool-validator.ts'
import { analyze, Checker, completions, hover, Transcript } from '../../../core/src/internal.ts'
import { propertyRuns } from '../../helpers/arbitraries.ts'
import { nightly } from '../../helpers/nightly.ts'
import { assertLinear } from '../embedded/growth.ts'
import { jsonSchemaOf } from './plain-schema.ts'

// As the reader of definitions gets it.
declare const require: (name: '@babel/parser') => { parse(text: string): unknown }

/** Reads everything that can be read of `text`, and judges `value` by it. */
function exercise(text: string, value: unknown = { a: 1 }): void {
  const declarations = toolDeclarations(text, { isDeveloper: true })
  for (const { range } of declarations?.problems ?? []) {
    assert.ok(0 <= range.start && range.start <= range.end && range.end <= text.length)
  }
  for (const definition of declarations?.definitions ?? []) {
    const schema = argumentsSchema(definition)
    if (!schema) continue
    const json = JSON.stringify(value)
    const { root } = jsonTree(json)
    validatorOf(schema)(value)
    if (root) schemaMismatches(root, schema, json)
    typeText(schema)
    jsonSchemaOf(schema)
  }
}

const pieces = [
  'namespace functions {',
  '}',
  '\n',
  ' ',
  '// a comment',
  '// default: 1',
  'type f = ',
  '(_: {',
  '}) => any;',
  '() => any;',
  'a: string,',
  'b?: "x" | "y",',
  '{',
  '(',
  '[',
  ']',
  ')',
  '"',
  "'",
  '`',
  '/*',
  '*/',
  '|',
  'c:',
  ';',
  ',',
  '=>',
  '<',
  '>',
  'Array<',
  'null',
  '{"name": "f", "parameters": {"type": "object"}}',
  '{"type":"function","function":',
  '"$ref": "#"',
  '# Response Formats',
  '## x',
  '{"a":',
  'é',
  '😀',
  '\r\n',
  'type',
  'declare ',
  'export ',
  '__proto__: any,',
  'constructor?: number,',
]

test('random text never throws', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => exercise(parts.join(''))),
    { numRuns: 5 * propertyRuns },
  )
})

test('a definition that is cut anywhere never throws', () => {
  const text =
    'namespace functions {\n\n// Says.\ntype f = (_: {\n// A\na?: "x" | "y", // default: x\nb:\n | string // s\n | {\n    c: number[],\n    }\n,\n}) => any;\n\n} // namespace functions\n'
  for (let end = 0; end <= text.length; end++) {
    exercise(text.slice(0, end))
    exercise(text.slice(end))
  }
})

test('names of the prototype are names', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const text = `namespace functions {\ntype __proto__ = (_: {\n${names.map((it) => `${it}: string,`).join('\n')}\n}) => any;\n}`
  const [definition] = toolDeclarations(text, { isDeveloper: true })!.definitions
  const schema = argumentsSchema(definition!)!
  const accepts = validatorOf(schema)
  assert.equal(accepts(JSON.parse('{}')), false)
  assert.equal(accepts(JSON.parse(`{${names.map((it) => `"${it}":"x"`).join(',')}}`)), true)
  assert.equal(accepts(JSON.parse(`{${names.map((it) => `"${it}":1`).join(',')}}`)), false)
  const json = JSON.parse(JSON.stringify(jsonSchemaOf(schema))) as { required: string[] }
  assert.deepEqual(json.required, names)
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
  const objects = JSON.stringify({
    name: 'f',
    parameters: { type: 'object', properties: JSON.parse('{"__proto__": {"type": "string"}}') },
  })
  exercise(objects, JSON.parse('{"__proto__": 1}'))
})

test('nesting beyond every limit', () => {
  for (const depth of [100, 250, 5000, 100_000]) {
    exercise(
      `namespace functions {\ntype f = (_: {\n${'a: {'.repeat(depth)}${'}'.repeat(depth)}\n}) => any;\n}`,
    )
    exercise(`namespace functions {\ntype f = (_: ${'('.repeat(depth)}string${')'.repeat(depth)}) => any;\n}`)
    exercise(
      `namespace functions {\ntype f = (_: {\na: ${'Array<'.repeat(depth)}any${'>'.repeat(depth)},\n}) => any;\n}`,
    )
    exercise(`namespace functions {\ntype f = (_: {\na: string${'[]'.repeat(depth)},\n}) => any;\n}`)
    exercise(`{"name":"f","parameters":${'{"items":'.repeat(depth)}1${'}'.repeat(depth)}}`)
  }
})

test('schemas that refer to themselves without end', () => {
  const self = { $ref: '#' }
  for (const parameters of [
    { $ref: '#' },
    { type: 'object', anyOf: [self, self, { type: 'string' }] },
    { type: 'object', allOf: [self, self] },
    {
      type: 'object',
      properties: { a: { allOf: [{ $ref: '#/properties/a' }, { $ref: '#/properties/a' }] } },
    },
    { type: 'object', properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } } },
    { type: 'object', properties: { a: { $ref: '#' }, b: { type: 'array', items: { $ref: '#' } } } },
  ]) {
    const before = process.cpuUsage().user
    exercise(JSON.stringify({ name: 'f', type: 'function', parameters }), { a: { a: {}, b: [{}] } })
    assert.ok(process.cpuUsage().user - before < 20_000_000, JSON.stringify(parameters))
  }
})

test('work grows with the text only', () => {
  const times = [20_000, 40_000].map((size) => {
    const texts = [
      'namespace '.repeat(size),
      `${'{\n'.repeat(size)}"function"`,
      `namespace functions {\n${'// c\n'.repeat(size)}`,
      `namespace functions {\n${'type f = () => any;\n'.repeat(size / 10)}}`,
      `namespace functions {\n${'x\n'.repeat(size)}}`,
      `namespace functions {\ntype f = (_: {\n${'a: string,\n'.repeat(size)}}) => any;\n}`,
      `namespace functions {\ntype f = (_: {\n${'! !\n'.repeat(size)}}) => any;\n}`,
    ]
    const before = process.cpuUsage().user
    for (const text of texts) toolDeclarations(text, { isDeveloper: true })
    return (process.cpuUsage().user - before) / 1000
  })
  assert.ok(times[1]! < 8 * times[0]! + 500, times.join(' ms, '))
})

test('help with arguments ends, however large schema and arguments are', () => {
  const variants = Array.from({ length: 3000 }, (_, index) => ({
    type: 'object',
    properties: {
      kind: { enum: Array.from({ length: 20 }, (_, it) => `${index}-${it}`) },
      [`p${index}`]: {},
    },
  }))
  const schema = {
    type: 'object',
    properties: { a: { anyOf: variants } },
    additionalProperties: { $ref: '#' },
  }
  const members = Array.from({ length: 3000 }, (_, index) => `"p${index}":"x"`).join(',')
  const deep = `${'{"k":'.repeat(400)}1${'}'.repeat(400)}`
  const text = `version: 2.2\n<|start|>developer<|message|>${JSON.stringify({ type: 'function', function: { name: 'f', parameters: schema } })}<|end|>\n<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{"a":{${members},"kind":"z"},"deep":${deep}}<|call|>\n`
  const analysis = analyze(Transcript.parse(text))
  for (const word of ['"kind"', '"z"', '"k":1', '1}', '"deep"']) {
    const offset = text.lastIndexOf(word) + 1
    hover(analysis, offset)
    assert.ok(completions(analysis, offset).length <= 5000)
  }
})

nightly('very many definitions, mistakes and quotes are no more than calls take', () => {
  const many = 150_000
  const listOf = (length: number) =>
    JSON.stringify(Array.from({ length }, (_, index) => ({ name: `t${index}`, type: 'function' })))
  const read = toolDeclarations(listOf(6000), { isDeveloper: true })
  assert.equal(read?.definitions.length, 6000)
  // A longer message is not read, and says so.
  const long = toolDeclarations(listOf(many), { isDeveloper: true })
  assert.deepEqual([long?.definitions.length, long?.problems.map(({ kind }) => kind)], [0, ['too-large']])
  const declared = toolDeclarations('namespace functions {\ntype f = (_: {a: string[]}) => any;\n}', {
    isDeveloper: true,
  })
  const schema = declared?.definitions[0] && argumentsSchema(declared.definitions[0])
  const json = `{"a":[${'1,'.repeat(many)}1]}`
  const { root } = jsonTree(json)
  assert.ok(schema && root && schemaMismatches(root, schema, json).length > 0)
  const quotes = 'a`'.repeat(many)
  assert.ok(hover(analyze(Transcript.parse(`<|start|>user name=${quotes}<|message|>x<|end|>`)), 3))
})

test('typing in one of many definitions parses that one again', (t) => {
  const member = (index: number) => `type tool_${index} = (_: { a: string }) => any;\n`
  const members = Array.from({ length: 300 }, (_, index) => member(index))
  const text = `<|start|>developer<|message|>namespace functions {\n${members.join('')}}<|end|>\n`
  const analysis = analyze(Transcript.parse(text))
  const checker = new Checker(analysis)
  checker.advance()
  const { mock } = t.mock.method(require('@babel/parser'), 'parse')
  for (let typed = 0; typed < 5; typed++) {
    const at = text.indexOf('tool_150') + 'tool_150'.length + typed
    checker.update(analysis.edit([{ start: at, end: at, text: 'x' }]))
    checker.advance()
  }
  const calls = mock.callCount()
  assert.ok(calls >= 5 && calls <= 20, `${calls} definitions were parsed`)
})

test('the time for definitions in JSON grows with them', () => {
  const text = (size: number) =>
    `[${'{"type":"function","function":{"name":"t","parameters":{}}},'.repeat(size / 60)}{}]`
  assertLinear('definitions', 60_000, text, (it) => {
    for (const { text: own } of toolDeclarations(it, { isDeveloper: true })?.definitions ?? []) assert.ok(own)
  })
})
