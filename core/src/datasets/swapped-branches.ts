/** A pair whose two branches change places (S11). */
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import { isAnswerBesideList } from '../forms/preference.ts'
import { spokenRole } from '../vocabulary/role-words.ts'
import { keyOf } from './merge-json.ts'

/**
 * `json` with the values of its fields `one` and `other` exchanged, and of fields about them that have both names in theirs, such as
 * `score_chosen` and `score_rejected`; every other character stays. A rejected answer next to a list of messages changes places
 * with the text of the last one. Undefined if `json` does not have both fields at the top, or if an answer is more than its text.
 */
export function swappedBranches(json: string, one: string, other: string): string | undefined {
  const values = valuesOf(jsonTree(json).root)
  const [first, second] = [values.get(one), values.get(other)]
  if (one === other || !first || !second) return undefined
  if (isList(first) && isAnswerBesideList(other, one)) return withAnswerSwapped(json, first, second)
  if (isList(second) && isAnswerBesideList(one, other)) return withAnswerSwapped(json, second, first)
  const replacements = [...values].flatMap(([key, value]) => {
    const name = key.replaceAll(one, other)
    const counterpart = name === key ? undefined : values.get(name)
    if (!value || !counterpart) return []
    return exchange(value, counterpart)
  })
  return replaced(json, replacements)
}

/** The text of the last answer in `list` and `answer` exchanged. */
function withAnswerSwapped(json: string, list: JsonNode, answer: JsonNode): string | undefined {
  const messages = (list.children ?? []).map(valuesOf)
  const [before, last] = messages.slice(-2)
  if (!before || !last || messages.length < 2) return undefined
  const text = last.get('content') ?? last.get('value')
  // Its calls or reasoning would stay with the text of the other answer.
  const isOnlyText = last.size === 2 && text?.type === 'string' && answer.type === 'string' && !isList(answer)
  // The rejected answer takes the place of all that follows the last message of the user.
  if (!isOnlyText || roleIn(before) !== 'user' || roleIn(last) !== 'assistant') return undefined
  return replaced(json, exchange(text, answer))
}

/** True for a list, also one that is written as a string. */
function isList({ type, value }: JsonNode): boolean {
  return type === 'array' || (typeof value === 'string' && /^\s*\[/.test(value))
}

function roleIn(message: ReadonlyMap<string, JsonNode | undefined>): string | undefined {
  const word = (message.get('role') ?? message.get('from'))?.value
  return typeof word === 'string' ? spokenRole(word) : undefined
}

interface Replacement {
  readonly at: JsonNode
  readonly by: JsonNode
}

function exchange(one: JsonNode, other: JsonNode): readonly Replacement[] {
  return [
    { at: one, by: other },
    { at: other, by: one },
  ]
}

function replaced(json: string, replacements: readonly Replacement[]): string {
  const parts: string[] = []
  let end = 0
  for (const { at, by } of replacements.toSorted((a, b) => a.at.offset - b.at.offset)) {
    parts.push(json.slice(end, at.offset), json.slice(by.offset, by.offset + by.length))
    end = at.offset + at.length
  }
  return parts.join('') + json.slice(end)
}

function valuesOf(node: JsonNode | undefined): ReadonlyMap<string, JsonNode | undefined> {
  const members = node?.type === 'object' ? (node.children ?? []) : []
  return new Map(members.map((it) => [keyOf(it), it.children?.[1]]))
}
