/** Configuration files: what they set for which path, and what is said about mistakes in them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { settingsForPath } from '../../core/src/rules/configuration.ts'
import { readConfiguration } from '../../core/src/rules/configuration-reader.ts'
import { PathPattern } from '../../core/src/rules/path-pattern.ts'

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
      'note «token-in-bod» Unknown rule or code `token-in-bod`; did you mean `token-in-body`?',
      'note «X-Y» Unknown rule or code `X-Y`',
    ])
  })

  it('is told of everything else', () => {
    assert.deepEqual(messages('rule:\n  unknown-role: off\n'), [
      'error «rule» Unknown configuration key `rule`; did you mean `rules`?',
    ])
    assert.deepEqual(messages('rules: off'), [
      'error «off» `rules` must be a mapping of rules and codes to severities',
    ])
    assert.match(
      messages('rules:\n  unknown-role: loud\n')[0] ?? '',
      /^error «loud» Unknown severity `loud` for `unknown-role`; expected one of /,
    )
    assert.match(
      messages('rules:\n  unknown-role:\n')[0] ?? '',
      /^error «unknown-role.*`unknown-role` is missing a severity; expected one of /s,
    )
    assert.match(messages('overrides: x')[0] ?? '', /takes a list/)
    assert.match(messages('overrides:\n  - rules: {}\n')[0] ?? '', /needs `files`/)
    assert.match(messages('overrides: [1]')[0] ?? '', /must be a mapping with `files` and `rules`/)
    assert.match(messages('overrides:\n  - files: [1]\n')[0] ?? '', /A pattern must be a string/)
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
    ['{a,b{c,d}e}.ocm', 'bde.ocm', true],
    ['{a,b{c,d}e}.ocm', 'bce', false],
    ['{a,}b', 'b', true],
    ['a,b', 'a,b', true],
    ['x/**/y/**/z.ocm', 'x/a/y/z.ocm', true],
    ['x/**/y/**/z.ocm', 'x/a/z.ocm', false],
    ['/x**y', 'xa/by', true],
    ['?.ocm', '😀.ocm', true],
    ['?/a', '//a', false],
    ['', '', true],
  ]
  for (const [pattern, path, fits] of cases) {
    it(`\`${pattern}\` ${fits ? 'fits' : 'does not fit'} \`${path}\``, () => {
      assert.equal(new PathPattern(pattern).matches(path), fits)
    })
  }

  it('costs the product of both lengths at most, whatever it holds', () => {
    const stepsOf = (pattern: string, path: string) => {
      const it = new PathPattern(pattern)
      it.matches(path)
      return it.steps
    }
    const hostile: readonly ((n: number) => string)[] = [
      (n) => `${'*a'.repeat(n)}*b`,
      (n) => `${'**/'.repeat(n)}b`,
      (n) => `${'**/*a'.repeat(n)}b`,
      (n) => `${'{a,aa,*}'.repeat(n)}b`,
      (n) => `${'{'.repeat(n)}a*a*a*b`,
      (n) => `${'{*,'.repeat(n)}b`,
    ]
    const path = (n: number) => 'a/'.repeat(n) + 'a'.repeat(n)
    for (const pattern of hostile) {
      for (const [text, places] of [
        [pattern(50), path(200)],
        [pattern(50), path(400)],
        [pattern(100), path(400)],
      ] as const) {
        const bound = 4 * (text.length + 4) * (places.length + 1)
        assert.ok(stepsOf(text, places) <= bound, `${text.slice(0, 20)}: ${stepsOf(text, places)} > ${bound}`)
      }
    }
    assert.equal(new PathPattern('*a*a*a*a*b').matches(`${'a'.repeat(100_000)}.ocm`), false)
  })
})

describe('many mistakes', () => {
  it('are one problem for each kind, with a count', () => {
    const keys = Array.from({ length: 2000 }, (_, index) => `k${index}: 1\n`).join('')
    assert.deepEqual(messages(`rules: {}\n${keys}`), [
      'error «k0» Unknown configuration key `k0` (one of 2000 problems of this kind)',
    ])
    const names = Array.from({ length: 2000 }, (_, index) => `  n${index}: off\n`).join('')
    const values = Array.from({ length: 11 }, (_, index) => `  v${index}: loud\n`).join('')
    const found = messages(`rules:\n${names}${values}`)
    assert.equal(found.length, 2)
    assert.match(found[0] ?? '', /^note «n0» .*`n0` \(one of 2000 problems of this kind\)$/)
    assert.match(found[1] ?? '', /^error «loud» .* for `v0`; .* \(one of 11 problems of this kind\)$/)
    const overrides = '- {files: [1, 2], x: 1}\n'.repeat(600)
    assert.equal(messages(`overrides:\n${overrides}`).length, 2)
  })

  it('are not looked for in a file with more elements than are read', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `k${index}: 1\n`).join('')
    assert.deepEqual(messages(keys), ['error «1» YAML with more than 20000 syntax elements is not read'])
  })

  it('are explained one by one while they are few', () => {
    const keys = Array.from({ length: 10 }, (_, index) => `k${index}: 1\n`).join('')
    assert.equal(messages(`rules: {}\n${keys}`).length, 10)
  })
})

describe('a file that is not a configuration', () => {
  const secrets: Readonly<Record<string, string>> = {
    keys: 'api_key: SECRET1\nSECRET2: x\n',
    'keys that appear twice': 'SECRET: 1\nSECRET: 2\n',
    'an alias': 'a: *SECRET\n',
    'a tag': 'a: !SECRET x\nb: !!SECRET y\n',
    'broken YAML': 'a: "SECRET\n',
    'a directive': '%SECRET 1\n---\na: 1\n',
    'a private key': '-----BEGIN SECRET-----\nSECRET\n-----END SECRET-----\n',
    prose: 'SECRET is here: and: there\n',
    JSON: '{"SECRET": {"SECRET": [SECRET]',
    'a list': '- SECRET\n',
  }
  for (const [name, text] of Object.entries(secrets)) {
    it(`is not quoted: ${name}`, () => {
      const { problems, configuration } = readConfiguration(text)
      assert.equal(problems.length, 1, JSON.stringify(problems))
      assert.doesNotMatch(problems[0]?.message ?? '', /SECRET|api/)
      assert.equal(configuration.overrides.length, 0)
    })
  }
})
