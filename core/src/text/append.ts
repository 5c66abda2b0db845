/** Adding many items to a list: a call takes only so many arguments, so `list.push(...items)` fails where texts are large. */

/** Adds `items` after the last one of `list`. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
