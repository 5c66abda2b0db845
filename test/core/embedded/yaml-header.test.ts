/** What the YAML header says and what is wrong with it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yamlBody } from '../../../core/src/embedded/yaml-body.ts'
import { blockOf } from '../../../core/src/embedded/yaml-edit.ts'
import {
  entryAt,
  fitsHeader,
  headerSizeLimit,
  valueAt,
  versionOf,
  type YamlProblemKind,
  yamlHeader,
} from '../../../core/src/embedded/yaml-header.ts'
import { underline } from './underlined.ts'

/** The header of 2.2 §2. */
const canonical = `version: 2.2 # required
model: gpt-oss-120b
generation_settings: # optional
  temperature: 0.7
  reasoning_effort: "medium"
  builtin_tools: ["browser", "python"]
capabilities:
  tokens: ["<|start|>", '<|end|>']
profiles:
  harmony:
    enabled: true
    builtins_in:
      - analysis
      - commentary # both
`

test('integers that would be rounded are text', () => {
  const { value } = yamlHeader(
    'a: 12345678901234567890\nb: -9007199254740993\nc: 9007199254740991\nd: 1e300\ne: 0xffffffffffffffffff\nf: 1.5',
  )
  assert.equal(
    JSON.stringify(value),
    '{"a":"12345678901234567890","b":"-9007199254740993","c":9007199254740991,"d":1e+300,"e":"0xffffffffffffffffff","f":1.5}',
  )
})

test('A header is plain data', () => {
  assert.equal(
    JSON.stringify(yamlHeader(canonical).value),
    JSON.stringify({
      version: 2.2,
      model: 'gpt-oss-120b',
      generation_settings: {
        temperature: 0.7,
        reasoning_effort: 'medium',
        builtin_tools: ['browser', 'python'],
      },
      capabilities: { tokens: ['<|start|>', '<|end|>'] },
      profiles: { harmony: { enabled: true, builtins_in: ['analysis', 'commentary'] } },
    }),
  )
})

test('Comments, white space and document markers alone are an empty header', () => {
  for (const text of ['', ' \n\n', '# note\n', '---', '---\n# note', '...']) {
    const { isEmpty, value, problems } = yamlHeader(text)
    assert.deepEqual({ isEmpty, value, problems }, { isEmpty: true, value: undefined, problems: [] }, text)
  }
})

test('Markers around the document are not part of it, and every line break counts', () => {
  for (const text of [
    '---\na: 1\nb: 2',
    'a: 1\nb: 2\n---\n',
    'a: 1\nb: 2\n...\n',
    'a: 1\r\nb: 2',
    'a: 1\rb: 2',
  ]) {
    assert.equal(JSON.stringify(yamlHeader(text).value), '{"a":1,"b":2}', JSON.stringify(text))
  }
})

test('The core schema holds, whatever a directive says: no merge keys, no yes and no, no binary', () => {
  const { value } = yamlHeader('%YAML 1.1\n---\na: yes\n<<: {b: 1}\nc: !!binary aGk=\nd: 010\ne: .inf')
  assert.equal(JSON.stringify(value), '{"a":"yes","<<":{"b":1},"c":"aGk=","d":10,"e":".inf"}')
})

test('Keys of objects in JavaScript are keys like any other', () => {
  const { value } = yamlHeader('__proto__: {polluted: 1}\nconstructor: {prototype: 2}\ntoString: 3')
  assert.ok(value)
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'toString'])
  assert.equal(Object.getPrototypeOf(value), null)
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})

/** A header, where its first problem is underlined, its kind and its message. */
type Row = readonly [header: string, underlined: string, kind: YamlProblemKind, message: string]

