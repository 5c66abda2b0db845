/**
 * Writes an edit of a transcript into the places that its messages came from, whatever the form: each field whose words
 * changed is changed in its own spelling, and what a message was made of goes with it (F16, F18).
 */

import {
  type Conversation,
  type ConversationMessage,
  isPrivateMessage,
  type JsonPlace,
  type JsonWords,
  type MessageOrigin,
  textOf,
} from '../conversation/conversation.ts'
import { isEmpty, isObject } from '../conversation/json-input.ts'
import type { JsonNode } from '../embedded/json-tree.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { taggedText } from '../forms/samples/turns.ts'
import { reasoningKeys } from '../vocabulary/role-words.ts'
import { exactValue, isEqual } from './exact-json.ts'
import { JsonEdits, stretchOf } from './json-edits.ts'
import { changesIn } from './json-words.ts'
import { mergedJson } from './merge-json.ts'
import { wholeKey } from './message-runs.ts'
import { textChanges } from './text-change.ts'
import { editToolWords } from './tool-words.ts'

/** An edit, message by message. */
export interface MessageEdit {
  readonly json: string
  readonly value: JsonValue
  /** The sample as it is read, with the origins of its messages. */
  readonly source: Conversation
  /** The same messages as the transcript has them, before the edit and after it. */
  readonly old: readonly ConversationMessage[]
  readonly now: readonly ConversationMessage[]
  /** For each old message the index of the one it became, or -1. */
  readonly matches: readonly number[]
}

/** Writes messages as a form does, as elements of the list that `like` is in. */
export type WriteItems = (
  messages: readonly ConversationMessage[],
  nodes: readonly JsonNode[],
  index: number,
) => readonly JsonValue[]

/** The JSON after `edit`; undefined if it changes more than words, or what has no place of its own. */
export function tracedEdit(edit: MessageEdit, writeItems: WriteItems | undefined): string | undefined {
  const { json, value, source, old, now, matches } = edit
  if (source.messages.length !== old.length) return undefined
  const edits = new JsonEdits(json, value, source.embedded)
  const removed: MessageOrigin[] = []
  for (const [index, before] of old.entries()) {
    const after = now[matches[index] ?? -1]
    if (after && wholeKey(after) === wholeKey(before)) continue
    const origin = source.messages[index]?.origin
    if (!origin) {
      // It may show the tools.
      const isEdited = after && headerOf(after) === headerOf(before)
      if (!isEdited || !editToolWords(edits, value, { before: textOf(before), after: textOf(after) }))
        return undefined
      continue
    }
    const all = [origin, ...(origin.copies ?? [])]
    if (!after) removed.push(...all)
    else if (!editAllWords(edits, all, before, after) && !editItem(edits, edit, { index, after, writeItems }))
      return undefined
  }
  if (!removeAll(edits, removed, source.messages)) return undefined
  if (!insertAll(edits, edit, writeItems)) return undefined
  return edits.result()
}

function editAllWords(
  edits: JsonEdits,
  origins: readonly MessageOrigin[],
  before: ConversationMessage,
  after: ConversationMessage,
): boolean {
  if (headerOf(after) !== headerOf(before)) return false
  return origins.every((it) => editWords(edits, it.words, textOf(before), textOf(after)))
}

/** A message that became `after`, and what writes both as items. */
interface ChangedMessage {
  readonly index: number
  readonly after: ConversationMessage
  readonly writeItems: WriteItems | undefined
}

/**
 * Changes the texts of the item of a message in which it is written otherwise now: another tool, other arguments, another role.
 * False if the item has other texts there than the form writes, or has more messages.
 */
function editItem(
  edits: JsonEdits,
  { source, old }: MessageEdit,
  { index, after, writeItems }: ChangedMessage,
): boolean {
  const [before, origin] = [old[index], source.messages[index]?.origin]
  const { item, copies } = origin ?? {}
  if (!before || !item || typeof item.key !== 'number' || copies || !writeItems) return false
  const isShared = source.messages.some(({ origin: own }) => {
    return own !== origin && own?.item?.parent === item.parent && own.item.key === item.key
  })
  const object = valueAt(item)
  if (isShared || !object) return false
  const nodes = edits.elements(item.parent)
  const [base, ...others] = writeItems([before], nodes, item.key)
  const [next, ...more] = writeItems([after], nodes, item.key)
  if (!isObject(base) || !isObject(next) || others.length > 0 || more.length > 0) return false
  return [...new Set([...Object.keys(base), ...Object.keys(next)])].every((key) => {
    const [own, was, is] = [object[key], base[key], next[key]]
    if (was === is) return true
    if (typeof own !== 'string' || typeof was !== 'string' || typeof is !== 'string') return false
    const text = own === was ? is : mergedText(own, was, is)
    return text !== undefined && edits.change({ parent: object, key }, textChanges(own, text))
  })
}

