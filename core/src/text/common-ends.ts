/** What two texts or lists have in common at their ends. */

/** How many items both begin with, and how many they end with besides. */
export interface CommonEnds {
  readonly head: number
  readonly tail: number
}

/** The common ends of `one` and `other`; in texts, an item is a code unit. Linear. */
export function commonEnds<Item>(one: ArrayLike<Item>, other: ArrayLike<Item>): CommonEnds {
  const shorter = Math.min(one.length, other.length)
  let head = 0
  while (head < shorter && one[head] === other[head]) head++
  let tail = 0
  while (tail < shorter - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++
  return { head, tail }
}
