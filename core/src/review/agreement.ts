/** How far two reviewers agree. */

/** Agreement on what both decided. */
export interface Agreement {
  /** Samples that both decided on. */
  readonly both: number
  readonly same: number
  /** The share of equal decisions; undefined if there is none in common. */
  readonly share: number | undefined
  /** Cohen's kappa; undefined without decisions in common, and where chance alone would make all decisions equal. */
  readonly kappa: number | undefined
  /** How often one decided the first and the other the second, by decision. */
  readonly table: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** Compares decisions pair by pair: what one reviewer decided, and what the other did. */
export function agreementOf(pairs: Iterable<readonly [one: string, other: string]>): Agreement {
  const table = new Map<string, Map<string, number>>()
  const [ones, others] = [new Map<string, number>(), new Map<string, number>()]
  let both = 0
  let same = 0
  for (const [one, other] of pairs) {
    both++
    if (one === other) same++
    const row = table.get(one) ?? new Map<string, number>()
    table.set(one, row)
    count(row, other)
    count(ones, one)
    count(others, other)
  }
  if (both === 0) return { both, same, share: undefined, kappa: undefined, table }
  let byChance = 0
  for (const [decision, times] of ones) byChance += (times * (others.get(decision) ?? 0)) / both / both
  const share = same / both
  const kappa = byChance === 1 ? undefined : (share - byChance) / (1 - byChance)
  return { both, same, share, kappa, table }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
