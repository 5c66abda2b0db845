/** Tells from bytes which samples of a stretch cannot match, so that these are neither parsed nor sent to another thread. */
import { type SampleMatcher, type Stretch, stretchWith } from '../../../core/src/internal.ts'
import type { ShownStretch } from '../dataset/sample-results.ts'

/**
 * The samples of a stretch that must be read: those that may match, and those that are cut off, which are reported whatever the
 * query is.
 */
export function sieved({ stretch, settings }: ShownStretch, matcher: SampleMatcher): Stretch {
  const { bytes, isTooLong, mistakes } = stretch
  const mayMatch = isTooLong ? undefined : matcher.mayMatchIn(bytes)
  if (!mayMatch) return stretch
  return stretchWith(
    stretch,
    ({ start, end, number }) =>
      !isClosed(bytes, start, end) || mistakes?.has(number) || mayMatch(start, end, settings.mapping),
  )
}

/** True if the bytes from `start` to before `end` begin and end as an object or a list. */
function isClosed(bytes: Uint8Array, start: number, end: number): boolean {
  let [first, last] = [start, end - 1]
  while (first < last && isBlank(bytes[first])) first++
  while (first < last && isBlank(bytes[last])) last--
  const opened = bytes[first]
  return (opened === 0x7b || opened === 0x5b) && bytes[last] === opened + 2 // `{` and `}`, or `[` and `]`
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a
}
