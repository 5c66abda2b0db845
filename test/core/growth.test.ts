/** Opening and converting grow no faster than the text, whatever it repeats: counted work at doubling sizes. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type * as Core from '../../core/src/internal.ts'
import { countedModule, stepsOf } from '../helpers/growth/counted-work.ts'
import { growthProfiles } from '../helpers/growth/growth-profiles.ts'
import { profilesWanted } from '../helpers/growth/profiles-wanted.ts'
import { isNight } from '../helpers/nightly.ts'

const size = isNight ? 8_000 : 4_000 // code units; the larger text is twice as long
const growth = 2.6 // 1.3 times as fast as the text
const started = 400_000 // steps that a large text may take whatever it holds, such as reading a parser

describe('twice the text', () => {
  let core: typeof Core
  before(async () => {
    core = await countedModule<typeof Core>("export * from './core/src/internal.ts'")
  })

  for (const { name, text } of process.env.GROWTH === undefined ? growthProfiles : profilesWanted([])) {
    it(`costs twice as much to parse and check: ${name}`, async () => {
      const check = (source: string) => {
        core.releaseTexts()
        const checker = new core.Checker(core.analyze(core.Transcript.parse(source)))
        checker.advance()
        return checker.problems(1000)
      }
      check(text(size / 4)) // what is made once
      const small = await stepsOf(() => check(text(size)))
      const large = await stepsOf(() => check(text(2 * size)))
      assert.ok(
        large <= growth * small || large <= started,
        `${small} steps became ${large}: ${(large / small).toFixed(2)} times as many`,
      )
    })
  }
})
