/** Finds from bytes which samples cannot match, so that these are neither copied nor parsed nor sent to another thread. */
import type { PathSettings, SampleMatcher, SampleSieve } from '../../../core/src/internal.ts'

/**
 * Says which samples must be read: those that may match, and those that are cut off, which are reported whatever the query is.
 * Undefined if that is all of them.
 */
export function sieveFor({ mayMatchIn }: SampleMatcher, { mapping }: PathSettings): SampleSieve | undefined {
  if (!mayMatchIn) return undefined
  return (bytes) => {
    const mayMatch = mayMatchIn(bytes)
    return (start, end) => !isClosed(bytes, start, end) || mayMatch(start, end, mapping)
  }
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
