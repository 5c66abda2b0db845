/**
 * Tools as chat templates write them, which is not quite TypeScript: `string | null[]` is an array of strings or nulls to one
 * template, and a string or an array to another; the comment behind a type may swallow what closes it. Valid calls are fine.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { problemsIn } from '../../rules/check-rules.ts'

function problemsOf(members: string, given: unknown): readonly string[] {
  const developer = `# Tools\n\n## functions\n\nnamespace functions {\n\n// Does it.\ntype f = (_: {\n${members}\n}) => any;\n\n} // namespace functions`
  const text = `version: 2.2\n<|start|>developer<|message|>${developer}<|end|>\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>${JSON.stringify(given)}<|call|>\n`
  return problemsIn(text)
    .filter(({ code, severity }) => code === 'E-CALL-SCHEMA' && severity === 'error')
    .map(({ message }) => message)
}

suite('Types as chat templates write them', () => {
  const rows: readonly (readonly [string, ...unknown[]])[] = [
    ['a?: string | null[],', { a: ['x', null] }, { a: 'x' }, { a: null }, { a: ['x'] }, { a: [null] }],
    ['a: string[] | null,', { a: ['x'] }, { a: null }],
    ['a?: number | null[],', { a: [1, null] }, { a: 1 }],
    ['a: string | number[],', { a: ['x', 1] }, { a: 'x' }, { a: [1] }],
    ['a: "b" | "c"[],', { a: ['b', 'c'] }],
    ['a?: "b" | "c" | null[],', { a: ['b', null] }, { a: null }],
    ['a: Array<string | null>,', { a: ['x', null] }],
    ['a?: any | null[],', { a: [1, null] }, { a: null }],
    ['a?: object | null[],', { a: [{}, null] }, { a: null }],
    ['a: string[][],', { a: [['x']] }],
    ['a?: string | null[][],', { a: [['x', null]] }, { a: [['x'], ['y']] }],
    ['a: {\nb: string,\n}[],', { a: [{ b: 'x' }] }],
    ['a?: {\nb: string,\n} | null[],', { a: [{ b: 'x' }, null] }, { a: null }],
    ['a?: array | null,', { a: ['x'] }, { a: null }],
    ['a: string // the place },\nb?: number,', { a: 'x', b: 1 }, { a: 'x' }],
    ['a: {\nb: string // the end },\n},', { a: { b: 'x' } }],
    ['a: {\nb?: string, // see (docs\n},', { a: { b: 'x' } }, { a: {} }],
    ['a: Array<\n{\nb: string // what > it is\n}\n>,', { a: [{ b: 'x' }] }],
    ['a: Array<{ b: string // one }>,\nc?: number,', { a: [{ b: 'x' }], c: 1 }],
    ['a: { b: string, // inner },\nc?: number,', { a: { b: 'x' }, c: 1 }],
    ['a: string | null // default: null ,\nb?: string,', { a: null, b: 'x' }],
    ['// text with { and [ and (\na: string,', { a: 'x' }],
    ['a?: string | number | null[], // default: []', { a: ['x', 1, null] }, { a: 1 }],
    ['a?:\n | string // one\n | null[] // many\n,', { a: 'x' }, { a: [null] }],
    ['a?: integer | null[],', { a: [1, null] }, { a: 1 }],
    ['a: boolean | string[],', { a: [true, 'x'] }, { a: true }],
  ]
  for (const [members, ...calls] of rows) {
    for (const given of calls) {
      test(`${members.replaceAll('\n', '⏎')} takes ${JSON.stringify(given)}`, () => {
        assert.deepEqual(problemsOf(members, given), [])
      })
    }
  }

  test('what no reading allows is reported', () => {
    assert.equal(problemsOf('a?: string | null[],', { a: [1] }).length, 1)
    assert.equal(problemsOf('a?: string | null[],', { a: 1 }).length, 1)
  })
})
