/** Preferences: one prompt with a chosen and a rejected answer, or several completions. */

import type { MessageOrigin } from '../conversation/conversation.ts'
import { field, isObject, objectIn } from '../conversation/json-input.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { spokenRole } from '../vocabulary/role-words.ts'
import { defineForm } from './form.ts'
import { type JsonSample, sampleOf } from './json-sample.ts'
import { framedMessages, readTextOfFrames } from './samples/framed-text.ts'
import {
  isWhole,
  promptKey,
  readHistory,
  readInstruction,
  readPrompt,
  readResponse,
  turnShape,
  withoutColumns,
} from './samples/prompt.ts'
import { Columns, readerFor } from './samples/sample-columns.ts'
import { answerTexts, soleText, writtenBranches } from './samples/written-branches.ts'

const pairs = [
  ['chosen', 'rejected'],
  ['chosen_response', 'rejected_response'],
  ['chosen_messages', 'rejected_messages'],
] as const

/** The field with an answer that was rejected in place of the last one of the list next to it. */
const rejectedAnswer = 'rejected_response'

/** True if the branch `name` is only an answer, in place of the last one of the list `listKey` of messages. */
export function isAnswerBesideList(name: string, listKey: string): boolean {
  return name === rejectedAnswer && !pairs.some(([chosen]) => chosen === listKey)
}

/** The form. */
export const preference = defineForm({
  name: 'preference',
  title: 'Preference',
  summary: localizable`A prompt with a chosen and a rejected answer`,
  documentation: '`chosen` and `rejected`, with or without a prompt of their own; or several `completions`',
  language: 'json',
  holds: 'json',
  comparesBranches: true,
  ownKeys: pairs.flat(),
  recognizedBy: {
    pair: (sample) =>
      pairs.some((pair) => sample.hasBranches(...pair)) ||
      (sample.listKey !== undefined && sample.hasBranches(rejectedAnswer)) ||
      (sample.listKey !== undefined && Array.isArray(sample.at('rejected_messages'))),
    completions: (sample) => promptKey(sample) !== undefined && Array.isArray(sample.at('completions')),
  },
  read(value, context) {
    const root = objectIn(value, localize`The document`)
    const sample = sampleOf(root)
    const columns = new Columns(root, context)
    const pair = pairs.find((it) => sample.hasBranches(...it))
    const { listKey } = sample
    if (pair) readPair(columns, sample, pair)
    else if (listKey !== undefined && Array.isArray(sample.at('rejected_messages')))
      readWhole(columns, [listKey, 'rejected_messages'])
    else if (listKey !== undefined) readBesideList(columns, listKey)
    else readCompletions(columns, sample)
    return columns.conversation()
  },
  editsTurns: true,
  write(conversation, context) {
    const written = writtenBranches(conversation, context)
    const { prompt, branches } = written
    const side = withoutColumns(written.side, context.losses, ['instruction', 'history'])
    const [chosen = [], rejected = []] = branches
    const isAnswered = branches.every(([first]) => first === undefined || first.role === 'assistant')
    // What doesn't begin with an answer is read as a whole conversation, prompt included.
    if (!isAnswered) return { ...side, chosen: [...prompt, ...chosen], rejected: [...prompt, ...rejected] }
    // All columns are texts, or all are messages: trainers expect either.
    const question = conversation.isConversational ? undefined : soleText(prompt, 'user')
    const texts = question === undefined ? undefined : answerTexts(written)
    const asked = { prompt: texts ? (question ?? '') : prompt }
    const answers: readonly JsonValue[] = texts ?? branches
    if (answers.length > 2) return { ...side, ...asked, completions: answers }
    const pair = { chosen: answers[0] ?? [], rejected: answers[1] ?? [] }
    // Without a prompt, texts would be read as texts with frames, and an empty prompt says nothing.
    return prompt.length === 0 ? { ...side, ...pair } : { ...side, ...asked, ...pair }
  },
})

function readPair(columns: Columns, sample: JsonSample, pair: readonly [string, string]): void {
  const turns = pair.map((key) => columns.turns(key))
  if (turns.every(isWhole)) {
    readWhole(columns, pair)
    return
  }
  if (turns.every((it) => it === undefined) && readFramedPair(columns, sample, pair)) return
  const { listKey } = sample
  const prompt = promptKey(sample) ?? (typeof sample.at('input') === 'string' ? 'input' : undefined)
  readHistory(columns)
  if (listKey !== undefined) columns.messages(listKey, turnShape)
  else if (sample.hasText('instruction')) readInstruction(columns)
  else if (prompt !== undefined) readPrompt(columns, prompt)
  columns.branches(pair, (key) => readResponse(columns, key))
}

