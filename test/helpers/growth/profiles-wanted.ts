/** Which profiles a test of growth takes: a few that were slow once, or what the environment variable `GROWTH` says. */
import fc from 'fast-check'
import { growthProfiles } from './growth-profiles.ts'
import { type GrowthProfile, paired } from './profile.ts'

const nPairs = 500

/**
 * The profiles of `names`; with `GROWTH=all` all of them, with `GROWTH=pairs` random pairs of them, which `FUZZ_SEED` draws, and with
 * other words those whose names have them.
 */
export function profilesWanted(names: readonly string[]): readonly GrowthProfile[] {
  const wanted = process.env.GROWTH
  if (wanted === 'all') return growthProfiles
  if (wanted === 'pairs') return randomPairs()
  if (wanted !== undefined) return growthProfiles.filter(({ name }) => name.includes(wanted))
  return names.map((name) => {
    const profile = growthProfiles.find((it) => it.name === name)
    if (!profile) throw new RangeError(`There is no profile of growth called ${name}`)
    return profile
  })
}

/** Half of them in the same place of a text: what is quadratic often takes two kinds of things there. */
function randomPairs(): readonly GrowthProfile[] {
  const one = fc.constantFrom(...growthProfiles)
  const beside = (it: GrowthProfile) =>
    growthProfiles.filter(({ parts }) => parts !== undefined && parts.before === it.parts?.before)
  const pair = one.chain((it) => fc.tuple(fc.constant(it), fc.oneof(one, fc.constantFrom(it, ...beside(it)))))
  return fc.sample(pair, nPairs).map(([it, other]) => paired(it, other))
}
