/** Suggestions for mistyped words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alternatives, suggestionFor } from '../../cli/src/suggestion.ts'
import { editDistance } from '../../core/src/text/edit-distance.ts'

test('distances', () => {
  const expected: readonly (readonly [string, string, number])[] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['check', 'chek', 1],
    ['format', 'fromat', 1],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
  ]
  for (const [one, two, distance] of expected) {
    assert.equal(editDistance(one, two), distance, `${one} ${two}`)
    assert.equal(editDistance(two, one), distance, `${two} ${one}`)
  }
})

test('only what is near is suggested', () => {
  const known = ['check', 'parse', 'render', 'rules', 'lsp']
  assert.equal(suggestionFor('pasre', known), '; did you mean `parse`?')
  assert.equal(suggestionFor('CHEKC', known), '; did you mean `check`?')
  assert.equal(suggestionFor('ren', known), '; did you mean `render`?')
  assert.equal(suggestionFor('rule', known), '; did you mean `rules`?')
  assert.equal(suggestionFor('x', known), '')
  assert.equal(suggestionFor('completely-different', known), '')
  assert.equal(suggestionFor('x'.repeat(1_000_000), known), '')
  assert.equal(suggestionFor('', known), '')
})

test('lists of words', () => {
  assert.equal(alternatives([]), '')
  assert.equal(alternatives(['a']), 'a')
  assert.equal(alternatives(['a', 'b', 'c']), 'a, b or c')
})
