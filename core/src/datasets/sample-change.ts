/** Changes of which samples a file has, and of their order, as a replacement of one stretch of its bytes. */
import type { ByteRange } from './sample-index.ts'

/** A change at a sample. `down` and `up` move it after the next one, or before the one before. */
export type SampleChange =
  | { readonly kind: 'delete' | 'duplicate' | 'up' | 'down' }
  /** Adds the sample with these bytes after it. */
  | { readonly kind: 'add'; readonly bytes: Uint8Array }

/** A sample and its neighbours, as bytes of the file. */
export interface SampleRanges {
  readonly own: ByteRange
  readonly before: ByteRange | undefined
  readonly after: ByteRange | undefined
}

/** What is in the place of a stretch of the file: stretches of the file, and new bytes. */
export interface Rearranged extends ByteRange {
  readonly pieces: readonly (ByteRange | Uint8Array)[]
}

/**
 * What `change` makes of the file; undefined if it changes nothing, because there is no neighbour.
 *
 * @param usual what separates samples where there are no two: a line break, or a comma
 */
export function rearranged(
  change: SampleChange,
  { own, before, after }: SampleRanges,
  usual: Uint8Array,
): Rearranged | undefined {
  switch (change.kind) {
    case 'delete':
      if (after) return { start: own.start, end: after.start, pieces: [] }
      return { start: before ? before.end : own.start, end: own.end, pieces: [] }
    case 'add':
    case 'duplicate': {
      const separator = between(own, after) ?? between(before, own) ?? usual
      const added = change.kind === 'add' ? change.bytes : own
      return { start: own.end, end: own.end, pieces: [separator, added] }
    }
    case 'up':
      return before && swapped(before, own)
    case 'down':
      return after && swapped(own, after)
    default:
      return change satisfies never
  }
}

function between(one: ByteRange | undefined, other: ByteRange | undefined): ByteRange | undefined {
  return one && other && { start: one.end, end: other.start }
}

function swapped(one: ByteRange, other: ByteRange): Rearranged {
  const separator = { start: one.end, end: other.start }
  return { start: one.start, end: other.end, pieces: [other, separator, one] }
}
