/** Configuration files: what they set for which path, and what is said about mistakes in them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readConfiguration, settingsForPath } from '../../core/src/rules/configuration.ts'
import { matchesPath } from '../../core/src/rules/path-pattern.ts'

function messages(text: string): readonly string[] {
  return readConfiguration(text).problems.map(
    ({ range, message, isError }) =>
      `${isError ? 'error' : 'note'} «${text.slice(range.start, range.end)}» ${message}`,
  )
}

describe('a configuration file', () => {
  const yaml =
    'rules:\n  token-in-body: hint\noverrides:\n  - files: ["fixtures/**", "*.broken.ocm"]\n    rules:\n      E-PARSE-HEADER: off\n  - files: fixtures/old/\n    rules: {token-in-body: off}\n'

  it('sets rules for paths', () => {
    const { configuration, problems } = readConfiguration(yaml)
    assert.deepEqual(problems, [])
    const settings = (path: string) =>
      settingsForPath(configuration, path).rules.map((it) => Object.fromEntries(it))
    const general = { 'token-in-body': 'hint' }
    assert.deepEqual(settings('chat.ocm'), [general])
    assert.deepEqual(settings('a/b.broken.ocm'), [general, { 'E-PARSE-HEADER': 'off' }])
    assert.deepEqual(settings('fixtures/old/a.ocm'), [
      general,
      { 'E-PARSE-HEADER': 'off' },
      { 'token-in-body': 'off' },
    ])
  })

  it('turns templates off', () => {
    const templates = (text: string) => readConfiguration(text).configuration.templates
    assert.deepEqual(
      [templates('templates: false'), templates('templates: true'), templates('')],
      [false, true, undefined],
    )
    const { configuration, problems } = readConfiguration(
      'templates: false\noverrides:\n  - files: prompts/\n    templates: true\n  - files: "*.ocm"\n    intent: history\n',
    )
    assert.deepEqual(problems, [])
    assert.equal(settingsForPath(configuration, 'prompts/a.ocm').templates, true)
    assert.equal(settingsForPath(configuration, 'a.ocm').templates, false)
  })

  it('may be JSON, and may be empty', () => {
    assert.deepEqual(
      [...readConfiguration('\ufeff{"rules": {"unknown-role": "off"}}').configuration.rules],
      [['unknown-role', 'off']],
    )
    for (const text of ['', '# nothing\n', 'rules:\noverrides:\n', 'rules: {}']) {
      assert.deepEqual(readConfiguration(text).problems, [])
    }
  })

  it('is told of unknown rules, which may be those of another version', () => {
    assert.deepEqual(messages('rules:\n  token-in-bod: off\n  X-Y: hint\n'), [
      'note «token-in-bod» `token-in-bod` is no rule and no code; did you mean `token-in-body`?',
      'note «X-Y» `X-Y` is no rule and no code',
    ])
  })

  it('is told of everything else', () => {
    assert.deepEqual(messages('rule:\n  unknown-role: off\n'), [
      'error «rule» `rule` is no key of the configuration; did you mean `rules`?',
    ])
    assert.deepEqual(messages('rules: off'), [
      'error «off» `rules` takes a mapping of rules and codes to severities',
    ])
    assert.match(
      messages('rules:\n  unknown-role: loud\n')[0] ?? '',
      /^error «loud» .* takes a severity, not/,
    )
    assert.match(messages('rules:\n  unknown-role:\n')[0] ?? '', /^error «unknown-role.*not nothing/s)
    assert.match(messages('overrides: x')[0] ?? '', /takes a list/)
    assert.match(messages('overrides:\n  - rules: {}\n')[0] ?? '', /needs `files`/)
    assert.match(messages('overrides: [1]')[0] ?? '', /is a mapping with `files` and `rules`/)
    assert.match(messages('overrides:\n  - files: [1]\n')[0] ?? '', /A pattern is a text/)
    assert.match(messages('templates: on')[0] ?? '', /^error «on» `templates` takes `true` or `false`$/)
    assert.match(messages('rules: {')[0] ?? '', /^error /)
    assert.match(messages('- a')[0] ?? '', /mapping/)
  })

  it('never makes the reader throw', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'rules: {}[]-&*a\n"', 'overrides', 'files', 'off', 'off\n')),
        (parts) => {
          readConfiguration(parts.join(''))
        },
      ),
    )
  })
})

describe('a pattern', () => {
  const cases: readonly (readonly [pattern: string, path: string, fits: boolean])[] = [
    ['*.ocm', 'a.ocm', true],
    ['*.ocm', 'a/b/c.ocm', true],
    ['*.ocm', 'a.ocm.txt', false],
    ['a/*.ocm', 'a/b.ocm', true],
    ['a/*.ocm', 'a/b/c.ocm', false],
    ['./a/*.ocm', 'a/b.ocm', true],
    ['/a.ocm', 'a.ocm', true],
    ['/a.ocm', 'b/a.ocm', false],
    ['a/**', 'a/b/c.ocm', true],
    ['a/**/c.ocm', 'a/c.ocm', true],
    ['a/**/c.ocm', 'a/b/b/c.ocm', true],
    ['**/c.ocm', 'c.ocm', true],
    ['a/', 'a/b/c.ocm', true],
    ['a/', 'b/a/c.ocm', false],
    ['{a,b}/*.ocm', 'b/x.ocm', true],
    ['{a,b}/*.ocm', 'c/x.ocm', false],
    ['a.o?m', 'a.ocm', true],
    ['a+(b).ocm', 'a+(b).ocm', true],
    ['{a', 'a', true],
    ['a}', 'a}', true],
    ['', '', true],
  ]
  for (const [pattern, path, fits] of cases) {
    it(`\`${pattern}\` ${fits ? 'fits' : 'does not fit'} \`${path}\``, () => {
      assert.equal(matchesPath(pattern, path), fits)
    })
  }
})
