/** Output of a model that a server decoded with special tokens skipped: it is recognised, and a fix restores its tokens. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixed, problemsIn } from './check-rules.ts'

const analysis = '<|start|>assistant<|channel|>analysis<|message|>'
const final = '<|start|>assistant<|channel|>final<|message|>'
const call =
  '<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>{"a": 1}<|call|>'

/** The seven ways in which servers write headers without their tokens. */
const spellings: readonly (readonly [what: string, text: string, restored: string])[] = [
  [
    'glued',
    'analysisWe need "4".assistantfinalfour',
    `${analysis}We need "4".<|end|>\n${final}four<|return|>`,
  ],
  [
    'with blanks',
    'analysis I need 4. assistantfinal The 4.',
    `${analysis}I need 4.<|end|>\n${final}The 4.<|return|>`,
  ],
  ['with the role', 'assistantanalysisHm.assistantfinal4', `${analysis}Hm.<|end|>\n${final}4<|return|>`],
  ['on lines', 'analysis\nHm.\n\nassistant\nfinal\n4\n', `${analysis}Hm.<|end|>\n${final}4<|return|>\n`],
  ['a call', 'analysisHm.assistantcommentary to=functions.f json{"a": 1}', `${analysis}Hm.<|end|>\n${call}`],
  ['a call with the channel again', 'assistantcommentary to=functions.fcommentary json{"a": 1}', call],
  ['a call with the recipient first', 'assistant to=functions.fcommentary json{"a": 1}', call],
]

describe('output without its special tokens', () => {
  for (const [what, text, restored] of spellings) {
    test(`in place of a header: ${what}`, () => {
      const problems = problemsIn(text)
      assert.deepEqual(
        problems.map(({ rule }) => rule),
        ['invalid-header'],
      )
      assert.match(problems[0]?.message ?? '', /special tokens skipped$/)
      assert.equal(problems[0]?.fixes[0] && fixed(text, problems[0].fixes[0]), restored)
      assert.equal(problems[0]?.fixes[0]?.isSafe, false)
    })
    test(`between messages: ${what}`, () => {
      const before = 'version: 2.2\n<|start|>user<|message|>2 + 2?<|end|>\n'
      const stray = problemsIn(before + text).find(({ rule }) => rule === 'stray-text')
      assert.match(stray?.message ?? '', /special tokens skipped$/)
      assert.equal(stray?.fixes[0] && fixed(before + text, stray.fixes[0]), before + restored)
    })
  }

  test('prose and headers are neither', () => {
    for (const text of [
      'analysis of the data',
      'final: true\nversion: 2.2\n<|start|>user<|message|>x<|end|>',
      'finally, the assistant answers',
      'commentary tom=1',
      'the assistant final report',
    ])
      assert.ok(!problemsIn(text).some(({ message }) => message.includes('special tokens')), text)
  })
})
