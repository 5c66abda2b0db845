/** What is said about JSON bodies: one problem, at the first cause, in plain words. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duplicateJsonKeys, mayRepeatKeys } from '../../../core/src/embedded/duplicate-json-keys.ts'
import { type JsonProblemKind, jsonBody } from '../../../core/src/embedded/json-body.ts'
import { jsonTree } from '../../../core/src/embedded/json-tree.ts'
import { underline } from './underlined.ts'

/** The body, where the problem is underlined, its kind and its message; `null` for valid bodies. */
type Row = readonly [body: string, underlined: string, kind: JsonProblemKind, message: string]

const rows: readonly Row[] = [
  // Ends too early.
  ['', '«»', 'empty', 'There is no JSON here'],
  [' \n ', '« \n »', 'empty', 'There is no JSON here'],
  [
    '{"a":{"b":1}',
    '{"a":{"b":1«}»',
    'unexpected-end',
    'Unexpected end of JSON: an object is still open and `}` is missing',
  ],
  [
    '{"a":[{"b":1}\n',
    '{"a":[{"b":1«}»\n',
    'unexpected-end',
    'Unexpected end of JSON: an array is still open and `]}` is missing',
  ],
  [
    '{"a":',
    '{"a"«:»',
    'unexpected-end',
    'Unexpected end of JSON: an object is still open and `}` is missing',
  ],
  ['{"a":"x', '{"a":"«x»', 'unclosed-string', 'Unexpected end of JSON: a string is not closed'],
  ['{"a":"x\\', '{"a":"x«\\»', 'unclosed-string', 'Unexpected end of JSON: a string is not closed'],
  ['{"a":"x\n}', '{"a":«"x»\n}', 'unclosed-string', 'The string is not closed'],
  // Goes on too long.
  ['{"a":1}]', '{"a":1}«]»', 'extra-closer', 'Unmatched `]` after the JSON value'],
  ['{"a":1}}', '{"a":1}«}»', 'extra-closer', 'Unmatched `}` after the JSON value'],
  [']', '«]»', 'extra-closer', 'Unmatched `]`'],
  [
    '{"a":1} {"b":2}',
    '{"a":1} «{"b":2}»',
    'second-value',
    'Unexpected second JSON value; only one is allowed',
  ],
  ['1 2', '1 «2»', 'second-value', 'Unexpected second JSON value; only one is allowed'],
  ['{} true', '{} «true»', 'second-value', 'Unexpected second JSON value; only one is allowed'],
  ['{},', '{}«,»', 'unexpected-comma', 'Unexpected `,` after the JSON value'],
  [
    '{"a":1}\nHope this helps! \nBye',
    '{"a":1}\n«Hope this helps!» \nBye',
    'trailing-text',
    'Text after the JSON value',
  ],
  ['Here you go: {"a":1}', '«Here you go:» {"a":1}', 'leading-text', 'Text before the JSON'],
  [
    'Here:\n```json\n{}\n```',
    '«Here:»\n```json\n{}\n```',
    'leading-text',
    'Text before the JSON, which is in a code fence',
  ],
  [
    '```json\n{"a":1}\n```',
    '«```json»\n{"a":1}\n```',
    'code-fence',
    'The JSON is in a Markdown code fence; remove the fence',
  ],
  ['{"a":1}\n```', '{"a":1}\n«```»', 'code-fence', 'The JSON is in a Markdown code fence; remove the fence'],
  ['hello there', '«hello there»', 'not-json', 'The text is not JSON'],
  // Punctuation.
  ['{"a":1,}', '{"a":1«,»}', 'trailing-comma', 'A `,` before `}` is not allowed in JSON'],
  ['[1, ]', '[1«,» ]', 'trailing-comma', 'A `,` before `]` is not allowed in JSON'],
  ['[1,,2]', '[1,«,»2]', 'unexpected-comma', 'Unexpected `,`: there is no value before it'],
  ['{,}', '{«,»}', 'unexpected-comma', 'Unexpected `,`: there is no value before it'],
  ['[1 2]', '[1 «2»]', 'missing-comma', 'Expected `,` or `]` before `2`'],
  ['{"a":1 "b":2}', '{"a":1 «"»b":2}', 'missing-comma', 'Expected `,` or `}` before `"`'],
  [
    '{"a":"say "hi""}',
    '{"a":"say "«h»i""}',
    'missing-comma',
    'Expected `,` or `}`; a quote inside a string is written `\\"`',
  ],
  ['{"a" 1}', '{«"a"» 1}', 'missing-colon', 'The key is missing `:` and a value'],
  ['{"a"}', '{«"a"»}', 'missing-colon', 'The key is missing `:` and a value'],
  ['{"a":}', '{"a":«}»', 'missing-value', 'A value is missing before `}`'],
  ['{"a":,"b":1}', '{"a":«,»"b":1}', 'missing-value', 'A value is missing before `,`'],
  ['{"a":[1}', '{"a":[1«}»', 'mismatched-closer', '`}` cannot close `[`'],
  ['{]', '{«]»', 'mismatched-closer', '`]` cannot close `{`'],
  ['{"a":1;}', '{"a":1«;»}', 'missing-comma', 'Expected `,` or `}` before `;`'],
  ['{:1}', '{«:»1}', 'unexpected-character', 'Expected a key in double quotes instead of `:`'],
  ['[😀]', '[«😀»]', 'unquoted-string', '`😀` is not JSON; put text in double quotes'],
  ['[%]', '[«%»]', 'unexpected-character', 'Expected a value instead of `%`'],
  // Quotes and words of other languages.
  ["{'a': 1}", "{«'a'»: 1}", 'wrong-quotes', "JSON strings and keys must be in double quotes, not in `'`"],
  [
    '{"a": \'b\'}',
    '{"a": «\'b\'»}',
    'wrong-quotes',
    "JSON strings and keys must be in double quotes, not in `'`",
  ],
  ['{“a”: 1}', '{«“a”»: 1}', 'wrong-quotes', 'JSON strings and keys must be in double quotes, not in `“`'],
  ['{a: 1}', '{«a»: 1}', 'unquoted-key', 'The key `a` needs double quotes'],
  ['{"a":1, 2: 3}', '{"a":1, «2»: 3}', 'unquoted-key', 'The key `2` needs double quotes'],
  ['{"a": True}', '{"a": «True»}', 'foreign-word', '`True` is not JSON; write `true`'],
  ['{"a": None}', '{"a": «None»}', 'foreign-word', '`None` is not JSON; write `null`'],
  [
    '{"a": undefined}',
    '{"a": «undefined»}',
    'foreign-word',
    '`undefined` is not JSON; write `null`, or leave the key out',
  ],
  ['[NaN]', '[«NaN»]', 'foreign-word', '`NaN` is not JSON; write `null` or a string'],
  ['[-Infinity]', '[«-Infinity»]', 'foreign-word', '`-Infinity` is not JSON; write `null` or a string'],
  [
    '{"city": Tokyo}',
    '{"city": «Tokyo»}',
    'unquoted-string',
    '`Tokyo` is not JSON; put text in double quotes',
  ],
  ['[nullable]', '[«nullable»]', 'unquoted-string', '`nullable` is not JSON; put text in double quotes'],
  // Comments.
  ['{"a":1 // one\n}', '{"a":1 «// one»\n}', 'comment', 'Comments are not allowed in JSON'],
  ['/* x */ {}', '«/* x */» {}', 'comment', 'Comments are not allowed in JSON'],
  ['{"a": # x\n1}', '{"a": «# x»\n1}', 'comment', 'Comments are not allowed in JSON'],
  // Inside strings and numbers.
  [
    '["a\\qb"]',
    '["a«\\q»b"]',
    'bad-escape',
    '`\\q` is not a JSON escape sequence; write a backslash as `\\\\`',
  ],
  ['["\\u12x"]', '["«\\u12»x"]', 'bad-escape', '`\\u` needs four hexadecimal digits'],
  ['["a\nb"]', '["a«\n»b"]', 'control-character', 'A JSON string cannot contain a line break; write `\\n`'],
  [
    '["a\tb"]',
    '["a«\t»b"]',
    'control-character',
    'A JSON string cannot contain the control character U+0009; write `\\t`',
  ],
  [
    '["a\u0001b"]',
    '["a«\u0001»b"]',
    'control-character',
    'A JSON string cannot contain the control character U+0001; write `\\u0001`',
  ],
  ['[01]', '[«01»]', 'bad-number', '`01` is not a valid JSON number'],
  ['[.5]', '[«.5»]', 'bad-number', '`.5` is not a valid JSON number'],
  ['[+1]', '[«+1»]', 'bad-number', '`+1` is not a valid JSON number'],
  ['[1.]', '[«1.»]', 'bad-number', '`1.` is not a valid JSON number'],
  ['[0x1F]', '[«0x1F»]', 'bad-number', '`0x1F` is not a valid JSON number'],
  ['[2026-01-02]', '[«2026-01-02»]', 'bad-number', '`2026-01-02` is not a valid JSON number'],
  // Characters that nobody sees.
  ['\ufeff{}', '«\ufeff»{}', 'invisible-character', 'A byte order mark is not whitespace in JSON'],
  [
    '{\u00a0"a":1}',
    '{«\u00a0»"a":1}',
    'invisible-character',
    'The invisible character U+00A0 is not whitespace in JSON',
  ],
]

