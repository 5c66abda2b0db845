/** Values of the header that do not fit the schema: a wrong type, a number too small, or none of the allowed values. */

import type { Range } from '../text/range.ts'
import { allowsType, type HeaderSchema, type HeaderType, propertyOf } from './header-schema.ts'
import type { HeaderEntry, HeaderPath, YamlHeader } from './yaml-header.ts'

/** A value that the schema does not allow. */
export type HeaderMismatch = {
  readonly path: HeaderPath
  /** The value as written. */
  readonly range: Range
} & (
  | { readonly kind: 'type'; readonly expected: readonly HeaderType[]; readonly actual: string }
  | { readonly kind: 'value'; readonly allowed: readonly string[]; readonly actual: string }
  | { readonly kind: 'minimum'; readonly minimum: number; readonly actual: number }
)

/**
 * What does not fit `schema`, in text order; nothing in a header that a problem makes unreadable.
 * Keys without a value count as not written yet, and `version` has facts of its own (`versionOf`).
 */
export function headerMismatches(header: YamlHeader, schema: HeaderSchema): readonly HeaderMismatch[] {
  const mismatches: HeaderMismatch[] = []
  if (header.value) collect(header.entries, schema, [], mismatches)
  return mismatches.filter(({ path }) => path[0] !== 'version')
}

/** Only follows the schema, which is four levels deep. */
function collect(
  entries: readonly HeaderEntry[],
  schema: HeaderSchema,
  path: HeaderPath,
  mismatches: HeaderMismatch[],
): void {
  for (const entry of entries) {
    const { key } = entry
    const expected = typeof key === 'number' ? schema.items : propertyOf(schema, key)
    if (!expected || entry.type === 'null' || entry.type === 'unknown') continue
    const entryPath = [...path, key]
    const mismatch = mismatchOf(entry, expected, entryPath)
    if (mismatch) mismatches.push(mismatch)
    else collect(entry.children, expected, entryPath, mismatches)
  }
}

function mismatchOf(entry: HeaderEntry, schema: HeaderSchema, path: HeaderPath): HeaderMismatch | undefined {
  const { type, value, valueRange: range } = entry
  if (!allowsType(schema, type)) {
    const expected = typeof schema.type === 'string' ? [schema.type] : schema.type
    return { kind: 'type', path, range, expected, actual: type }
  }
  const { minimum } = schema
  if (minimum !== undefined && typeof value === 'number' && !(value >= minimum)) {
    return { kind: 'minimum', path, range, minimum, actual: value }
  }
  const allowed = schema.enum
  if (!allowed || typeof value !== 'string' || allowed.includes(value)) return undefined
  return { kind: 'value', path, range, allowed, actual: value }
}
