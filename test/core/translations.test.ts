/** Everything that users read can be translated: shown in a language that nobody speaks, no English is left. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import {
  analyze,
  bodyRewrites,
  ConversionError,
  channelHints,
  completions,
  convert,
  hover,
  inlayHints,
  localizable,
  localize,
  localized,
  readConfiguration,
  rename,
  rules,
  setTranslations,
  Transcript,
  toolActions,
  toolLenses,
} from '../../core/src/internal.ts'
import { outline } from '../features/outline.ts'
import { plainWords, pseudoLocale } from '../helpers/pseudo-locale.ts'
import { problemsIn } from '../rules/check-rules.ts'

describe('a text', () => {
  after(() => setTranslations())

  test('is English without a translation', () => {
    setTranslations()
    assert.equal(localize`Remove ${2} words`, 'Remove 2 words')
    setTranslations({ 'Something else': 'Etwas anderes' })
    assert.equal(localize`Remove ${2} words`, 'Remove 2 words')
  })

  test('is found by its English, with places in any order', () => {
    setTranslations({ '{0} of {1}': 'von {1} {0}', 'A `\\n`': 'Ein `\\n`' })
    assert.equal(localize`${'a'} of ${'b'}`, 'von b a')
    assert.equal(localize`A \`\\n\``, 'Ein `\\n`')
  })

  test('takes what is filled in as it is', () => {
    setTranslations({ 'Say {0}': '{0} sagen, {1}!' })
    assert.equal(localize`Say ${'{0} $& {1}'}`, '{0} $& {1} sagen, {1}!')
  })

  test('has no backtick inside its backticks', () => {
    for (const bundle of [undefined, { 'A {0}, `b {1}`': '`b {1}`, A {0}' }]) {
      setTranslations(bundle)
      const said = localize`A ${'`a`'}, \`b ${'b`c'}\``
      assert.equal(said, bundle ? "`b b'c`, A `a`" : "A `a`, `b b'c`")
    }
  })

  test('of a table is looked up where it is shown', () => {
    const text = localizable`A channel`
    setTranslations({ 'A channel': 'Ein Kanal' })
    assert.equal(localized(text), 'Ein Kanal')
    assert.equal(localized('unknown'), 'unknown')
  })
})

test('what was read in another language is read again', () => {
  const text =
    '<|start|>developer<|message|># Tools\n\nnamespace functions {\ntype f = (_: {\na: string,\n}<|end|>\n'
  const messages = () => problemsIn(text).map((it) => it.message)
  const english = messages()
  assert.ok(english.length > 1)
  setTranslations(pseudoLocale())
  assert.ok(messages().every((it) => !english.includes(it)))
  setTranslations()
  assert.deepEqual(messages(), english)
})

test('the bundle holds every text of the sources', () => {
  execFileSync(process.execPath, ['scripts/l10n.mjs', '--check'], { stdio: 'pipe' })
})

describe('in another language', () => {
  before(() => setTranslations(pseudoLocale()))
  after(() => setTranslations())

  for (const { name, bad } of rules) {
    test(`${name} has a message and fixes`, () => {
      for (const { message, fixes, related } of problemsIn(bad)) {
        for (const text of [message, ...fixes.map((it) => it.title), ...related.map((it) => it.message)]) {
          const english = wordsOfEnglish(text).filter((it) => !bad.includes(it))
          assert.deepEqual(english, [], text)
        }
      }
    })
  }

  const samples = readdirSync('samples').filter((it) => it.endsWith('.ocm'))
  const texts = samples.map((it) => [it, readFileSync(`samples/${it}`, 'utf8')] as const)

  for (const [name, text] of texts) {
    test(`${name}: hovers`, () => {
      const analysis = analyze(Transcript.parse(text))
      for (const offset of offsetsIn(text)) {
        const found = hover(analysis, offset)
        // What the transcript says of a tool or an input stays in its language.
        if (!found || /```|^`[\w.]+`$/m.test(found.markdown)) continue
        const english = wordsOfEnglish(found.markdown).filter((it) => !text.includes(it))
        assert.deepEqual(english, [], found.markdown)
      }
    })

    test(`${name}: proposals`, () => {
      const analysis = analyze(Transcript.parse(text))
      for (const offset of offsetsIn(text)) {
        for (const { kind, label, detail, documentation } of completions(analysis, offset)) {
          // What a tool is for and takes, its definition says.
          if (kind === 'tool' || text.includes(detail) || /[":]/.test(detail)) continue
          const withoutTools = detail.replaceAll(/\bfunctions\.[\w.]+/g, '')
          assert.deepEqual(wordsOfEnglish(withoutTools), [], `${label}: ${detail}`)
          if (documentation.includes('```')) continue
          const english = wordsOfEnglish(documentation).filter((it) => !text.includes(it))
          assert.deepEqual(english, [], `${label}: ${documentation}`)
        }
      }
    })

    test(`${name}: notes and actions`, () => {
      const analysis = analyze(Transcript.parse(text))
      const whole = { start: 0, end: text.length }
      const shown = [
        ...[...inlayHints(analysis, whole)].map((it) => it.label),
        ...[...toolLenses(analysis)].map((it) => it.title),
        ...[...outline(analysis)].filter((it) => it.kind === 'turn').map((it) => it.name),
        ...offsetsIn(text).flatMap((start) => [
          ...toolActions(analysis, { start, end: start }).map((it) => it.title),
          ...bodyRewrites(analysis, { start, end: Math.min(start + 30, text.length) }).map((it) => it.title),
          ...[rename(analysis, start, 'a b')].flatMap((it) => (it && 'reason' in it ? [it.reason] : [])),
        ]),
      ]
      for (const it of shown) assert.deepEqual(plainWords(it), [], it)
      for (const { label } of channelHints(analysis, whole)) assert.match(label, /^[a-z]+$/) // a word of the format
    })
  }
})

describe('in another language', () => {
  before(() => setTranslations(pseudoLocale()))
  after(() => setTranslations())

  test('a configuration file has its problems', () => {
    const { problems } = readConfiguration(
      'rule: {}\nrules: 1\ntemplates: 2\nintent: x\noverrides:\n  - 3\n  - {rules: {nothing: error, token-in-body: 4}, files: [5], intnt: 6}\n',
    )
    assert.ok(problems.length >= 8)
    for (const { message } of problems) assert.deepEqual(wordsOfEnglish(message), [], message)
    const [notAList] = readConfiguration('overrides: 1\n').problems
    assert.deepEqual(wordsOfEnglish(notAList?.message ?? ''), [])
  })

  test('a conversion has its losses, and a refusal its reason', () => {
    const value = { messages: [{ role: 'a b', content: [{ type: 'x' }], name: 'a b', tool_call_id: 'a b' }] }
    const { losses } = convert(JSON.stringify(value), { from: 'messages', to: 'ocm' })
    assert.ok(losses.length >= 3)
    for (const { message } of losses) assert.deepEqual(wordsOfEnglish(message), [], message)
    const call = { role: 'assistant', tool_calls: [1] }
    const harmony = (content: object) => [
      { role: 'developer', content: [{ type: 'developer_content', ...content }] },
    ]
    for (const [from, messages] of [
      ['messages', [call]],
      ['messages', [{ role: 'user', content: [1] }]],
      ['harmony-json', harmony({ instructions: 1 })],
      ['harmony-json', harmony({ tools: { a: 1 } })],
      ['harmony-json', harmony({ tools: { functions: { tools: [1] } } })],
      ['harmony-json', harmony({ tools: { functions: { tools: [{ name: 1 }] } } })],
    ] as const) {
      const text = JSON.stringify({ messages })
      assert.throws(
        () => convert(text, { from, to: 'ocm' }),
        (error: ConversionError) => {
          assert.deepEqual(wordsOfEnglish(error.message), [], `${text}: ${error.message}`)
          return error instanceof ConversionError
        },
      )
    }
  })
})

/** Words of the format and names stay as they are. */
const names = new Set([
  ...['string', 'number', 'boolean', 'object', 'array', 'integer', 'null', 'any', 'JSON', 'YAML'],
  ...['system', 'developer', 'user', 'assistant', 'tool'],
])

function wordsOfEnglish(text: string): readonly string[] {
  return plainWords(text.replace(/^2\.\d §.*$/gm, '')).filter((it) => !names.has(it))
}

function offsetsIn(text: string): readonly number[] {
  const step = Math.max(1, Math.floor(text.length / 300))
  return Array.from({ length: Math.ceil((text.length + 1) / step) }, (_, index) => index * step)
}
