/** Memory for values derived from immutable values. Nothing is ever invalidated: the memory goes with the value. */

/** `compute`, remembered per value. The value must be immutable. */
export function perValue<Value extends object, Result>(
  compute: (value: Value) => Result,
): (value: Value) => Result {
  const results = new WeakMap<Value, { readonly result: Result }>()
  return (value) => {
    const known = results.get(value)
    if (known) return known.result
    const result = compute(value)
    results.set(value, { result })
    return result
  }
}
