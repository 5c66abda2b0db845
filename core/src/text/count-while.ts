/** How many of `count` things in order come before a place: those for whose index `isBefore` is true, which are the first ones. Logarithmic. */
export function countWhile(count: number, isBefore: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the last of `sorted` that is not beyond `value`; 0 if all are. */
export function lastUpTo(sorted: readonly number[], value: number): number {
  return Math.max(0, countWhile(sorted.length, (index) => (sorted[index] ?? 0) <= value) - 1)
}
