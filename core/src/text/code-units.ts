/** How many code units the characters of a text take: two where a pair of surrogates is one. */

/** How many the character that begins at `place` takes. */
export function unitsAt(text: string, place: number): number {
  return (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1
}

/** How many the character that ends at `place` takes. */
export function unitsBefore(text: string, place: number): number {
  return place > 1 && unitsAt(text, place - 2) === 2 ? 2 : 1
}
