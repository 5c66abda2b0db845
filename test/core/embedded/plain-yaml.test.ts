/** Plain headers are read as the YAML library reads them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { yamlText } from '../../../core/src/conversation/yaml-text.ts'
import { readPlainMapping } from '../../../core/src/embedded/plain-yaml.ts'
import { type JsonObject, readMapping } from '../../../core/src/embedded/yaml-header.ts'
import { codePoint, propertyRuns } from '../../helpers/arbitraries.ts'

const limit = 0x10000

/** Compares both readers; true if `text` is plain. */
function agree(text: string): boolean {
  const plain = readPlainMapping(text)
  if (!plain) return false
  const { value, entries, problems } = readMapping(text, limit)
  assert.deepEqual(problems, [])
  assert.deepEqual(plain, { value, entries })
  return true
}

const key = fc.oneof(
  fc.stringMatching(/^[A-Za-z][\w.-]{0,5}$/),
  fc.constantFrom('Null', 'True', '__proto__', 'version', 'a', 'b'),
)
const leaf = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 4, arbitrary: key },
  {
    weight: 4,
    arbitrary: fc.constantFrom('TRUE', 'Null', 'off', '~', '1e3', '0x1', ' ', ': ', '- a', '#', '"', 'é'),
  },
  { weight: 2, arbitrary: fc.integer() },
  { weight: 2, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 8 }) },
)
const { mapping } = fc.letrec<{ value: unknown; mapping: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('mapping')),
  mapping: fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 4 }),
}))

/** Values on a line, plain or nearly so. */
const inline = fc.oneof(
  fc.constantFrom(
    ...[
      'word',
      'a.b-c_d',
      'yes',
      'NULL',
      'true',
      '~',
      '-',
      '.inf',
      '2024-01-01',
      'a b',
      'a #b',
      'a:b',
      'a: b',
      '*a',
      '&a 1',
    ],
    ...[
      '1',
      '-0',
      '01',
      '1.',
      '.5',
      '+1',
      '1_000',
      '0o7',
      '0x1F',
      '1e5',
      '-1.50E-3',
      '1e-400',
      '1e999',
      '123456789012345678',
    ],
    ...[
      '"a"',
      '"\\u00e9\\/"',
      '"\\ud83d"',
      '"\\x41"',
      '"a" ',
      '"a" b',
      '"a": 1',
      '"\\"',
      "'a'",
      '"// x"',
      '1 // x',
      '/* x */ 1',
    ],
    ...[
      '[]',
      '{}',
      '[ ]',
      '{ }',
      '[1,2]',
      '[ "a" , -0 ]',
      '[1,]',
      '[a]',
      '["a":1]',
      '[[{"a":[]}]]',
      '[1e999]',
      '[1, 1e400]',
    ],
    ...[
      '{"a":1}',
      '{ "a" : [ null ] }',
      '{"a":1,"a":2}',
      '{"":1}',
      '{"__proto__":{}}',
      '{a: 1}',
      '{"a"}',
      '{"1":1,"0":2}',
    ],
  ),
  fc.json({ maxDepth: 3 }),
)

/** Lines of keys, some of them indented. */
const lines = fc
  .array(
    fc.tuple(
      fc.constantFrom('', '', '', '  ', '  ', '    ', ' '),
      key,
      fc.option(inline),
      fc.constantFrom('\n', '\n', '\n\n'),
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((all) =>
    all
      .map(([indent, name, value, end]) => `${indent}${name}:${value === null ? '' : ` ${value}`}${end}`)
      .join(''),
  )

/** The text of a mapping as it is written into headers. */
const written = mapping.map((it) => yamlText(JSON.parse(JSON.stringify(it)) as JsonObject))

describe('a plain header', () => {
  it('is read as the library reads it', () => {
    fc.assert(
      fc.property(written, fc.constantFrom('', '\n', '\n\n'), (text, end) => void agree(text + end)),
      { numRuns: 20 * propertyRuns },
    )
  })

  it('is read so whatever is on its lines', () => {
    fc.assert(
      fc.property(lines, (text) => void agree(text)),
      { numRuns: 40 * propertyRuns },
    )
  })

  it('is read so wherever it was changed', () => {
    const piece = fc.constantFrom(
      ...[
        ' ',
        '  ',
        '\n',
        ':',
        ': ',
        '- ',
        '"',
        "'",
        '{',
        '}',
        '[',
        ']',
        ',',
        '#',
        ' #',
        '&a ',
        '*a',
        '!',
        '|',
        '>',
      ],
      ...[
        '? ',
        '---\n',
        '\t',
        '\r',
        '1',
        '.',
        '-',
        '%',
        '@',
        '`',
        'a',
        'null',
        '~',
        '\\',
        '\ufeff',
        '\u2028',
        '\u0085',
      ],
    )
    const change = fc.record({ at: fc.nat(), piece, removed: fc.nat({ max: 3 }) })
    fc.assert(
      fc.property(written, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
        let changed = text
        for (const { at, piece: added, removed } of changes) {
          const from = at % (changed.length + 1)
          changed = changed.slice(0, from) + added + changed.slice(from + removed)
        }
        agree(changed)
      }),
      { numRuns: 40 * propertyRuns },
    )
  })

  it('is one with side fields and tools', () => {
    const tools = [
      { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
    ]
    const sides = {
      id: 'sample-1',
      source: 'web',
      score: 0.3450351053159478,
      metadata: { labels: ['kept', 'a b'] },
    }
    const text = yamlText({
      version: 2.2,
      chat_request: { ...sides, tools, empty: {}, none: [], nothing: null },
    })
    assert.equal(agree(`${text}\n`), true)
  })

  it('is neither one with mistakes nor one with anything else', () => {
    for (const text of [
      '',
      '\n',
      'a: b\na: c\n',
      'a:\n',
      'a:\n\n  b: 1\n',
      'a: {"b":1,"b":2}\n',
      'a: 1 # no\n',
      'a: b c\n',
      '- a\n',
    ])
      assert.equal(agree(text), false, JSON.stringify(text))
  })
})
