/** Finding text in text: as the engine does it, in linear time. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { lastPlaceOfText, placeOfText } from '../../core/src/text/text-place.ts'
import { countedModule, stepsOf } from '../helpers/growth/counted-work.ts'

type TextPlace = typeof import('../../core/src/text/text-place.ts')

const shapes: Readonly<Record<string, (length: number) => readonly [text: string, sought: string]>> = {
  'an end that differs': (length) => ['a'.repeat(length), `${'a'.repeat(length >> 1)}b`],
  'a beginning that differs': (length) => ['a'.repeat(length), `b${'a'.repeat(length >> 1)}`],
  'a middle that differs': (length) => [
    'a'.repeat(length),
    `${'a'.repeat(length >> 2)}b${'a'.repeat(length >> 2)}`,
  ],
  'two letters': (length) => [
    'ab'.repeat(length >> 1),
    `${'ab'.repeat(length >> 3)}ba${'ab'.repeat(length >> 3)}`,
  ],
  'many near places': (length) => [
    `${'a'.repeat(100)}c`.repeat(length / 101),
    `${`${'a'.repeat(100)}c`.repeat(length / 404)}b`,
  ],
}

describe('finding a text', () => {
  it('gives the places that the engine gives', () => {
    let state = 1
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
      return state % below
    }
    for (let round = 0; round < 3000; round++) {
      const letters = 1 + random(2)
      const text = Array.from({ length: random(1500) }, () =>
        random(30) < 29 ? 'a' : 'ab'.charAt(random(letters)),
      ).join('')
      const from = random(700)
      const sought = [
        `${'a'.repeat(random(150))}b${'a'.repeat(random(150))}`,
        text.slice(from, from + random(800)),
        'a'.repeat(60 + random(200)),
      ][round % 3] as string // one of three
      const places = [
        placeOfText(text, sought),
        placeOfText(text, sought, from),
        lastPlaceOfText(text, sought),
      ]
      assert.deepEqual(places, [text.indexOf(sought), text.indexOf(sought, from), text.lastIndexOf(sought)])
    }
  })

  describe('takes twice as long in twice the text', () => {
    let counted: TextPlace
    before(async () => {
      counted = await countedModule<TextPlace>("export * from './core/src/text/text-place.ts'")
    })
    for (const [name, shape] of Object.entries(shapes)) {
      it(name, async () => {
        const steps = (length: number) => {
          const [text, sought] = shape(length)
          return stepsOf(() => [counted.placeOfText(text, sought), counted.lastPlaceOfText(text, sought)])
        }
        const [small, large] = [await steps(20_200), await steps(40_400)]
        assert.ok(large <= 2.6 * small + 1000, `${small} steps became ${large}`)
        assert.ok(large <= 20 * 40_400, `${large} steps`)
      })
    }
  })
})
