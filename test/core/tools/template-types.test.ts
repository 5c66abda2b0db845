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
    // The null comes first where a list of types does.
    ['a?: null | string[],', { a: [null, 'x'] }, { a: null }, { a: ['x'] }],
    ['a: null | integer[],', { a: [0, null] }],
    // Members of inner objects follow each other on a line, whatever their keys are.
    ['a?: {\nb: \n    string, c d?: \n    any[], e: \n    number},', { a: { b: 'x', 'c d': [1], e: 2 } }],
    [
      'a: {\n2fa: \n    object, @id?: \n    {\nb-c?: \n    boolean}, d: \n    string[]},',
      { a: { '2fa': {}, d: ['x'] } },
    ],
    [
      'a?: {\nb: \n    "x" | "y", user.id?: \n    null | array, $c: \n    integer | string},',
      { a: { b: 'x', $c: 'z' } },
    ],
    // The lines of a description behind the first one have no mark, and may look like members.
    ['// The place\nRequired: true\na: string,', { a: 'x' }],
    ['// As a date\nExample: "2026-01-31"\na: string,\nb?: number,', { a: 'x' }, { a: 'x', b: 1 }],
    ['// One\nNote: string\nMore: number\na?: string,', {}, { a: 'x' }],
    ['// first line\nsecond line: more\n- third\na: string,', { a: 'x' }],
    ['// one\n\ntwo\na: string,', { a: 'x' }],
    ['b: string,\n// Values\nDefault: 3\na?: "x" | "y", // default: x,', { b: '', a: 'y' }, { b: '' }],
    // Variants are described behind their types, which swallows what follows on the line.
    ['a: string// a name | \nnumber// a number,', { a: 'x' }, { a: 1 }],
    ['a?: object | string// a name[],\nb?: number,', { a: ['x'], b: 1 }, { a: [{}] }],
    ['a: string[]// names                    // default: ["x"] | \nnumber,', { a: ['x'] }, { a: 1 }],
    ['a: number// one\nRequired: true,', { a: 1 }],
    ['a: {\nb: \n    string// Format\nRequired: true},\nc?: number,', { a: { b: 'x' } }],
    ['a: any// Type\nRequired: true | \nany[][]// rows | \nboolean// or none,', { a: [] }, { a: true }],
    [
      'a?: {\nb: \n    string}// a thing | \nstring// its name // default: "x" | \nnumber,',
      { a: 'x' },
      { a: { b: 'x' } },
    ],
    ['// The kind\nRequired: true\na?: any[]// a list | \nstring// a name// default: x,', {}, { a: 'y' }],
    [
      'a?: number// one                    // default: 1 | \ninteger | string// As a date\nExample: "2026-01-31" | \nboolean// or none,',
      {},
      { a: 'x' },
    ],
    // Lists as generics, with the description of the items inside.
    ['  // The parts\n  a: Array<\n    // A part, e.g. "x"\n    string\n  >', { a: ['x'] }],
    [
      '  a?: Array<\n    // pairs\n    Array<\n      // maximum: 9, minimum: 0\n      number\n    >\n  >,\n  b?: {}',
      { a: [[1]], b: { c: 1 } },
    ],
    [
      '  // one\n\n  // two\n  // Default: 5\n  a?: number,\n  b: {\n    [k: string]: any\n  }',
      { b: { x: 1 } },
    ],
    [
      '  start-date?: string,\n  2fa: boolean,\n  is open?: "a" | "b"',
      { '2fa': true, 'start-date': 'x', 'is open': 'b' },
    ],
    // Values of a list in parentheses, types in words of other languages, indented members.
    ['// Units. Default=None.\na?: ("b c" | "it\'s")[],', { a: ['b c', "it's"] }],
    [
      'a: {\n    // Street. Maximum length=80\n    b: string,\n    c?: integer | null,\n},',
      { a: { b: 'x', c: null } },
    ],
    ['a: [],', { a: ['x', 1] }],
    ['a?: {\n},\nb: any,', { a: { c: 1 }, b: null }],
    ['a: True | False,', { a: true }],
    ['a?: string | number | boolean[],', { a: [true, 'x', 1] }, { a: 'x' }],
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
    assert.equal(problemsOf('a?: null | string[],', { a: 1 }).length, 1)
    assert.equal(
      problemsOf('a?: {\nb: \n    string, c d?: \n    any[]},', { a: { b: 'x', 'c d': 1 } }).length,
      1,
    )
  })

  test('members without separators are members, and so are those below a description', () => {
    for (const separator of ['', ',', ';']) {
      const members = `// The place\na: string${separator}\n// How many\nb: number${separator}`
      assert.equal(problemsOf(members, { a: 'x' }).length, 1, separator)
      assert.equal(problemsOf(members, { a: 1, b: 1 }).length, 1, separator)
    }
    assert.equal(problemsOf('a: string // a name\nb: number', { a: 'x' }).length, 1)
  })
})
