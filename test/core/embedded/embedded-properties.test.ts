/** What holds for any text: nothing throws, ranges are inside, verdicts agree with the engine's, cost is linear. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { duplicateJsonKeys, mayRepeatKeys } from '../../../core/src/embedded/duplicate-json-keys.ts'
import type { EmbeddedProblem } from '../../../core/src/embedded/embedded-problem.ts'
import { headerCompletions } from '../../../core/src/embedded/header-completion.ts'
import { headerHover } from '../../../core/src/embedded/header-hover.ts'
import { headerMismatches } from '../../../core/src/embedded/header-mismatch.ts'
import { headerSchema } from '../../../core/src/embedded/header-schema.ts'
import { jsonBody } from '../../../core/src/embedded/json-body.ts'
import { jsonTree } from '../../../core/src/embedded/json-tree.ts'
import { yamlBody } from '../../../core/src/embedded/yaml-body.ts'
import { entryAt, type HeaderEntry, versionOf, yamlHeader } from '../../../core/src/embedded/yaml-header.ts'
import { codePoint, propertyRuns } from '../../helpers/arbitraries.ts'
import { assertLinear } from './growth.ts'

const words = [{ name: 'one', summary: 'One' }]
const schema = headerSchema({
  roles: words,
  channels: words,
  tokens: words,
  streamingEvents: words,
  intents: [],
  builtinTools: words,
})

/** `fragments` in any order, with arbitrary text in between. */
function soup(fragments: readonly string[]): fc.Arbitrary<string> {
  const fragment = fc.constantFrom(...fragments)
  const piece = fc.oneof({ weight: 12, arbitrary: fragment }, fc.string({ maxLength: 3, unit: codePoint }))
  return fc.array(piece, { maxLength: 24 }).map((it) => it.join(''))
}

const jsonSoup = soup([
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"a"',
  "'",
  '1',
  '-',
  '0',
  '.5',
  'e',
  '\\',
  '\\u00',
  '//',
  '/*',
  '*/',
  '```',
  'true',
  'nul',
  'None',
  'NaN',
  ' ',
  '\n',
  '\t',
  '\r',
  '\u0000',
  '\ufeff',
  '\u2028',
  '\ud800',
  'key',
  '“',
])
const yamlSoup = soup([
  'a',
  'b: ',
  ': ',
  ':',
  '- ',
  '? ',
  '\n',
  '\n  ',
  '\n    ',
  '\r',
  '\r\n',
  '\t',
  '#',
  ' # c',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  '&a ',
  '*a',
  '!!str ',
  '!x',
  '|',
  '>',
  '---',
  '...',
  '%YAML 1.1\n',
  '<<: ',
  'version: ',
  '2.10',
  'profiles:',
  'harmony:',
  '\ufeff',
  '\u0000',
  '\u0002',
  '\u0018',
  '\u001f',
  '\ud800',
  '__proto__: ',
  '~',
  '.inf',
])

/** One slip of a writer in valid JSON: something inserted, deleted or cut off. */
const almostJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom('', ',', '}', ']', '"', "'", '\\', '\n', '//', 'x', '0', ':'),
    fc.nat({ max: 3 }),
  )
  .map(([json, place, inserted, deleted]) => {
    const at = place % (json.length + 1)
    return json.slice(0, at) + inserted + json.slice(at + deleted)
  })