const rows: readonly Row[] = [
  ['version: 2\npro', 'version: 2\n«pro»', 'syntax-error', 'A key must be followed by `:`'],
  ['pro\nversion: 2', '«pro»\nversion: 2', 'syntax-error', 'A key must be followed by `:`, on its own line'],
  [
    'model: foo: bar',
    'model: «f»oo: bar',
    'syntax-error',
    'Unexpected second `: ` on one line; put text with a colon in quotes',
  ],
  [
    'a: 1\n  b: 2',
    'a: «1»\n  b: 2',
    'syntax-error',
    'The key already has this value, but the next line is indented as if it belonged to the key',
  ],
  [
    'a:\n  b: 1\n c: 2',
    'a:\n  b: 1\n «c»: 2',
    'syntax-error',
    'The key is not aligned with the keys before it',
  ],
  [
    'a:\n  - b\n - c',
    'a:\n  - b\n «-» c',
    'syntax-error',
    'The item is not aligned with the items before it',
  ],
  ['a: - b', 'a: «-» b', 'syntax-error', 'A list must begin on the line after its key'],
  ['a:\n\tb: 1', 'a:\n«\t»b: 1', 'syntax-error', 'Tabs are not allowed as indentation'],
  ['a: [1, 2\nb: 3', 'a: [1, 2\n«b»: 3', 'syntax-error', '`]` is missing, or its line is not indented'],
  ['{a: 1', '{a: «1»', 'syntax-error', '`}` is missing'],
  ['a: }', 'a: «}»', 'syntax-error', 'Unmatched `}`'],
  ['a: "foo', 'a: "fo«o»', 'syntax-error', 'The closing `"` is missing'],
  ["'a': 'b' c", "'a': 'b' «c»", 'syntax-error', 'Unexpected text after the value'],
  ['hello there\n', '«hello there»\n', 'not-a-mapping', 'The header is not a YAML mapping of keys to values'],
  ['- a\n- b', '«- a»\n- b', 'not-a-mapping', 'The header is not a YAML mapping of keys to values'],
  ['null', '«null»', 'not-a-mapping', 'The header is not a YAML mapping of keys to values'],
  [
    'a: 1\n---\nb: 2\n',
    'a: 1\n---\n«b: 2»\n',
    'second-document',
    'Unexpected second YAML document; the YAML header must be a single document',
  ],
  [
    'a: 1\n"a": 2',
    'a: 1\n«"a"»: 2',
    'duplicate-key',
    'Duplicate key `a` in this mapping; the first one is used',
  ],
  ['a: *x', 'a: «*x»', 'unresolved-alias', 'Unknown alias `*x`; the anchor `&x` must come before it'],
  ['a: &a [*a]', 'a: &a [«*a»]', 'circular-alias', '`*a` refers to a value that contains it'],
]

test('One cause has one problem', () => {
  for (const [header, underlined, kind, message] of rows) {
    const { problems } = yamlHeader(header)
    assert.equal(problems.length, 1, header)
    const [problem] = problems
    assert.ok(problem)
    assert.deepEqual(
      [underline(header, problem.range), problem.kind, problem.message],
      [underlined, kind, message],
    )
  }
})

test('Malformed YAML has no data, but its keys stay recognisable', () => {
  const { value, entries } = yamlHeader('version: 2.2\nprofiles:\n  harmony: a: b\nmodel: m')
  assert.equal(value, undefined)
  assert.deepEqual(
    entries.map(({ key }) => key),
    ['version', 'profiles', 'model'],
  )
})

test('Of a key that stands twice the first counts, and all repetitions are reported', () => {
  const header = yamlHeader('a: 1\nb: {c: 1, c: 2}\na: 2\na: 3')
  assert.equal(JSON.stringify(header.value), '{"a":1,"b":{"c":1}}')
  assert.deepEqual(
    header.problems.map(({ range, related }) => [range.start, related?.range.start]),
    [
      [15, 9],
      [21, 0],
      [26, 0],
    ],
  )
})

test('Aliases stand for their anchors', () => {
  const header = yamlHeader('a: &x [analysis, final]\nb: *x\n&k c: *k')
  assert.equal(JSON.stringify(header.value), '{"a":["analysis","final"],"b":["analysis","final"],"c":"c"}')
  assert.equal(valueAt(header, ['b'])?.type, 'array')
})

