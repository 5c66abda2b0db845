/** One part of several, which do the whole of a dataset together (S18). */

/** A part. */
export interface Shard {
  /** From 0. */
  readonly index: number
  readonly count: number
}

const shardStretch = 1024 // samples

/** True for a sample that is of `shard`. */
export function isInShard(number: number, shard: Shard | undefined): boolean {
  return shard === undefined || Math.floor(number / shardStretch) % shard.count === shard.index
}
