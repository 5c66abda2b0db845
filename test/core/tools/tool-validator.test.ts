/** What the compiled validator lets pass has no mismatch, and the walk over the tree marks what is wrong. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { jsonTree } from '../../../core/src/embedded/json-tree.ts'
import { argumentsSchema } from '../../../core/src/embedded/tool-arguments.ts'
import { toolDeclarations } from '../../../core/src/embedded/tool-definitions.ts'
import { schemaMismatches } from '../../../core/src/embedded/tool-mismatch.ts'
import type { Schema } from '../../../core/src/embedded/tool-schema.ts'
import { validatorOf } from '../../../core/src/embedded/tool-validator.ts'
import { propertyRuns } from '../../helpers/arbitraries.ts'

function schemaOf(parameters: unknown): Schema {
  const text = JSON.stringify({ type: 'function', name: 'f', parameters })
  const [definition] = toolDeclarations(text, { isDeveloper: true })!.definitions
  return argumentsSchema(definition!)!
}

const names = ['a', 'b', '__proto__', 'constructor']

const scalarSchema = fc.oneof(
  fc.constantFrom<object>(
    {},
    { type: 'string' },
    { type: 'number' },
    { type: 'integer' },
    { type: 'boolean' },
    { type: 'null' },
    { type: ['string', 'null'] },
    { enum: ['x', 1, null] },
    { const: true },
    { enum: [[1], { a: 1 }] },
    { type: 'number', minimum: 0, exclusiveMaximum: 2 },
    { type: 'string', minLength: 1, maxLength: 2 },
    { type: 'string', nullable: true },
  ),
)

/**
 * References stand where the value goes on inside: so they end with the value. Schemas that refer to themselves without
 * going on reach the limit of steps, behind which the two ways may differ.
 */
const { schema: schemas } = fc.letrec<{ schema: object; object: object; inside: object }>((tie) => ({
  inside: fc.oneof(
    { arbitrary: tie('schema'), weight: 4 },
    { arbitrary: fc.constantFrom({ $ref: '#' }, { $ref: '#/properties/a' }), weight: 1 },
  ),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalarSchema,
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('inside') }),
    fc.record({
      type: fc.constant('array'),
      prefixItems: fc.array(tie('inside'), { maxLength: 2 }),
      maxItems: fc.constant(2),
    }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc
        .array(fc.tuple(fc.constantFrom(...names), tie('inside')), { maxLength: 3 })
        .map(objectOf),
      required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('inside')),
    },
    { requiredKeys: ['type'] },
  ),
}))