/** `own`, which is the same JSON as `from` except for the spelling of numbers, with what is different in `to`; undefined if it is not. */
function mergedText(own: string, from: string, to: string): string | undefined {
  const [base, next] = [exactValue(from), exactValue(to)]
  if (exactValue(own) === undefined || base === undefined || next === undefined) return undefined
  const isSame = isEqual(exactValue(own), base) || isEqual(exactValue(JSON.stringify(JSON.parse(own))), base)
  return isSame ? mergedJson(own, base, next) : undefined
}

function headerOf({ content: _, range: __, origin: ___, ...header }: ConversationMessage): string {
  return JSON.stringify(header, Object.keys(header).sort())
}

function editWords(edits: JsonEdits, words: readonly JsonWords[], before: string, after: string): boolean {
  const [only] = words
  if (only && words.length === 1 && stretchOf(only) === undefined) return edits.merge(only, before, after)
  const changes = changesOf(words, before, after)
  if (!changes) return false
  if (isSeamGone(changes, words)) return replaceAll(edits, words, after)
  return [...changes].every(([index, own]) => {
    const it = words[index] as JsonWords // `changesIn` has indices of `values`
    const from = it.from ?? 0
    return edits.change(
      it,
      own.map((change) => ({ from: from + change.from, to: from + change.to, text: change.text })),
    )
  })
}

type WordChanges = NonNullable<ReturnType<typeof changesIn>>

/** What the edit changes in each of `words`; undefined if they are not what it is of. */
function changesOf(words: readonly JsonWords[], before: string, after: string): WordChanges | undefined {
  const values = words.map((it) => stretchOf(it))
  if (!values.every((it) => it !== undefined)) return undefined
  return changesIn(values, { before, after }, (index) => words[index]?.fixed !== undefined)
}

function isSeamGone(changes: WordChanges, words: readonly JsonWords[]): boolean {
  return [...changes.keys()].some((index) => words[index]?.fixed !== undefined)
}

/** Where nothing parts the words any more, all of them go into the first place (`alpaca`). */
function replaceAll(edits: JsonEdits, words: readonly JsonWords[], after: string): boolean {
  return words
    .filter(({ fixed }) => fixed === undefined)
    .every((it, index) => {
      const length = stretchOf(it)?.length ?? 0
      const from = it.from ?? 0
      return edits.change(it, [{ from, to: from + length, text: index === 0 ? after : '' }])
    })
}

/** Takes out what `removed` messages are made of: their items, if nothing else is in them, or their own parts and stretches. */
function removeAll(
  edits: JsonEdits,
  removed: readonly MessageOrigin[],
  all: readonly ConversationMessage[],
): boolean {
  const counts = new Map<object, Map<string | number, number>>()
  const count = ({ item }: MessageOrigin, by: number) => {
    if (!item) return
    const own = counts.get(item.parent) ?? new Map<string | number, number>()
    own.set(item.key, (own.get(item.key) ?? 0) + by)
    counts.set(item.parent, own)
  }
  for (const { origin } of all)
    for (const it of origin ? [origin, ...(origin.copies ?? [])] : []) count(it, 1)
  for (const it of removed) count(it, -1)
  const gone = new Map<object, Set<string | number>>()
  return removed.every((it) => {
    const { item, unit, words } = it
    if (item && counts.get(item.parent)?.get(item.key) === 0) {
      const known = gone.get(item.parent) ?? new Set()
      gone.set(item.parent, known)
      if (known.has(item.key)) return true
      known.add(item.key)
      return edits.remove(item)
    }
    if (unit) return edits.remove(unit)
    const stretches = words.filter(({ whole, from }) => whole !== undefined || from !== undefined)
    if (stretches.length === words.length && words.length > 0)
      return stretches.every((own) => {
        const { from = 0, to = from } = own.whole ?? own
        return edits.change(own, [{ from, to: afterBreaks(own, to), text: '' }])
      })
    return words.length > 0 && words.every((own) => edits.remove(own))
  })
}

/** The offset after the line breaks from `at` on, which belong to the tag that goes. */
function afterBreaks({ parent, key }: JsonWords, at: number): number {
  const text = stretchOf({ parent, key }) ?? ''
  let end = at
  while (text[end] === '\n' || text[end] === '\r') end++
  return end
}

