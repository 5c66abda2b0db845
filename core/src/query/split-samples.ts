/** Splits samples into parts by chance: a seed repeats it, groups stay together, and each stratum has the shares of the whole. */
import { seededNumber } from './seeded.ts'

/** A part, such as `train` with a share of 90. */
export interface SplitPart {
  readonly name: string
  /** In proportion to the other shares. */
  readonly share: number
}

/** What decides where a sample goes. */
export interface SplitSample {
  /** Names the sample: its place, for example. */
  readonly key: string
  /** Samples of one group go to one part; undefined for a sample on its own. */
  readonly group?: string | undefined
  /** Samples of one stratum are split in proportion; that of a group is the stratum of its first sample. */
  readonly stratum?: string | undefined
}

/** The parts that `text` names, such as `train 90, test 10`; undefined if it names none. */
export function splitPartsIn(text: string): readonly SplitPart[] | undefined {
  const parts = text.split(',').map((it) => it.replace('%', '').trim().split(/\s+/))
  const named = parts.flatMap(([name = '', share = '', ...rest]) => {
    const isPart = /^[\p{L}\p{N}_-]{1,50}$/u.test(name) && /^\d{1,6}(?:\.\d{1,6})?$/.test(share)
    return isPart && rest.length === 0 ? [{ name, share: Number(share) }] : []
  })
  const names = new Set(named.map(({ name }) => name.toLowerCase()))
  if (named.length < parts.length || names.size < named.length || named.length < 2) return undefined
  return named.every(({ share }) => share > 0) ? named : undefined
}

/** The part of each sample, as its index among `parts`. The same seed gives the same parts. */
export function splitSamples(
  samples: readonly SplitSample[],
  parts: readonly SplitPart[],
  seed: number,
): readonly number[] {
  const result = new Array<number>(samples.length).fill(0)
  const total = parts.reduce((sum, { share }) => sum + share, 0)
  const taken = parts.map(() => 0)
  let seen = 0
  for (const members of unitsOf(samples, seed)) {
    seen += members.length
    // The part that lacks most of its share: so each is right up to one group, also within a stratum.
    let most = 0
    parts.forEach(({ share }, part) => {
      const lack = (it: number) => (seen * (parts[it]?.share ?? 0)) / total - (taken[it] ?? 0)
      if (share > 0 && lack(part) > lack(most)) most = part
    })
    taken[most] = (taken[most] ?? 0) + members.length
    for (const index of members) result[index] = most
  }
  return result
}

/** Groups and single samples as lists of indexes: one stratum after the other, each in an order by chance. */
function unitsOf(samples: readonly SplitSample[], seed: number): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>()
  const units: { readonly members: number[]; readonly stratum: string; readonly chance: number }[] = []
  samples.forEach(({ key, group, stratum = '' }, index) => {
    const known = group === undefined ? undefined : groups.get(group)
    if (known) {
      known.push(index)
      return
    }
    const members = [index]
    if (group !== undefined) groups.set(group, members)
    units.push({ members, stratum, chance: seededNumber(seed, group === undefined ? key : `group ${group}`) })
  })
  return units
    .sort((one, other) => compare(one.stratum, other.stratum) || one.chance - other.chance)
    .map(({ members }) => members)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
