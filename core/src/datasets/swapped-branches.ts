/** A pair whose two branches change places (S11). */
import { jsonTree } from '../embedded/json-tree.ts'
import { memberOf } from './merge-json.ts'

/**
 * `json` with the values of its fields `one` and `other` exchanged; every other character stays. Undefined if it does not have both
 * fields at the top.
 */
export function swappedBranches(json: string, one: string, other: string): string | undefined {
  const { root } = jsonTree(json)
  const members = [memberOf(root, one), memberOf(root, other)]
  const [first, second] = members.flatMap((it) => it ?? []).sort((a, b) => a.offset - b.offset)
  if (!first || !second || first === second) return undefined
  const text = ({ offset, length }: typeof first) => json.slice(offset, offset + length)
  const between = json.slice(first.offset + first.length, second.offset)
  return `${json.slice(0, first.offset)}${text(second)}${between}${text(first)}${json.slice(second.offset + second.length)}`
}