/** Puts new messages into lists, next to those that they are next to. */
function insertAll(edits: JsonEdits, edit: MessageEdit, writeItems: WriteItems | undefined): boolean {
  const { source, now, matches } = edit
  const oldOf = new Map(matches.map((match, index) => [match, index]))
  const fresh = now.flatMap((_, index) => (oldOf.has(index) ? [] : [index]))
  if (fresh.length === 0) return true
  const itemOf = (index: number): JsonPlace | undefined => {
    const old = oldOf.get(index)
    const item = old === undefined ? undefined : source.messages[old]?.origin?.item
    return item && typeof item.key === 'number' ? item : undefined
  }
  for (let at = 0; at < fresh.length; ) {
    const first = fresh[at] ?? 0
    let last = first
    while (fresh[at + 1] === last + 1) {
      at++
      last++
    }
    at++
    if (addReasoning(edits, edit, { first, last, writeItems })) continue
    const [before, after] = [itemOf(first - 1), itemOf(last + 1)]
    const near = before ?? after
    if (!near || !writeItems) return false
    // Between messages of one item there is no place for another item.
    if (before && after && before.parent === after.parent && before.key === after.key) return false
    const index = before ? Number(before.key) + 1 : Number(near.key)
    const items = writeItems(now.slice(first, last + 1), edits.elements(near.parent), index)
    if (items.length === 0 || !items.every((it) => edits.insert(near.parent, index, it))) return false
  }
  return true
}

/** New messages in a row, and what writes them as items. */
interface FreshMessages {
  readonly first: number
  readonly last: number
  readonly writeItems: WriteItems | undefined
}

/**
 * Puts new reasoning into the message that it comes before: into tags if the sample has them or there is no other place, else into
 * its field or part (F21). False for all else.
 */
function addReasoning(
  edits: JsonEdits,
  { source, now, matches }: MessageEdit,
  { first, last, writeItems }: FreshMessages,
): boolean {
  const [thought, answer] = [now[first], now[last + 1]]
  const index = matches.indexOf(last + 1)
  const { origin } = source.messages[index] ?? {}
  const isReasoning = first === last && thought !== undefined && isThought(thought)
  if (!isReasoning || !origin || answer?.role !== 'assistant' || isThought(answer)) return false
  const { item, unit, words } = origin
  const before = source.messages[index - 1]?.origin?.item
  if (item && before && before.parent === item.parent && before.key === item.key) return false
  const object = item && edits.at(item)?.node.type === 'object' ? valueAt(item) : undefined
  const isInList = typeof item?.key === 'number'
  const usesTags = source.messages.some((it) => isThought(it) && it.origin?.words.some(({ whole }) => whole))
  const [written] =
    object && isInList && !usesTags
      ? (writeItems?.([thought], edits.elements(item.parent), item.key) ?? [])
      : []
  if (object && isObject(written)) {
    const key = reasoningKeys.find((it) => typeof written[it] === 'string')
    if (key !== undefined) return edits.put(object, key, textOf(thought))
    const parts = written.content ?? written.parts
    if (Array.isArray(parts))
      return unit !== undefined && Array.isArray(unit.parent)
        ? edits.insert(unit.parent, Number(unit.key), parts[0] as JsonValue)
        : false
  }
  const [place] = words
  const at = place?.from ?? 0
  const tagged = taggedText({ reasoning: textOf(thought), text: '' })
  return (
    place !== undefined &&
    answer.to === undefined &&
    edits.change(place, [{ from: at, to: at, text: tagged }])
  )
}

function isThought(message: ConversationMessage): boolean {
  return message.role === 'assistant' && isPrivateMessage(message)
}

function valueAt({ parent, key }: JsonPlace): JsonObject | undefined {
  const value = (parent as Readonly<Record<string | number, JsonValue>>)[key]
  return isObject(value) ? value : undefined
}

const signatureKeys = ['signature', 'thoughtSignature', 'thought_signature', 'encrypted_content'] as const

/** The fields whose text is now in the one before it, because the edit took away what parted them (`alpaca`). */
export function joinedFields({ source, old, now, matches }: MessageEdit): readonly string[] {
  return old.flatMap((before, index) => {
    const after = now[matches[index] ?? -1]
    const words = source.messages[index]?.origin?.words ?? []
    if (!after || !words.some(({ fixed }) => fixed !== undefined)) return []
    const changes = changesOf(words, textOf(before), textOf(after))
    if (!changes || !isSeamGone(changes, words)) return []
    return words
      .filter(({ fixed }) => fixed === undefined)
      .slice(1)
      .map(({ key }) => String(key))
  })
}

/** The fields that were made for text that is different now: they stay, and are reported (F17). */
export function staleFields({ source, old, now, matches }: MessageEdit): readonly string[] {
  const stale = new Set<string>()
  for (const [index, before] of old.entries()) {
    const after = now[matches[index] ?? -1]
    const origin = source.messages[index]?.origin
    if (!after || !origin || textOf(after) === textOf(before)) continue
    const note = (value: unknown, keys: readonly string[]) => {
      if (typeof value !== 'object' || value === null) return
      for (const key of keys) if (!isEmpty((value as JsonObject)[key])) stale.add(key)
    }
    for (const { parent } of origin.words) note(parent, signatureKeys)
    if (origin.unit) note(valueAt(origin.unit), signatureKeys)
    if (origin.item) note(valueAt(origin.item), ['train_detail', 'encrypted_content'])
  }
  return [...stale]
}