test('A limit that is hit is named', () => {
  const bomb = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
  for (let level = 1; level < 10; level++) {
    bomb.push(`a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]`)
  }
  const cases = [
    [bomb.join('\n'), 'alias-limit', 'Aliases that expand to more than 10000 values are not read'],
    ['a: ' + '['.repeat(101), 'too-deep', 'YAML nested more than 100 levels deep is not read'],
    ['- '.repeat(101) + 'a', 'too-deep', 'YAML nested more than 100 levels deep is not read'],
    ['\n# x' + ' '.repeat(headerSizeLimit), 'too-large', 'YAML longer than 65536 characters is not read'],
    [`a: [${'b,'.repeat(10_000)}]`, 'too-large', 'YAML with more than 20000 syntax elements is not read'],
    [':\n'.repeat(10_000), 'too-large', 'YAML with more than 20000 syntax elements is not read'],
  ] as const
  for (const [text, kind, message] of cases) {
    const { value, problems } = yamlHeader(text)
    assert.equal(value, undefined)
    assert.deepEqual(
      problems.map((it) => [it.kind, it.message]),
      [[kind, message]],
    )
  }
})

test('The beginning of a header with too many elements is read: its keys are there, and mistakes in it come first', () => {
  const items = '- b\n'.repeat(10_000)
  const { value, entries, problems } = yamlHeader(`version: 2.2\na:\n${items}`)
  assert.equal(value, undefined)
  assert.deepEqual(
    entries.map(({ key }) => key),
    ['version', 'a'],
  )
  assert.deepEqual(
    problems.map(({ kind }) => kind),
    ['too-large'],
  )
  assert.ok((problems[0]?.range.start ?? 0) > 10_000, 'where reading stops')
  const mistaken = yamlHeader(`version: 2.2\nmodel\na:\n${items}`)
  assert.deepEqual(
    mistaken.problems.map((it) => [it.kind, it.range.start]),
    [['syntax-error', 13]],
  )
})

test('A header of sixty tools fits, as YAML and as JSON', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `property_${index}`,
      { type: 'string', description: 'What the tool is told of this.', enum: ['one', 'two'] },
    ]),
  )
  const tool = { type: 'object', properties, required: ['property_0'] }
  const tools = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`tool_${index}`, tool]))
  const inBlocks = blockOf({ version: 2.2, tools })
  const inBrackets = `version: 2.2\ntools: ${JSON.stringify(tools)}\n`
  for (const text of [inBlocks, inBrackets]) {
    assert.ok(text.length > 50_000)
    assert.deepEqual(yamlHeader(text).problems, [])
    assert.ok(fitsHeader(text, 1))
  }
})

test('What fits a header is what is read of it', () => {
  for (const unit of ['a,', '?,', 'a:,', '"",', '[],', '{a: b},', ':,']) {
    const text = (count: number) => `a: [${unit.repeat(count)}]`
    let fitting = 0
    for (let step = 8192; step >= 1; step /= 2) if (fitsHeader(text(fitting + step), 1)) fitting += step
    assert.ok(fitting > 1000, unit)
    assert.deepEqual(yamlHeader(text(fitting)).problems, [], unit)
    assert.equal(yamlHeader(text(fitting + 1)).problems[0]?.kind, 'too-large', unit)
  }
})

test('Of equal keys and unknown aliases, the first 300 are reported', () => {
  for (const unit of ['a: 1\n', 'a: *b\n']) assert.equal(yamlHeader(unit.repeat(2000)).problems.length, 300)
})

test('Text with hundreds of mistakes is not read to its end, and its first mistake is named', () => {
  const line = 'key: !a !b c\n' // a node can have one tag
  const few = yamlHeader(line.repeat(100))
  assert.equal(few.entries.length, 100)
  assert.deepEqual(
    few.problems.map((it) => [it.kind, it.range.start, it.message]),
    [['syntax-error', 8, 'A node can have at most one tag']],
  )
  for (const count of [400, 4000]) {
    const many = yamlHeader(line.repeat(count))
    assert.deepEqual(many.entries, [])
    assert.deepEqual(many.problems, few.problems)
  }
  const isFine = `ok: 1\n${'# fine\n'.repeat(2500)}`
  assert.equal(yamlHeader(isFine + line.repeat(3000)).problems[0]?.range.start, isFine.length + 8)
})

