/** Finds what somebody who mistyped a word may have meant. */

/** `; did you mean …?` with the nearest of `known`, or nothing if none is near. */
export function suggestionFor(word: string, known: Iterable<string>): string {
  const nearest = nearestOf(word, known)
  return nearest === undefined ? '' : `; did you mean \`${nearest}\`?`
}

/** The word of `known` that is nearest to `word`, or undefined if all differ too much. Letter case does not count. */
export function nearestOf(word: string, known: Iterable<string>): string | undefined {
  const typed = word.slice(0, longest).toLowerCase()
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1 // one mistake in three letters, as people make them
  for (const candidate of known) {
    const lower = candidate.toLowerCase()
    const isBeginning = typed.length >= 3 && lower.startsWith(typed)
    const distance = isBeginning ? 1 : editDistance(typed, lower)
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

/** `a, b or c` */
export function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

const longest = 100 // an argument may be a whole transcript by mistake

/** How many insertions, deletions, replacements and swaps of neighbours make `two` of `one`. */
export function editDistance(one: string, two: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: two.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= two.length; column++) {
      const isSame = one[row - 1] === two[column - 1]
      let distance = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
      )
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === two[column - 2] && one[row - 2] === two[column - 1]
      if (isSwap) distance = Math.min(distance, at(beforePrevious, column - 2) + 1)
      current.push(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return at(previous, two.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
