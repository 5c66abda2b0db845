/** Problems that a message allows in its header. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowEdit, analyze, applyEdits, Document, isVisible, Transcript } from '../../core/src/internal.ts'
import { factsOf } from '../../core/src/semantics/message-facts.ts'
import { problemsIn, shown } from './check-rules.ts'

const inUser = (header: string, body = 'What is <|channel|>?') =>
  `version: 2.2\n<|start|>user${header}<|message|>${body}<|end|>\n`

const found: readonly (readonly [text: string, problems: readonly string[]])[] = [
  [inUser(''), ['warning token-in-body «<|channel|>»']],
  [inUser(' allow=token-in-body:quotes_the_log'), []],
  [inUser(' allow=W-TOKEN-IN-BODY:quotes_the_log'), []],
  [inUser(' allow=token-in-body'), ['hint unfit-allow «allow=token-in-body»']],
  [
    inUser(' allow=token-in-boddy:why'),
    ['hint unfit-allow «token-in-boddy»', 'warning token-in-body «<|channel|>»'],
  ],
  [inUser(' allow=token-in-body:why', 'Hi'), ['hint unfit-allow «token-in-body»']],
  [inUser(' allow=token-in-body,token-in-body:why'), ['hint unfit-allow «token-in-body»']],
  [
    inUser(' allow=unfit-allow,nothing:why', 'Hi'),
    ['hint unfit-allow «unfit-allow»', 'hint unfit-allow «nothing»'],
  ],
  // A rule that doesn't run can't report anything yet.
  [inUser(' allow=secret:a_test_key', 'Hi'), []],
  // Without a header, the attribute makes no difference to the version.
  ['<|start|>user allow=token-in-body:why<|message|>A <|channel|><|end|>\n', []],
  // Each message allows its own problems only.
  [
    `${inUser(' allow=token-in-body:why')}<|start|>user<|message|><|channel|><|end|>\n`,
    ['warning token-in-body «<|channel|>»'],
  ],
  // Dialects without the attribute.
  ['<|im_start|>user allow=token-in-body:why\nHi<|im_end|>\n', ['warning unknown-attribute «allow»']],
]

for (const [text, problems] of found) {
  test(`problems of ${JSON.stringify(text.slice(13, 70))}`, () => {
    assert.deepEqual(shown(text), problems)
  })
}

test('what is allowed is known again after an edit of the message', () => {
  const document = new Document(inUser(' allow=token-in-body:why'))
  assert.equal(document.problems().total, 0)
  const at = inUser(' allow=token-in-body:why').indexOf('token-in-body')
  document.edit([{ start: at, end: at + 13, text: 'stray-text' }])
  assert.deepEqual(
    document.problems().problems.map((it) => it.rule),
    ['unfit-allow', 'token-in-body'],
  )
})

test('an allowance changes nothing about who sees a message', () => {
  for (const header of ['user', 'assistant<|channel|>analysis', 'assistant', 'tool name=f', 'system']) {
    const [role = '', ...rest] = header.split('<')
    const channel = rest.map((it) => `<${it}`).join('')
    const seen = ['', ' allow=visible-thought:why'].map((allow) => {
      const text = `<|start|>${role}${allow}${channel}<|message|>Hi<|end|>`
      const facts = factsOf(Transcript.parse(text).segment(1).segment)
      return facts && isVisible(facts)
    })
    assert.equal(seen[0], seen[1], header)
  }
})

const edited: readonly (readonly [before: string, after: string | undefined])[] = [
  [inUser(''), inUser(' allow=token-in-body:')],
  [inUser(' name=Ann'), inUser(' name=Ann allow=token-in-body:')],
  [inUser(' allow=secret:why'), inUser(' allow=secret,token-in-body:why')],
  [inUser(' allow=secret'), inUser(' allow=secret,token-in-body:')],
  [inUser(' allow='), undefined],
  [inUser(' name='), undefined],
  ['<|im_start|>user\n<|im_end|>', undefined],
]

for (const [before, after] of edited) {
  test(`a message allows a problem: ${JSON.stringify(before.slice(13, 60))}`, () => {
    const edit = allowEdit(analyze(Transcript.parse(before)), before.length - 5, 'token-in-body')
    assert.equal(edit && applyEdits(before, [edit]), after)
    assert.ok(after === undefined || !problemsIn(after).some((it) => it.rule === 'token-in-body'))
  })
}

test('no message can allow what is wrong with the header, or with what is allowed', () => {
  const text = inUser('')
  for (const rule of ['missing-version', 'unfit-allow'])
    assert.equal(allowEdit(analyze(Transcript.parse(text)), text.length - 5, rule), undefined)
})
