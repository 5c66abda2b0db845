/** The translations that are shipped: each is complete, and says the same as the English texts as far as a program can tell. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { analyze, hover, setTranslations, Transcript } from '../../core/src/internal.ts'
import { languages, problemsOf, translationProblems } from '../../scripts/translation-problems.mjs'
import { problemsIn } from '../rules/check-rules.ts'

test('German, Japanese, and Simplified Chinese are complete; CONTRIBUTING.md says how to add a text', () => {
  assert.deepEqual(languages().sort(), ['de', 'ja', 'zh-cn'])
  assert.deepEqual(translationProblems(), [])
})

describe('a translation', () => {
  const english = {
    'Remove {0}': 'Remove {0}',
    'Write `x`…': 'Write `x`…',
    Text: 'Text',
    '**Bold**\n': '**Bold**\n',
  }
  const german = {
    'Remove {0}': '{0} entfernen',
    'Write `x`…': '`x` schreiben…',
    Text: 'Text',
    '**Bold**\n': '**Fett**\n',
  }

  test('has every text, with its places, code, line breaks, and marks', () => {
    assert.deepEqual(problemsOf(english, german), [])
  })

  for (const [problem, change] of [
    ['missing: Text', { Text: undefined }],
    ['empty: Text', { Text: '' }],
    ['stale: Old', { Old: 'Alt' }],
    ['other placeholders: Remove {0}', { 'Remove {0}': '{1} entfernen' }],
    ['other code: Write `x`…', { 'Write `x`…': '`y` schreiben…' }],
    ['other ellipsis: Write `x`…', { 'Write `x`…': '`x` schreiben' }],
    ['other line breaks: **Bold**\n', { '**Bold**\n': '**Fett** ' }],
    ['other bold text: **Bold**\n', { '**Bold**\n': 'Fett\n' }],
    ['not translated: Write `x`…', { 'Write `x`…': 'Write `x`…' }],
  ] as const) {
    test(`is refused: ${problem.trim()}`, () => {
      const changed = Object.entries({ ...german, ...change }).filter(([, text]) => text !== undefined)
      assert.deepEqual(problemsOf(english, Object.fromEntries(changed)), [problem])
    })
  }
})

describe('the product', () => {
  after(() => setTranslations())

  for (const [language, problem, explained] of [
    ['de', 'Unbekannter Kanal `finl`; ist `final` gemeint?', /\*\*Sichtbar\*\* für Benutzer/],
    ['ja', '不明なチャネル `finl`。`final` のことですか?', /ユーザーに\*\*表示\*\*されます/],
    ['zh-cn', '未知的通道 `finl`；你是否指的是 `final`?', /对用户\*\*可见\*\*/],
  ] as const) {
    test(`speaks ${language}`, () => {
      setTranslations(JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8')))
      const [found] = problemsIn('version: 2.2\n<|start|>assistant<|channel|>finl<|message|>Hi<|end|>')
      assert.equal(found?.message, problem)
      const text = '<|start|>user<|message|>Hi<|end|>'
      assert.match(hover(analyze(Transcript.parse(text)), 10)?.markdown ?? '', explained)
    })
  }
})
