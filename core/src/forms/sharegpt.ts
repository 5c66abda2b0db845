/** ShareGPT: `conversations` whose messages say `from` and `value`. */

import { field, isObject, ShapeError } from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm, type ReadContext } from './form.ts'
import { sampleOf } from './json-sample.ts'
import { Columns } from './samples/sample-columns.ts'
import type { ItemShape } from './samples/sample-reader.ts'
import {
  callText,
  notedTaggedText,
  noteNames,
  notePairs,
  type Turn,
  turnsOf,
  withoutSystem,
} from './samples/turns.ts'

const shape: ItemShape = { roles: ['from', 'role'], texts: ['value', 'content'] }

/** The form. */
export const sharegpt = defineForm({
  name: 'sharegpt',
  title: 'ShareGPT',
  summary: localizable`Conversations of messages with from and value`,
  documentation: '`conversations`, each message with `from` and `value`',
  language: 'json',
  holds: 'json',
  lists: ['conversations'],
  alternates: true,
  recognizedBy: {
    item: ({ hasList, first }) =>
      hasList &&
      first !== undefined &&
      (Object.hasOwn(first, 'from') ||
        (Object.hasOwn(first, 'value') && !Object.hasOwn(first, 'content')) ||
        pairIn(first) !== undefined),
  },
  read(value, context) {
    const { listKey = 'conversations', object = { [listKey]: value } } = sampleOf(value)
    const columns = new Columns(object, context)
    const list = columns.list(listKey) ?? []
    if (list.some((it) => isObject(it) && pairIn(it))) readPairs(list, columns, context)
    else columns.reader.list(list, shape)
    return columns.conversation()
  },
  write(conversation, { losses }) {
    const { side, tools, turns } = turnsOf(conversation, losses, {
      answers: true,
      replies: true,
      messageKeys: ['from', 'value'],
    })
    const { system, others } = withoutSystem(turns)
    for (const turn of others) noteNames(turn, losses)
    notePairs(others, losses)
    return {
      ...side,
      ...(system !== undefined && { system }),
      ...(tools && { tools: JSON.stringify(tools) }),
      conversations: others.flatMap((it) => written(it, losses)),
    }
  },
})

const words = {
  system: 'system',
  developer: 'developer',
  user: 'human',
  assistant: 'gpt',
  tool: 'observation',
} as const

function written(turn: Turn, losses: LossList): readonly JsonObject[] {
  const { role, text, reasoning, calls, side } = turn
  if (role !== 'assistant') return [{ from: words[role], value: text ?? '', ...side }]
  if (text !== undefined && calls.length > 0)
    losses.add('intent', localize`A preamble becomes an ordinary message`)
  const said =
    text === undefined && reasoning === undefined
      ? []
      : [{ from: 'gpt', value: notedTaggedText(turn, losses), ...side }]
  const called = calls.map(callText)
  if (called.length === 0) return said.length === 0 ? [{ from: 'gpt', value: '', ...side }] : said
  const value = called.length === 1 ? called.join() : `[${called.join()}]`
  return [...said, { from: 'function_call', value, ...side }]
}

/** The keys of a message of the user and its answer in one object. */
const pairs = [
  ['human', 'assistant'],
  ['input', 'output'],
] as const

/** The keys of an item that is such a pair; undefined for any other. */
function pairIn(item: JsonObject): (typeof pairs)[number] | undefined {
  if (Object.hasOwn(item, 'role') || Object.hasOwn(item, 'type')) return undefined
  return pairs.find((keys) => keys.every((key) => typeof field(item, key) === 'string'))
}

function readPairs(list: readonly JsonValue[], { reader }: Columns, { losses }: ReadContext): void {
  for (const [index, pair] of list.entries()) {
    const where = localize`Message ${index + 1}`
    if (!isObject(pair)) throw new ShapeError(localize`${where} is not an object`, list, index)
    losses.place = losses.places?.of(list, index)
    const [asked, answered] = pairIn(pair) ?? pairs[0]
    const first = reader.messages.length
    for (const [key, role] of [
      [asked, 'user'],
      [answered, 'assistant'],
    ] as const) {
      const place = { parent: pair, key }
      reader.answerOf(role === 'assistant' ? { parent: list, key: index } : undefined)
      const pieces = reader.content(field(pair, key), pair, key, role)
      reader.say(role, pieces, { item: pair, whole: place })
    }
    reader.keepSide(pair, [asked, answered], first)
  }
  reader.answerOf(undefined)
  losses.place = undefined
}
