/** Which expected step goes with which actual one. Each function gives for each expected step the index of its partner, or -1. */
import { MatchLimit } from './match-work.ts'

/** How many steps there are. */
export interface StepCounts {
  readonly nExpected: number
  readonly nActual: number
}

/** True if the actual step at `other` fits the expected one at `one`. */
export type Fits = (one: number, other: number) => boolean

const mostComparisons = 1_000_000 // of steps; two conversations of 1,000 steps each
const mostTries = 50_000_000 // while partners are exchanged; a second

/** As many pairs as possible, in the order of both: what is the same where one was changed into the other. @throws MatchLimit */
export function pairedInOrder({ nExpected, nActual }: StepCounts, fits: Fits): readonly number[] {
  const partners = Array.from({ length: nExpected }, () => -1)
  let from = 0
  while (from < nExpected && from < nActual && fits(from, from)) partners[from] = from++
  let end = 0
  while (from < nExpected - end && from < nActual - end && fits(nExpected - end - 1, nActual - end - 1)) {
    partners[nExpected - end - 1] = nActual - end - 1
    end++
  }
  const rows = nExpected - end - from
  const columns = nActual - end - from
  if (rows * columns > mostComparisons) throw new MatchLimit()
  // longest[row][column]: the most pairs among the steps from there on.
  const longest = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1))
  const isPair = Array.from({ length: rows }, (_, row) =>
    Uint8Array.from({ length: columns }, (__, column) => (fits(from + row, from + column) ? 1 : 0)),
  )
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const below = longest[row + 1]?.[column] ?? 0
      const right = longest[row]?.[column + 1] ?? 0
      const both = isPair[row]?.[column] ? (longest[row + 1]?.[column + 1] ?? 0) + 1 : 0
      ;(longest[row] as Uint32Array)[column] = Math.max(below, right, both)
    }
  }
  let row = 0
  let column = 0
  while (row < rows && column < columns) {
    const best = longest[row]?.[column] ?? 0
    if (isPair[row]?.[column] && best === (longest[row + 1]?.[column + 1] ?? 0) + 1) {
      partners[from + row++] = from + column++
    } else if (best === (longest[row + 1]?.[column] ?? 0)) row++
    else column++
  }
  return partners
}

/** The first partner of each step that is after that of the one before it. */
export function subsequence({ nExpected, nActual }: StepCounts, fits: Fits): readonly number[] {
  let nComparisons = 0
  let next = 0
  return Array.from({ length: nExpected }, (_, index) => {
    for (let at = next; at < nActual; at++) {
      if (++nComparisons > mostComparisons) throw new MatchLimit()
      if (!fits(index, at)) continue
      next = at + 1
      return at
    }
    return -1
  })
}

/** As many pairs as possible in any order, each step in one of them: a step that anything fits takes what is left over. @throws MatchLimit */
export function pairedOnce({ nExpected, nActual }: StepCounts, fits: Fits): readonly number[] {
  if (nExpected * nActual > mostComparisons) throw new MatchLimit()
  const candidates = Array.from({ length: nExpected }, (_, index) =>
    Array.from({ length: nActual }, (__, at) => at).filter((at) => fits(index, at)),
  )
  const expectedOf = new Map<number, number>()
  let nTries = 0
  for (let index = 0; index < nExpected; index++) augment(index)
  const partners = Array.from({ length: nExpected }, () => -1)
  for (const [at, index] of expectedOf) partners[index] = at
  return partners

  /** Finds a partner for `start`, breadth first; pairs on the way exchange theirs. */
  function augment(start: number): void {
    const cameFrom = new Map<number, number>() // actual step: the expected one that asks for it
    const queue = [start]
    for (const index of queue) {
      for (const at of candidates[index] ?? []) {
        if (++nTries > mostTries) throw new MatchLimit()
        if (cameFrom.has(at)) continue
        cameFrom.set(at, index)
        const other = expectedOf.get(at)
        if (other !== undefined) {
          queue.push(other)
          continue
        }
        exchange(at, cameFrom)
        return
      }
    }
  }

  function exchange(last: number, cameFrom: ReadonlyMap<number, number>): void {
    const before = new Map([...expectedOf].map(([at, index]) => [index, at]))
    for (let at: number | undefined = last; at !== undefined; ) {
      const index = cameFrom.get(at)
      if (index === undefined) return
      expectedOf.set(at, index)
      at = before.get(index)
    }
  }
}