/** Texts with frames, which hold the prompt or continue it, and texts that nothing is before (F24); false for others. */
function readFramedPair(columns: Columns, sample: JsonSample, pair: readonly [string, string]): boolean {
  const prompt = sample.listKey === undefined ? promptKey(sample) : undefined
  const before = prompt === undefined ? '' : sample.at(prompt)
  const texts = pair.map((key) => field(columns.root, key))
  if (typeof before !== 'string' || !texts.every((it) => typeof it === 'string')) return false
  const whole = texts.map((it) => before + it)
  if (hasPrompt(sample) && !whole.every((it) => framedMessages(it))) return false
  if (prompt !== undefined) columns.take(prompt)
  const { reader, context } = columns
  columns.branches(pair, (name) =>
    readTextOfFrames(whole[name === pair[0] ? 0 : 1] ?? '', reader, context.losses),
  )
  return true
}

/** True for a sample in which something is before its branches. */
function hasPrompt(sample: JsonSample): boolean {
  const texts = ['instruction', 'input'].some((key) => typeof sample.at(key) === 'string')
  return texts || sample.listKey !== undefined || promptKey(sample) !== undefined
}

/** Branches that are whole conversations: what they begin with in common is the prompt (F18). */
function readWhole(columns: Columns, keys: readonly string[]): void {
  const lists = keys.map((key) => columns.turns(key) ?? columns.list(key) ?? [])
  const nCommon = commonBeginning(lists)
  columns.branches(keys, (name) => {
    const shown = lists[keys.indexOf(name)] ?? []
    columns.reader.list(shown, turnShape)
    if (!columns.context.isTraced) return
    const others = lists.filter((it) => it !== shown).map((it) => originsOf(columns, it.slice(0, nCommon)))
    const { messages } = columns.reader
    for (const [index, message] of messages.entries()) {
      const copies = others.flatMap((it) => it[index] ?? [])
      if (message.origin && copies.length === others.length && isWithin(message.origin, shown, nCommon))
        messages[index] = { ...message, origin: { ...message.origin, copies } }
    }
  })
}

function originsOf(columns: Columns, list: readonly JsonValue[]): readonly MessageOrigin[] {
  const reader = readerFor(columns.root, { ...columns.context, isTraced: true }, () => undefined)
  reader.list(list, turnShape)
  return reader.messages.flatMap(({ origin }) => origin ?? [])
}

function isWithin({ item }: MessageOrigin, list: readonly JsonValue[], end: number): boolean {
  return item !== undefined && item.parent === list && Number(item.key) < end
}

/** How many messages all of `lists` begin with; at most all but the last of the shortest. */
function commonBeginning(lists: readonly (readonly JsonValue[])[]): number {
  const [first = [], ...others] = lists
  const most = Math.min(...lists.map(({ length }) => length)) - 1
  let count = 0
  while (count < most) {
    const text = JSON.stringify(first[count])
    if (others.some((it) => JSON.stringify(it[count]) !== text)) break
    count++
  }
  return Math.max(0, count)
}

/** A conversation next to the answer that was rejected in place of its last one. */
function readBesideList(columns: Columns, listKey: string): void {
  const list = columns.list(listKey) ?? []
  const lastUser = list.findLastIndex((it) => isObject(it) && spokenRole(wordOf(it)) === 'user')
  columns.branches([listKey, rejectedAnswer], (name) => {
    if (name === listKey) columns.reader.list(list, turnShape)
    else {
      columns.reader.list(list, turnShape, lastUser + 1)
      readResponse(columns, name)
    }
  })
}

function wordOf(it: JsonValue): string {
  const word = isObject(it) ? (field(it, 'role') ?? field(it, 'from')) : undefined
  return typeof word === 'string' ? word : ''
}

function readCompletions(columns: Columns, sample: JsonSample): void {
  const prompt = promptKey(sample) ?? 'prompt'
  readPrompt(columns, prompt)
  const list = columns.list('completions') ?? []
  columns.elements('completions', list, (index) => {
    const it = list[index]
    const place = { parent: list, key: index }
    const { reader } = columns
    if (Array.isArray(it)) reader.list(it, turnShape)
    else if (isObject(it)) reader.item(it, localize`Completion ${index + 1}`, place, turnShape)
    else reader.say('assistant', reader.content(it, list, index, 'assistant'), { whole: place })
  })
}
