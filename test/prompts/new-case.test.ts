/** New cases: what is put into a file of cases, wherever its YAML allows it, and where it is refused. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  analyze,
  applyEdits,
  caseEdits,
  firstValueRange,
  freeCaseName,
  inputsOf,
  isObject,
  type JsonObject,
  largestCases,
  newCaseValues,
  readMapping,
  Transcript,
  valuesFromRow,
} from '../../core/src/internal.ts'

const values: JsonObject = { customer: 'Ada: "x"\n#', n: 1 }

/** Without the prototypes that tell records from other objects. */
function read(text: string): Record<string, unknown> | undefined {
  const { value } = readMapping(text, largestCases)
  return value && JSON.parse(JSON.stringify(value))
}

function added(text: string, name = 'two', of: JsonObject = values): string | undefined {
  const edits = caseEdits(text, name, of)
  return edits && applyEdits(text, edits)
}

describe('a case is added', () => {
  for (const text of [
    '',
    '# Cases\n',
    'one:\n  customer: Bo\n',
    'one:\n  customer: Bo',
    'one:\n  customer: Bo\n\n# the end\n',
    '{ one: { customer: Bo } }\n',
    '{}',
    '---\none: { customer: Bo }\n',
    'one: &a { customer: Bo }\nother: *a\n',
    'one: {}\n...\n',
    'one:\r\n  customer: Bo\r\n',
    'one:\n  customer: |\n    Bo\n    Bo\n',
  ]) {
    test(JSON.stringify(text), () => {
      const result = added(text) ?? ''
      const before = read(text)
      assert.deepEqual(read(result), { ...before, two: values })
      const range = firstValueRange(result, 'two')
      assert.equal(JSON.parse(`"${result.slice(range?.start, range?.end)}"`), values.customer)
    })
  }
})

test('the first value of a case is found without its quotes, and without one the case', () => {
  const found = (text: string) => {
    const range = firstValueRange(text, 'two')
    return range && text.slice(range.start, range.end)
  }
  assert.equal(found('two:\n  a: ""\n  b: 1\n'), '')
  assert.equal(found("one: { a: x }\ntwo: { a: 'y', b: 1 }\n"), 'y')
  assert.equal(found('two:\n  a: 0\n'), '0')
  assert.equal(found('two: {}\n'), 'two: {}')
  assert.equal(found('one: {}\n'), undefined)
})

test('a file that cannot be read, or already has the case, stays as it is', () => {
  for (const text of ['two: { customer: Bo }\n', '- a\n', 'text', 'one: [', 'a: 1\n---\nb: 2\n'])
    assert.equal(added(text), undefined, text)
})

test('names and keys say what they say, whatever YAML makes of such words', () => {
  const hostile = { 'a: 1\ninjected': { '#': [null, '- x'], 'x, y': '}' }, '__proto__ ': 1 }
  for (const name of ['007', '0x10', '1e3', 'true', '- x', '-', '7', 'sample 2']) {
    const result = added('one: { customer: Bo }\n', name, { customer: hostile }) ?? ''
    assert.deepEqual(read(result), { one: { customer: 'Bo' }, [name]: { customer: hostile } })
  }
})

test('a name that is taken gets a number', () => {
  assert.equal(freeCaseName('sample 2', ['sample 1']), 'sample 2')
  assert.equal(freeCaseName('sample 2', ['sample 2', 'sample 2-2']), 'sample 2-3')
})

test('values are those that a case needs, and those of a row that fit', () => {
  const header = `inputs:
  name: { type: string }
  tone: { values: [warm, cold] }
  n: { type: integer, default: 1 }
  tags: { type: array, required: false }
`
  const transcript = Transcript.parse(`version: 2.2\n${header}<|start|>user<|message|>Hi<|end|>\n`)
  const inputs = inputsOf(analyze(transcript).header.filled) ?? []
  assert.deepEqual(newCaseValues(inputs), { name: '', tone: 'warm' })
  const row = { name: 'Ada', tone: 'hot', n: 2, other: 1, toString: 'x' }
  assert.deepEqual(valuesFromRow(inputs, row), { name: 'Ada', n: 2 })
  assert.ok(isObject(valuesFromRow(inputs, {})))
})
