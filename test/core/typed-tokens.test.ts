/** A control token that is being typed, character by character: what it may change meanwhile, and what not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, beginsToken, Transcript, visibleTexts } from '../../core/src/internal.ts'

const question = '<|start|>user<|message|>Question<|end|>\n'
const thought = '<|start|>assistant<|channel|>analysis<|message|>SECRET<|end|>\n'
const answer = '<|start|>assistant<|channel|>final<|message|>Answer<|end|>\n'
const tokens = [
  '<|start|>',
  '<|message|>',
  '<|channel|>',
  '<|constrain|>',
  '<|literal|>',
  '<|end|>',
  '<|call|>',
  '<|return|>',
]

for (const token of tokens) {
  test(`while ${token} is typed, other messages show what they showed, and nothing hidden is shown`, () => {
    for (let length = 1; length < token.length; length++) {
      const typed = token.slice(0, length)
      const places = [
        `version: 2.2\n${question}${typed}\n${thought}${answer}`,
        `version: 2.2\n${question}${thought}${typed}\n${answer}`,
        `version: 2.2\n${question}${thought}${answer}${typed}`,
        `version: 2.2\n${question}<|start|>user<|message|>More ${typed}<|end|>\n${thought}${answer}`,
        `version: 2.2\n${question}<|start|>assistant<|channel|>analysis<|message|>SECRET ${typed}<|end|>\n${answer}`,
      ]
      for (const text of places) {
        const shown = visibleTexts(analyze(Transcript.parse(text)))
        assert.ok(shown.includes('Question') && shown.includes('Answer'), text)
        assert.ok(!shown.join().includes('SECRET'), text)
      }
    }
  })
}

/** What {@link beginsToken} says of typing `text` into `before` at its cursor `^`. */
function begins(before: string, text: string, length = 0): boolean {
  const start = before.indexOf('^')
  const after = before.slice(0, start) + text + before.slice(start + 1 + length)
  return beginsToken({ start, end: start + length, text }, (from, to) => after.slice(from, to))
}

test('every character of a token but the last begins it', () => {
  for (const token of tokens) {
    for (let length = 1; length <= token.length; length++) {
      const typed = token.slice(0, length)
      assert.equal(
        begins(`Hello ${typed.slice(0, -1)}^<|end|>`, typed.slice(-1)),
        length < token.length,
        typed,
      )
    }
  }
})

test('what is no token, is complete with what follows, is pasted or replaces text begins none', () => {
  assert.ok(!begins('a ^b', '<', 1))
  assert.ok(!begins('a <^', 'b'))
  assert.ok(!begins('a <|E^', 'n'))
  assert.ok(!begins('<|e^d|>', 'n'))
  assert.ok(!begins('Hello ^', '<|'))
  assert.ok(!begins('Hello <|^', ''))
  assert.ok(begins('^', '<'))
})