test('Each mistake has one problem, at its first cause', () => {
  for (const [body, underlined, kind, message] of rows) {
    const { problem } = jsonBody(body)
    assert.ok(problem, `${JSON.stringify(body)} is taken for JSON`)
    assert.deepEqual(
      [underline(body, problem.range), problem.kind, problem.message],
      [underlined, kind, message],
    )
  }
})

test('An unclosed bracket, a wrong closer and an unclosed string say where it was opened', () => {
  const openers = [
    ['{"a":[1', '{"a":«[»1'],
    ['{"a":[1}', '{"a":«[»1}'],
    ['{"a":"x', '{"a":«"»x'],
    ['{"a":"x\ny"}', '{"a":«"»x\ny"}'],
  ] as const
  for (const [body, underlined] of openers) {
    const related = jsonBody(body).problem?.related
    assert.ok(related)
    assert.equal(underline(body, related.range), underlined)
  }
})

test('Valid bodies say what type of value they hold', () => {
  const types = [' {"a":1}\n', '[]', '"x"', '-1', 'true', 'null'].map((body) => {
    const result = jsonBody(body)
    return result.ok ? result.type : result.problem.kind
  })
  assert.deepEqual(types, ['object', 'array', 'string', 'number', 'boolean', 'null'])
})

test('A hundred thousand levels of nesting are read', () => {
  const levels = 100_000
  assert.deepEqual(jsonBody('['.repeat(levels) + ']'.repeat(levels)), { ok: true, type: 'array' })
  assert.equal(jsonBody('['.repeat(levels)).problem?.kind, 'unexpected-end')
  assert.equal(jsonBody('{"a":'.repeat(levels) + '1' + '}'.repeat(levels + 1)).problem?.kind, 'extra-closer')
})

