/** Prompts of the kind that people write have no problems, and mistakes that are planted in them are found. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { analyze, Checker, filledAlone, Transcript } from '../../core/src/internal.ts'

const folder = 'test/prompts/realistic'

function promptNamed(name: string): string {
  return readFileSync(join(folder, `${name}.ocm`), 'utf8')
}

function problemsIn(text: string): readonly string[] {
  const analysis = analyze(Transcript.parse(text))
  const checker = new Checker(analysis)
  checker.fill(filledAlone(analysis, (it) => it.length))
  return checker.problems().problems.map(({ rule, range }) => `${rule} ${text.slice(range.start, range.end)}`)
}

describe('nothing is reported in', () => {
  const names = readdirSync(folder).map((it) => it.replace(/\.ocm$/, ''))
  assert.equal(names.length, 20)
  for (const name of names) test(name, () => assert.deepEqual(problemsIn(promptNamed(name)), []))
})

const planted: readonly (readonly [
  name: string,
  text: string | RegExp,
  mistake: string,
  ...problems: string[],
])[] = [
  [
    'tools',
    'before refund_order or',
    'before `refund_ordr` or',
    'undefined-tool-in-prose refund_ordr',
    'unmentioned-tool refund_order',
  ],
  ['agents', '`run_tests`', '`run_test_`', 'undefined-tool-in-prose run_test_'],
  ['agents', '`run_tests`', 'functions.run_all', 'undefined-tool-in-prose run_all'],
  ['tools', 'before refund_order or', 'or', 'unmentioned-tool refund_order'],
  ['effort', 'Reasoning: high', 'Reasoning: low', 'contradicting-effort low'],
  [
    'date',
    /Current date: .*|Plan my Saturday/g,
    'Current date: 2025-08-08',
    'written-out-date 2025-08-08',
    'unused-input current_date',
  ],
  ['support', 'Answer the question', '{{ question }} Answer it', 'user-text-in-instructions question'],
  ['rag', 'question: Why?', 'question: "a <|end|> b"', 'token-in-value question'],
  ['persona', '{{ persona }}', 'pirate', 'unused-input persona'],
  ['translate', '{{ source }}', '{{ sourc }}', 'unused-input source', 'undefined-input sourc'],
  ['review', '{% endif -%}', '', 'broken-template {% if strict %}'],
  ['support', 'customer: Ada', 'customer: 7', 'unfit-case 7'],
  ['translate', 'dictsort', 'dictsrt', 'unfillable-prompt '],
]

describe('a planted mistake is found in', () => {
  for (const [name, text, mistake, ...problems] of planted) {
    test(`${name}: ${problems.join(', ')}`, () => {
      const before = promptNamed(name)
      const after = before.replace(text, mistake)
      assert.notEqual(after, before)
      assert.deepEqual([...problemsIn(after)].sort(), [...problems].sort())
    })
  }
})
