/** Finds words in a text, whatever their case: for the page that marks them, and for the extension, which counts them. */

/** Finds the places of `query`; undefined for an empty one. */
export type FindPlaces = (text: string) => readonly (readonly [from: number, to: number])[]

/** A search for `query` as it is written, in any case. At most `most` places, from left to right and without overlaps. */
export function findPlaces(query: string, most: number): FindPlaces | undefined {
  if (query === '') return undefined
  // Linear: all of it is literal.
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\s+/g, '\\s+'), 'giu')
  return (text) => {
    const places: (readonly [number, number])[] = []
    for (const match of text.matchAll(pattern)) {
      places.push([match.index, match.index + match[0].length])
      if (places.length >= most) break
    }
    return places
  }
}
