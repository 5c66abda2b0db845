/** The quick look for unusual characters says what a search for them says, in texts of any length. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasUnusualCharacters } from '../../core/src/rules/unusual-characters.ts'
import { mostUnits } from '../../core/src/text/code-units.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const usual = ['a', '\u007f', '\u00e9', '\u04ff', '\u1fff', '\u2000', '\u200a']
const unusual = ['\u200b', '\u2019', '\ud83d', '\udfff', '\uffff']

test('one unusual character is found wherever it stands, and none where there is none', () => {
  for (const length of [0, 1, 127, 128, 129, 135, 1000, mostUnits - 1, mostUnits, mostUnits + 1]) {
    const places = [0, 1, 2, 3, 4, 5, 6, 7, length >> 1, length - 2, length - 1].filter(
      (it) => 0 <= it && it < length,
    )
    assert.equal(hasUnusualCharacters('x'.repeat(length)), false)
    for (const at of places) {
      const text = (it: string) => 'x'.repeat(at) + it + 'x'.repeat(length - at - 1)
      for (const it of usual) assert.equal(hasUnusualCharacters(text(it)), false, `${length} ${at}`)
      for (const it of unusual) assert.equal(hasUnusualCharacters(text(it)), true, `${length} ${at}`)
    }
  }
})

test('what was looked at before makes no difference', () => {
  const unit = fc.oneof({ weight: 200, arbitrary: fc.constant('x') }, fc.constantFrom(...usual, ...unusual))
  const text = fc.array(unit, { maxLength: 400 }).map((it) => it.join(''))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      for (const it of texts) assert.equal(hasUnusualCharacters(it), /[\u200b-\uffff]/.test(it))
    }),
    { numRuns: propertyRuns },
  )
})