/** An object whose members are its own, whatever their names. */
function objectOf(members: readonly (readonly [string, unknown])[]): object {
  return JSON.parse(
    `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
  )
}

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>('', 'x', 'xyz', 0, 1, 2, 1.5, -1, true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...names, 'deadline_ms'), tie('value')), { maxLength: 4 })
      .map(objectOf),
  ),
}))

test('fast and slow agree, but for members that only another variant declares', () => {
  fc.assert(
    fc.property(schemas, values, (parameters, value) => {
      const schema = schemaOf(parameters)
      const text = JSON.stringify(value)
      const mismatches = schemaMismatches(jsonTree(text).root!, schema, text)
      const fits = validatorOf(schema)(JSON.parse(text))
      const isVariant = JSON.stringify(parameters).includes('"anyOf"')
      if (fits || !isVariant)
        assert.equal(mismatches.length === 0, fits, mismatches.map(({ kind }) => kind).join())
      for (const { range } of mismatches) {
        assert.ok(0 <= range.start && range.start < range.end && range.end <= text.length)
      }
    }),
    { numRuns: 10 * propertyRuns },
  )
})

test('a member that another variant declares is no mismatch, though the validator asks', () => {
  const needy = { type: 'object', properties: { a: {} }, required: ['b'] }
  const schema = schemaOf({ anyOf: [needy, { type: 'object', properties: {} }] })
  assert.equal(validatorOf(schema)({ a: {} }), false)
  assert.deepEqual(schemaMismatches(jsonTree('{"a":{}}').root!, schema, '{"a":{}}'), [])
})

test('a schema that refers to itself without going on comes to an end', () => {
  for (const parameters of [
    { $ref: '#' },
    { anyOf: [{ $ref: '#' }, { $ref: '#' }] },
    { allOf: [{ anyOf: [{ allOf: [{ type: 'object' }, { $ref: '#' }] }, { $ref: '#' }] }, { $ref: '#' }] },
  ]) {
    const schema = schemaOf(parameters)
    const text = '{"a":[]}'
    assert.equal(typeof validatorOf(schema)(JSON.parse(text)), 'boolean')
    assert.ok(schemaMismatches(jsonTree(text).root!, schema, text).length <= 100)
  }
})

suite('Mismatches', () => {
  const parameters = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      unit: { enum: ['c', 'f'] },
      days: { type: 'integer', minimum: 1, maximum: 7 },
      tags: { type: 'array', items: { type: 'string' } },
      place: {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { const: 'point' }, x: { type: 'number' } },
            required: ['kind', 'x'],
          },
          {
            type: 'object',
            properties: { kind: { const: 'name' }, name: { type: 'string' } },
            required: ['kind', 'name'],
          },
        ],
      },
      free: { type: 'object' },
      pair: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 3 },
      both: {
        allOf: [
          { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
          { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
        ],
      },
    },
    required: ['city'],
  }
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['{"city":"Oslo"}', []],
    ['{"city":"Oslo","free":{"x":1}}', []],
    ['{"city":7}', ['value «7» a string, found the number `7`']],
    ['{"city":null}', ['value «null» a string, found `null`']],
    ['{"city":["x"]}', ['value «["x"]» a string, found an array']],
    ['{}', ['missing «{}» city']],
    ['{"city":"Oslo","unit":"k"}', ['value «"k"» `"c"` or `"f"`, found the string `"k"`']],
    ['{"city":"Oslo","days":0}', ['value «0» at least 1, found the number `0`']],
    ['{"city":"Oslo","days":1.5}', ['value «1.5» an integer, found the number `1.5`']],
    [
      '{"city":"Oslo","tags":["a",1,{}]}',
      ['value «1» a string, found the number `1`', 'value «{}» a string, found an object'],
    ],
    ['{"city":"Oslo","when":"now"}', ['unexpected «"when"» when']],
    ['{"city":"Oslo","place":{"kind":"point"}}', ['missing «{"kind":"point"}» x']],
    ['{"city":"Oslo","place":{"kind":"name","name":1}}', ['value «1» a string, found the number `1`']],
    [
      '{"city":"Oslo","place":{"kind":"line","x":"1"}}',
      ['value «"line"» `"point"` or `"name"`, found the string `"line"`'],
    ],
    ['{"city":"Oslo","place":{"x":1}}', ['missing «{"x":1}» kind']],
    ['{"city":"Oslo","pair":[1]}', ['value «[1]» at least 2 items long, found 1 item long']],
    [
      '{"city":"Oslo","pair":[1,-2,3.5,4]}',
      [
        'value «[1,-2,3.5,4]» at most 3 items long, found 4 items long',
        'value «-2» at least 0, found the number `-2`',
        'value «3.5» an integer, found the number `3.5`',
      ],
    ],
    ['{"city":"Oslo","both":{}}', ['missing «{}» x']],
    ['{"city":"Oslo","both":{"x":"1"}}', ['value «"1"» a number, found the string `"1"`']],
    ['{"city":"Oslo","both":3}', ['value «3» an object, found the number `3`']],
    ['{"city":"Oslo","place":3}', ['value «3» an object, found the number `3`']],
    ['{"city":1,"city":"Oslo"}', []],
    ['{"city":"Oslo","deadline_ms":500}', []],
    ['{"city":"Oslo","deadline_ms":0}', ['value «0» at least 1, found the number `0`']],
    [
      '{"unit":"k","x":1}',
      [
        'missing «{"unit":"k","x":1}» city',
        'value «"k"» `"c"` or `"f"`, found the string `"k"`',
        'unexpected «"x"» x',
      ],
    ],
  ]
  for (const [text, expected] of rows) {
    test(text, () => {
      const found = schemaMismatches(jsonTree(text).root!, schemaOf(parameters), text)
      const shown = found.map(({ kind, range, names: it, expected: wanted, found: is }) => {
        const marked = `${kind} «${text.slice(range.start, range.end)}»`
        return kind === 'value' ? `${marked} ${wanted}, found ${is}` : `${marked} ${it.join(' ')}`
      })
      assert.deepEqual(shown, expected)
    })
  }
})
