/** Suggestions for mistyped words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alternatives, nearestOf, suggestionFor } from '../../cli/src/suggestion.ts'
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
  assert.equal(nearestOf('CHEKC', known), 'check')
  assert.equal(nearestOf('ren', known), 'render')
  assert.equal(nearestOf('rule', known), 'rules')
  assert.equal(nearestOf('x', known), undefined)
  assert.equal(nearestOf('completely-different', known), undefined)
  assert.equal(nearestOf('x'.repeat(1_000_000), known), undefined)
  assert.equal(suggestionFor('pasre', known), '; did you mean `parse`?')
  assert.equal(suggestionFor('', known), '')
})

test('lists of words', () => {
  assert.equal(alternatives([]), '')
  assert.equal(alternatives(['a']), 'a')
  assert.equal(alternatives(['a', 'b', 'c']), 'a, b or c')
})