test('Keys that an object has twice are found, also when one is spelled with escapes', () => {
  const body = '{"a":1,"b":{"a":2,"\\u0061":3},"a":[{"a":1},{"a":2}],"x\\"":"a:","x\\"":1}'
  const found = [...duplicateJsonKeys(body)].map(({ key, range, related }) => [
    key,
    body.slice(range.start, range.end),
    related.range.start,
  ])
  assert.deepEqual(found, [
    ['a', '"\\u0061"', 12],
    ['a', '"a"', 1],
    ['x"', '"x\\""', 52],
  ])
})

test('Whether a key stands twice is told without reading the text again, unless it looks so', () => {
  const may = (text: string) => mayRepeatKeys(text, JSON.parse(text))
  const without = [
    '{}',
    '[1, "a:", 2]',
    '{"a" : 1, "b"\n:\t{"a":2}, "c": [{"a":3}]}',
    '{"a":"{\\"b\\":1,\\"b\\":2}","b\\\\":"x"}',
    '{"__proto__":{"toString":1},"toString":2}',
  ]
  for (const text of without) assert.equal(may(text), false, text)
  for (const text of ['{"a":1,"a":2}', '[{"b":{"a" :1,"\\u0061" :2}}]', '{"__proto__":1,"__proto__":1}'])
    assert.equal(may(text), true, text)
  assert.equal(may('{"a":":","b":": x"}'), true) // looks so; the other function knows
  assert.deepEqual([...duplicateJsonKeys('{"a":":","b":": x"}')], [])
})

test('The tree of a body has ranges, also if the body has mistakes, and a limit that it names', () => {
  const broken = jsonTree('{"a": [1, }')
  assert.equal(broken.root?.children?.[0]?.children?.[0]?.value, 'a')
  assert.equal(jsonTree('').root, undefined)
  assert.equal(jsonTree('['.repeat(512) + ']'.repeat(512)).problem, undefined)
  const deep = jsonTree('['.repeat(513) + ']'.repeat(513))
  assert.equal(deep.root, undefined)
  assert.deepEqual(deep.problem?.range, { start: 512, end: 513 })
  assert.equal(deep.problem?.message, 'JSON nested more than 512 levels deep is not examined')
})