function assertInside(text: string, { range, related }: EmbeddedProblem): void {
  for (const { start, end } of related ? [range, related.range] : [range]) {
    assert.ok(0 <= start && start <= end && end <= text.length)
    assert.ok(start < end || text === '', 'an empty range')
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function check(property: fc.IPropertyWithHooks<[string]>, numRuns: number): void {
  fc.assert(property, { numRuns })
}

test('A body is valid JSON if and only if the engine can parse it, and otherwise has a problem inside it', () => {
  const property = fc.property(fc.oneof(jsonSoup, almostJson, fc.string(), fc.json()), (text) => {
    const { ok, problem } = jsonBody(text)
    assert.equal(ok, isJson(text))
    if (problem) assertInside(text, problem)
    else if (!duplicateJsonKeys(text).next().done) assert.ok(mayRepeatKeys(text, JSON.parse(text)))
    // Never the answer for want of an explanation: that one covers a whole text that begins like JSON.
    assert.ok(problem?.kind !== 'not-json' || !/^\s*[[{"\d]/.test(text))
    jsonTree(text)
  })
  check(property, 10 * propertyRuns)
})

test('Any text is read as a header and as a YAML body, with all ranges inside', () => {
  const property = fc.property(fc.oneof(yamlSoup, fc.string({ unit: codePoint })), (text) => {
    const header = yamlHeader(text)
    const { problem } = yamlBody(text)
    for (const it of problem ? [...header.problems, problem] : header.problems) assertInside(text, it)
    assert.ok(header.isEmpty || header.value || header.problems.length > 0, 'no data and no reason')
    assertNested(header.entries, 0, text.length)
    versionOf(header)
    headerMismatches(header, schema)
    JSON.stringify(header.value)
  })
  check(property, 10 * propertyRuns)
})

/** Entries lie inside the entry around them. Siblings of broken YAML may overlap. */
function assertNested(entries: readonly HeaderEntry[], start: number, end: number): void {
  for (const { range, keyRange, valueRange, children } of entries) {
    assert.ok(start <= range.start && range.start <= range.end && range.end <= end, 'an entry outside')
    for (const inner of keyRange ? [keyRange, valueRange] : [valueRange]) {
      assert.ok(
        range.start <= inner.start && inner.start <= inner.end && inner.end <= range.end,
        'a part outside',
      )
    }
    assertNested(children, range.start, range.end)
  }
}

test('Completion and hover answer at every offset of any text, for a word on the line of the cursor', () => {
  const property = fc.property(yamlSoup, (text) => {
    const header = yamlHeader(text)
    for (let offset = 0; offset <= text.length; offset++) {
      entryAt(header, offset)
      headerHover(header, offset, schema)
      for (const { range } of headerCompletions(header, offset, schema)) {
        assert.ok(
          0 <= range.start && range.start <= offset && offset <= range.end && range.end <= text.length,
        )
        assert.ok(!/[\r\n]/.test(text.slice(range.start, range.end)), 'a range over several lines')
      }
    }
  })
  check(property, 4 * propertyRuns)
})

const repeat = (unit: string) => (size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
const between = (before: string, unit: string, after: string) => (size: number) =>
  before + repeat(unit)(size - before.length - after.length) + after
const numbered = (line: (index: number) => string) => (size: number) => {
  let text = ''
  for (let index = 0; text.length < size - 40; index++) text += line(index)
  return text
}

test('Hostile bodies cost time in proportion to their length', () => {
  const hostile: Readonly<Record<string, (size: number) => string>> = {
    'open arrays': repeat('['),
    'open objects': repeat('{"a":'),
    'closed arrays': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2) + 'x',
    'a long string': between('"', 'x', ''),
    escapes: between('"', '\\u0041', '\\x"'),
    'a long number': between('[', '1', 'x]'),
    spaces: between('[', ' \n', 'x'),
    'a block comment': between('[1, ', '/*', ''),
    quotes: repeat('"'),
    fences: repeat('```\n'),
    prose: repeat('word '),
    'many strings': between('[', '"a",', 'x]'),
  }
  for (const [name, text] of Object.entries(hostile)) {
    assertLinear(name, 200_000, text, (body) => {
      jsonBody(body)
      jsonTree(body)
    })
  }
  assertLinear('equal keys', 200_000, between('{', '"a":1,', '"b":1}'), (text) => {
    mayRepeatKeys(text, {})
    Array.from(duplicateJsonKeys(text))
  })
  const looks = { colons: repeat(' :'), quotes: repeat('\\\\":') }
  for (const [name, text] of Object.entries(looks)) {
    assertLinear(
      name,
      200_000,
      (size) => JSON.stringify(text(size)),
      (it) => mayRepeatKeys(it, it),
    )
  }
})

test('Hostile headers cost time in proportion to their length', () => {
  const hostile: Readonly<Record<string, (size: number) => string>> = {
    'different keys': numbered((index) => `k${index}: ${index}\n`),
    'equal keys': repeat('a: 1\n'),
    'keys in brackets': between('a: {', 'b: c, ', '}'),
    'open brackets': repeat('['),
    'nested brackets as keys': (size) =>
      `${'['.repeat(90)}${'x, '.repeat((size - 400) / 3)}${']: y'.repeat(90)}`,
    'nested items': repeat('- '),
    'deep lines': numbered((index) => `${' '.repeat(index % 90)}k:\n`),
    anchors: numbered(
      (index) => `a${index}: &a${index} [*a${Math.max(0, index - 1)}, *a${Math.max(0, index - 1)}]\n`,
    ),
    'aliases of one anchor': between('a: &a [1]\nb: [', '*a, ', ']'),
    tabs: repeat('\ta: b\n'),
    quotes: repeat('"'),
    'unclosed quotes': repeat('a: "x\n'),
    'a long scalar': between('a: ', 'x ', ''),
    'a long number': between('a: ', '1', ''),
    'a block scalar': between('a: |\n', '  x\n\n', ''),
    comments: between('a: b\n', '  # x\n', 'c: d'),
    documents: repeat('a\n---\n'),
    'text without colons': repeat('word\n'),
    'lines in open brackets': between('a: [\n', '  x,\n', ''),
    colons: repeat(': '),
  }
  for (const [name, text] of Object.entries(hostile)) {
    assertLinear(name, 24_000, text, (header) => {
      const read = yamlHeader(header)
      versionOf(read)
      headerMismatches(read, schema)
      headerCompletions(read, header.length, schema)
      headerHover(read, header.length / 2, schema)
    })
  }
})
