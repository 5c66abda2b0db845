/** Parts of lists that may be very long. */

/** At most `atMost` of `items`, in their order: those around `item`. */
export function nearest<Item>(items: readonly Item[], item: Item, atMost: number): readonly Item[] {
  if (items.length <= atMost) return items
  const at = items.indexOf(item)
  const from = Math.max(0, Math.min(at - (atMost >> 1), items.length - atMost))
  return items.slice(from, from + atMost)
}
