/** The option `--shard I/N`. */
import { UsageError } from './arguments.ts'
import type { Shard } from './dataset/shard.ts'

/** Does one part of several. */
export const shardOption = {
  kind: 'text',
  placeholder: 'I/N',
  summary:
    'Process only part I of N, counted from 1: blocks of 1,024 samples in turn, so that N runs process everything',
} as const

/** Refuses a part of what is not a dataset. @throws UsageError */
export function refuseShard(text: string | undefined): void {
  if (text !== undefined) throw new UsageError('`--shard` is for datasets')
}

/** The shard that `text` names. @throws UsageError */
export function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined
  const [, part = '', of = ''] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? []
  const [index, count] = [Number(part) - 1, Number(of)]
  if (part === '' || index >= count) throw new UsageError(`\`--shard ${text}\`: expected a part, such as 1/8`)
  return { index, count }
}
