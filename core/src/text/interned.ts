/** Names that are compared by the million. */

/**
 * `name` as the engine keeps the keys of objects, of which there is one for each name: that `JSON.parse` read the same one
 * is seen without a look at its letters. It also is a text of its own, where `name` may be a piece of a large document.
 */
export function interned(name: string): string {
  return Object.keys({ [name]: 0 })[0] ?? name
}
