/** Equality of plain data. */

/** Compares lists and plain objects in depth; objects of a class count as the objects that they are. */
export function isEqualData(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isPlain(one) || !isPlain(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => isEqualData(one[key], other[key]))
}

/** True for lists and objects without class. */
function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}