test('Entries know where they are', () => {
  const header = yamlHeader(canonical)
  const shown = (path: readonly (string | number)[]) => {
    const entry = valueAt(header, path)
    return entry && canonical.slice(entry.range.start, entry.range.end)
  }
  assert.equal(shown(['version']), 'version: 2.2')
  assert.equal(shown(['generation_settings', 'reasoning_effort']), 'reasoning_effort: "medium"')
  assert.equal(shown(['generation_settings', 'builtin_tools', 1]), '"python"')
  assert.equal(shown(['profiles', 'harmony', 'builtins_in', 1]), 'commentary')
  assert.equal(
    shown(['profiles']),
    canonical.slice(canonical.indexOf('profiles'), canonical.indexOf(' # both')),
  )
  assert.equal(shown(['profiles', 'nothing']), undefined)
})

test('An offset leads to the entry under it', () => {
  const header = yamlHeader(canonical)
  const at = (needle: string) => {
    const place = entryAt(header, canonical.indexOf(needle) + 1)
    return place && `${place.part} ${place.path.join('.')}`
  }
  assert.equal(at('version'), 'key version')
  assert.equal(at('2.2'), 'value version')
  assert.equal(at('"medium"'), 'value generation_settings.reasoning_effort')
  assert.equal(at('"python"'), 'value generation_settings.builtin_tools.1')
  assert.equal(at('commentary'), 'value profiles.harmony.builtins_in.1')
  assert.equal(at('# required'), undefined)
})

test('The version is major[.minor], as a number or a quoted string (D2)', () => {
  const versions = [
    ['version: 2.2', 'known 2.2'],
    ['version: "2.2"', 'known 2.2'],
    ["version: '2'", 'known 2.0'],
    ['version: 2', 'known 2.0'],
    ['version: 2.0', 'known 2.0'],
    ['version: 2.10', 'known 2.1, loses a zero'],
    ['version: "2.10"', 'known 2.10'],
    ['version: !!str 2.1', 'known 2.1'],
    ['v: &v 2.1\nversion: *v', 'known 2.1'],
    ['version: 3.7 # future', 'known 3.7'],
    ['version:', 'empty'],
    ['version: ""', 'empty'],
    ['version: ~', 'empty'],
    ['version: v2', 'invalid'],
    ['version: 2.2.1', 'invalid'],
    ['version: 2.', 'invalid'],
    ['version: 0x2', 'invalid'],
    ['version: -2', 'invalid'],
    ['version: [2, 2]', 'invalid'],
    ['version: {major: 2}', 'invalid'],
    ['version: [{major: 2}]', 'invalid'],
    ['version: true', 'invalid'],
    ['model: x', 'missing'],
    ['', 'missing'],
    ['version: 2.2\npro', 'unreadable'],
    ['version 2.2', 'unreadable'],
  ] as const
  for (const [text, expected] of versions) {
    const version = versionOf(yamlHeader(text))
    const shown =
      version.kind === 'known'
        ? `known ${version.major}.${version.minor}${version.losesZero ? ', loses a zero' : ''}`
        : version.kind
    assert.equal(shown, expected, text)
  }
})

test('A YAML body is checked as YAML, whatever it holds', () => {
  const bodies = [
    ['', 'ok'],
    ['just text', 'ok'],
    ['- a\n- b: c\n', 'ok'],
    ['a: 1\n---\nb: 2', 'ok'],
    ['a: &a [*a]', 'ok'],
    ['a: [1', 'syntax-error'],
    ['a: 1\na: 2', 'duplicate-key'],
    ['a: *b', 'unresolved-alias'],
    ['a: 1\n---\nb: *c', 'unresolved-alias'],
    ['['.repeat(101), 'too-deep'],
    [' '.repeat(0x40001), 'too-large'],
    ['- b\n'.repeat(10_000), 'too-large'],
  ] as const
  for (const [text, expected] of bodies) {
    const result = yamlBody(text)
    assert.equal(result.ok ? 'ok' : result.problem.kind, expected, text.slice(0, 20))
  }
})
