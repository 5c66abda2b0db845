/** Compares what work costs on texts of growing sizes, in counted steps. */
import type { GrowthProfile } from './profile.ts'

/** Code units of the smallest text; each of the others is {@link factor} times as long as the one before. */
const size = 800
const factor = 4
const tolerated = factor * 1.3 ** 2 // 1.3 times linear per doubling
const negligible = 25 // steps for each code unit more: what a quadratic cost exceeds at once, and tables of 128 entries do not

/**
 * The kinds of work that grow faster than the texts of `profile`, each with its steps. `stepsOf` gives the steps of each kind
 * of work on a text, by name; once it is known which kinds matter, only those need to be there.
 */
export async function growthAmong(
  { name: profile, text }: GrowthProfile,
  stepsOf: (text: string, isWanted: (name: string) => boolean) => Promise<ReadonlyMap<string, number>>,
): Promise<readonly string[]> {
  const small = await stepsOf(text(size), () => true)
  const large = await stepsOf(text(factor * size), () => true)
  const suspects = [...large.keys()].filter((name) => isGrown(small.get(name), large.get(name), size))
  if (suspects.length === 0) return []
  // A short text may end where a longer one goes on: what grows with the text does so from there on, too.
  const larger = await stepsOf(text(factor ** 2 * size), (name) => suspects.includes(name))
  const grown = suspects.filter((name) => isGrown(large.get(name), larger.get(name), factor * size))
  return grown.map((name) => {
    const steps = [small, large, larger].map((it) => it.get(name) ?? 0)
    return `${profile}, ${name}: ${steps.join(' → ')} steps`
  })
}

/** True if a text four times as long as one of `length` code units costs more than in proportion, and more than a trifle. */
function isGrown(before = 0, after = 0, length = size): boolean {
  return after - before > negligible * (factor - 1) * length && after > tolerated * before
}
