/** Which profiles a test of growth takes: a few that were slow once, or what the environment variable `GROWTH` says. */
import { growthProfiles } from './growth-profiles.ts'
import type { GrowthProfile } from './profile.ts'

/** The profiles of `names`; with `GROWTH=all` all of them, and with other words those whose names have them. */
export function profilesWanted(names: readonly string[]): readonly GrowthProfile[] {
  const wanted = process.env.GROWTH
  if (wanted === 'all') return growthProfiles
  if (wanted !== undefined) return growthProfiles.filter(({ name }) => name.includes(wanted))
  return names.map((name) => {
    const profile = growthProfiles.find((it) => it.name === name)
    if (!profile) throw new RangeError(`There is no profile of growth called ${name}`)
    return profile
  })
}
