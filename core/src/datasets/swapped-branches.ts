/** A pair whose two branches change places (S11). */
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import { keyOf } from './merge-json.ts'

/**
 * `json` with the values of its fields `one` and `other` exchanged, and of fields about them that have both names in theirs, such as
 * `score_chosen` and `score_rejected`; every other character stays. Undefined if it does not have both fields at the top.
 */
export function swappedBranches(json: string, one: string, other: string): string | undefined {
  const values = new Map(membersOf(jsonTree(json).root).map((it) => [keyOf(it), it.children?.[1]]))
  if (one === other || !values.get(one) || !values.get(other)) return undefined
  const replacements = [...values].flatMap(([key, value]) => {
    const name = key.replaceAll(one, other)
    const counterpart = name === key ? undefined : values.get(name)
    if (!value || !counterpart) return []
    return [
      { at: value, by: counterpart },
      { at: counterpart, by: value },
    ]
  })
  const parts: string[] = []
  let end = 0
  for (const { at, by } of replacements.sort((a, b) => a.at.offset - b.at.offset)) {
    parts.push(json.slice(end, at.offset), json.slice(by.offset, by.offset + by.length))
    end = at.offset + at.length
  }
  return parts.join('') + json.slice(end)
}

function membersOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === 'object' ? (node.children ?? []) : []
}
