/** What a writer probably meant by a mistyped word. */
import { localize } from '../text/localize.ts'

const comparedLength = 32 // no word of the format is longer, so a longer one is no slip of the pen

/** The word of `known` that `word` is closest to, if it is close enough to be a slip; case does not count. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > comparedLength) return undefined
  const written = word.toLowerCase()
  let closest: string | undefined
  let distance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const candidateDistance = editDistance(written, candidate)
    const tolerated = candidate.length <= 4 ? 1 : 2
    if (candidateDistance <= tolerated && candidateDistance < distance) {
      closest = candidate
      distance = candidateDistance
    }
  }
  return closest
}

/** The end of a message that proposes `suggestion`: `` ; did you mean `final`? ``, or nothing. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : localize`; did you mean \`${suggestion}\`?`
}

/** Insertions, deletions, replacements and swaps of neighbours that make `one` into `other`. */
function editDistance(one: string, other: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one.charAt(row - 1) === other.charAt(column - 1)
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwap =
        row > 1 &&
        column > 1 &&
        one.charAt(row - 1) === other.charAt(column - 2) &&
        one.charAt(row - 2) === other.charAt(column - 1)
      if (isSwap) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[other.length] ?? 0
}
