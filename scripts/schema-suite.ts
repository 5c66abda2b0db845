/**
 * Compares the check of calls with the official JSON Schema Test Suite (github.com/json-schema-org/JSON-Schema-Test-Suite):
 *
 *     node scripts/schema-suite.mjs FOLDER [--failures]
 *
 * FOLDER is the folder `tests` of a copy of it. Each case becomes a tool whose parameters are the schema and a call with the
 * instance: with the tools as JSON in the developer message, as a request with `tools`, and as a transcript that keeps this request
 * in its header, next to what the library says by itself. An instance that is not an object becomes the argument `value`. Only the mandatory cases count.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema'
import {
  analyze,
  Checker,
  convert,
  readJsonConversation,
  Transcript,
  transcriptOfConversation,
} from '../core/src/internal.ts'

interface Group {
  readonly description: string
  readonly schema: Schema | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const drafts: readonly { readonly folder: string; readonly draft: SchemaDraft; readonly uri: string }[] = [
  { folder: 'draft7', draft: '7', uri: 'http://json-schema.org/draft-07/schema#' },
  { folder: 'draft2020-12', draft: '2020-12', uri: 'https://json-schema.org/draft/2020-12/schema' },
]

const [folder = '', ...flags] = process.argv.slice(2)
for (const { folder: name, draft, uri } of drafts) {
  const counts = {
    cases: 0,
    library: 0,
    json: 0,
    request: 0,
    header: 0,
    falseJson: 0,
    falseRequest: 0,
    falseHeader: 0,
    behind: 0,
  }
  const files = readdirSync(join(folder, name)).filter((it) => it.endsWith('.json'))
  for (const file of files) {
    const groups = JSON.parse(readFileSync(join(folder, name, file), 'utf8')) as readonly Group[]
    for (const { description, schema, tests } of groups) {
      for (const test of tests) {
        counts.cases++
        const library = judgedByLibrary(schema, test.data, draft)
        const [json, request, header] = inForms(
          parameters(schema, test.data, uri),
          argumentsOf(test.data),
          test.valid,
        )
        if (library === test.valid) counts.library++
        if (json === test.valid) counts.json++
        if (request === test.valid) counts.request++
        if (header === test.valid) counts.header++
        if (test.valid && !json) counts.falseJson++
        if (test.valid && !request) counts.falseRequest++
        if (test.valid && !header) counts.falseHeader++
        if (library !== test.valid && !(test.valid && (!json || !request || !header))) continue
        if (json === test.valid && request === test.valid && header === test.valid) continue
        counts.behind++
        if (flags.includes('--failures'))
          console.log(
            `${name}/${file}: ${description}: ${test.description} (${test.valid}; ${json}, ${request}, ${header})`,
          )
      }
    }
  }
  console.log(name, counts)
}

function judgedByLibrary(schema: Schema | boolean, data: unknown, draft: SchemaDraft): boolean | undefined {
  try {
    return new Validator(structuredClone(schema) as Schema, draft).validate(data).valid
  } catch {
    return undefined
  }
}

/** The schema as one of arguments; references to it lead to the same places as before. */
function parameters(schema: Schema | boolean, data: unknown, uri: string): unknown {
  if (isObject(data) && typeof schema === 'object') return { $schema: uri, ...schema }
  return { $schema: uri, type: 'object', properties: { value: inside(schema) } }
}

function inside(schema: Schema | boolean): unknown {
  if (typeof schema !== 'object' || schema.$id) return schema
  const text = JSON.stringify(schema)
  if (text.includes('"$id"') || text.includes('#anchor') || text.includes('Anchor'))
    return { $id: 'http://localhost:1234/case', ...schema }
  return JSON.parse(
    text
      .replaceAll('"$ref":"#/', '"$ref":"#/properties/value/')
      .replaceAll('"$ref":"#"', '"$ref":"#/properties/value"'),
  )
}

function argumentsOf(data: unknown): unknown {
  return isObject(data) ? data : { value: data }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function inForms(schema: unknown, given: unknown, isValid: boolean): readonly [boolean, boolean, boolean] {
  const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }]
  const shown = JSON.stringify(tools).replaceAll('<|', '\\u003c|')
  const body = JSON.stringify(given).replaceAll('<|', '\\u003c|')
  const text = `version: 2.2\n<|start|>developer<|message|>${shown}<|end|>\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>${body}<|call|>\n`
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: JSON.stringify(given) } }
  const request = { tools, messages: [{ role: 'assistant', content: null, tool_calls: [call] }] }
  const reading = readJsonConversation(JSON.parse(JSON.stringify(request)), {
    from: 'messages',
    rest: 'source',
  })
  const kept = convert(JSON.stringify(request), { from: 'messages', to: 'ocm' }).text
  return [
    fits(Transcript.parse(text), isValid),
    fits(transcriptOfConversation(reading), isValid),
    fits(Transcript.parse(kept), isValid),
  ]
}

/**
 * True if nothing is reported. A further argument is a warning, whether the schema forbids it or does not speak of it (D19): of
 * a valid instance that is right.
 */
function fits(transcript: Transcript, isValid: boolean): boolean {
  const checker = new Checker(analyze(transcript))
  checker.advance()
  const serious = isValid ? ['error'] : ['error', 'warning']
  return !checker
    .problems()
    .problems.some(({ code, severity }) => code === 'E-CALL-SCHEMA' && serious.includes(severity))
}
