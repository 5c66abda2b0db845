/** Calls of a transcript that keeps a request are judged by the JSON Schema of its tools (D19), in whatever spelling. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  analyze,
  Checker,
  convert,
  readConversation,
  Transcript,
  transcriptOfConversation,
} from '../../../core/src/internal.ts'
import { problemsIn } from '../../rules/check-rules.ts'

/** A schema of which the TypeScript says less: bounds, whole numbers, nullable items, and a line that looks like a member. */
const parameters = {
  type: 'object',
  properties: {
    n: { type: 'integer', maximum: 5, description: 'Type: string\nRequired: true', default: 1.5 },
    a: { type: 'array', items: { type: ['string', 'null'] } },
  },
  required: ['n'],
  additionalProperties: false,
}

const spellings: Readonly<Record<string, unknown>> = {
  'Chat Completions': { type: 'function', function: { name: 'f', description: 'Does it.', parameters } },
  Responses: { type: 'function', name: 'f', description: 'Does it.', parameters, strict: true },
  Anthropic: { name: 'f', description: 'Does it.', input_schema: parameters },
  'Anthropic, with its type': {
    type: 'custom',
    name: 'f',
    description: 'Does it.',
    input_schema: parameters,
  },
  MCP: { name: 'f', title: 'F', description: 'Does it.', inputSchema: parameters, annotations: {} },
}

function request(tool: unknown, given: unknown): string {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: JSON.stringify(given) } }
  return JSON.stringify({
    tools: [tool],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    ],
  })
}

function transcriptWith(tool: unknown, given: unknown): string {
  return convert(request(tool, given), { from: 'messages', to: 'ocm' }).text
}

function messagesOf(text: string): readonly string[] {
  return problemsIn(text)
    .filter(({ code }) => code === 'E-CALL-SCHEMA')
    .map(({ message }) => message)
}

suite('Transcripts that keep a request', () => {
  for (const [name, tool] of Object.entries(spellings)) {
    test(`${name}: valid calls are fine`, () => {
      assert.deepEqual(messagesOf(transcriptWith(tool, { n: 5, a: ['x', null] })), [])
    })
    test(`${name}: what the TypeScript allows, and the schema forbids, is reported`, () => {
      for (const n of [6, 1.5]) assert.equal(messagesOf(transcriptWith(tool, { n })).length, 1, `${n}`)
      assert.equal(messagesOf(transcriptWith(tool, { n: 1, b: 1 })).length, 1)
    })
    test(`${name}: the request is judged like its transcript, and comes back`, () => {
      const text = request(tool, { n: 6 })
      const checker = new Checker(
        analyze(transcriptOfConversation(readConversation(text, { from: 'messages' }))),
      )
      checker.advance()
      assert.equal(checker.problems().problems.filter(({ code }) => code === 'E-CALL-SCHEMA').length, 1)
      const back = convert(convert(text, { from: 'messages', to: 'ocm' }).text, {
        from: 'ocm',
        to: 'messages',
      })
      assert.deepEqual(back.losses, [])
      const { tools } = JSON.parse(back.text) as { tools: unknown }
      const nested = {
        type: 'function',
        function: { name: 'f', description: 'Does it.', parameters, strict: true },
      }
      assert.deepEqual(tools, [name === 'Responses' ? nested : tool])
    })
  }

  test('a definition that was edited is judged by what it says', () => {
    const text = transcriptWith(spellings.MCP, { n: 6, a: ['x'] })
    const edited = text.replace('a?: string | null[]', 'a?: string')
    assert.notEqual(edited, text)
    assert.deepEqual(messagesOf(edited), ['`a` must be a string, but is an array'])
  })

  test('an edit of the schema in the header judges the calls again', () => {
    const text = transcriptWith(spellings.MCP, { n: 5 })
    const transcript = Transcript.parse(text)
    const analysis = analyze(transcript)
    const checker = new Checker(analysis)
    checker.advance()
    const count = () => checker.problems().problems.filter(({ code }) => code === 'E-CALL-SCHEMA').length
    assert.equal(count(), 0)
    const start = text.indexOf('"maximum":5') + '"maximum":'.length
    for (const [maximum, expected] of [
      ['4', 1],
      ['7', 0],
    ] as const) {
      checker.update(analysis.edit([{ start, end: start + 1, text: maximum }]))
      checker.advance()
      assert.equal(count(), expected, maximum)
    }
  })

  test('aliases that make much of a header are not read as tools', () => {
    const many = Array.from({ length: 3000 }, () => '*long').join(', ')
    const text = `version: 2.2\nlong: &long ${'x'.repeat(2000)}\nchat_request:\n  tools: [${many}]\n<|start|>user<|message|>Hi<|end|>\n`
    const analysis = analyze(Transcript.parse(text))
    assert.equal(analysis.tools.isEmpty, true)
  })
})

suite('Arguments that are no object', () => {
  const judged = (schema: unknown, body: string) => {
    const tools = JSON.stringify([{ type: 'function', function: { name: 'f', parameters: schema } }])
    const text = `version: 2.2\n<|start|>developer<|message|>${tools}<|end|>\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>${body}<|call|>\n`
    return messagesOf(text)
  }
  const valid: readonly (readonly [unknown, string])[] = [
    [{ type: 'string' }, '"x"'],
    [{ type: 'array', items: { type: 'integer' } }, '[1, 2]'],
    [{ type: ['object', 'null'] }, 'null'],
    [{ type: ['object', 'null'], properties: { a: { type: 'string' } } }, '{"a":"x"}'],
    [{ anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'string' }] }, '"x"'],
    [{ enum: ['x', 'y'] }, '"y"'],
    [{ $ref: '#/$defs/s', $defs: { s: { type: 'string' } } }, '"x"'],
    [{ allOf: [{ type: 'number' }, { minimum: 1 }] }, '2'],
  ]
  for (const [schema, body] of valid) {
    test(`${JSON.stringify(schema)} takes ${body}`, () => assert.deepEqual(judged(schema, body), []))
  }
  const invalid: readonly (readonly [unknown, string])[] = [
    [{ type: 'string' }, '1'],
    [{ type: 'string' }, '{}'],
    [{ type: 'string', minLength: 2 }, '"x"'],
    [{ type: 'array', items: { type: 'integer' } }, '["x"]'],
    [{ type: ['object', 'null'] }, '1'],
    [{ enum: ['x', 'y'] }, '"z"'],
    [{ type: 'object' }, '"x"'],
    [{}, '"x"'],
    [{ properties: { a: {} } }, '[]'],
  ]
  for (const [schema, body] of invalid) {
    test(`${JSON.stringify(schema)} does not take ${body}`, () =>
      assert.equal(judged(schema, body).length, 1))
  }
})
