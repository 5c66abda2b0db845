/** Prompts and responses in columns of their own, as alpaca, prompt-completion, and preference samples have them. */

import { field, isObject } from '../../conversation/json-input.ts'
import type { LossList } from '../../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { spokenRole } from '../../vocabulary/role-words.ts'
import { type JsonSample, sampleOf } from '../json-sample.ts'
import { type FramedMessage, framedMessages, readFramed } from './framed-text.ts'
import { type Columns, isMessage } from './sample-columns.ts'
import type { ItemShape } from './sample-reader.ts'

/** The keys of messages in such columns: those of `messages`, or of `sharegpt`. */
export const turnShape: ItemShape = { roles: ['role', 'from'], texts: ['content', 'value'] }

const textPrompts = ['question', 'query', 'problem'] as const
/** The columns of a response, in the order in which they count. */
export const responseKeys = ['completion', 'response', 'generation', 'output', 'solution', 'answer'] as const

/** The column that a prompt is in; undefined if there is none. An empty one counts next to a completion, which can be a whole text. */
export function promptKey(sample: JsonSample): string | undefined {
  const prompt = sample.at('prompt')
  if (typeof prompt === 'string' || Array.isArray(prompt)) return 'prompt'
  const text = textPrompts.find((key) => typeof sample.at(key) === 'string')
  if (text !== undefined) return text
  const input = sample.at('input')
  const isAsked =
    typeof input === 'string' || (Array.isArray(input) && isObject(input[0]) && isMessage(input[0]))
  if (isAsked && sample.hasText('output')) return 'input'
  const isEmptyPrompt = sample.hasText('prompt') || Array.isArray(field(sample.object ?? {}, 'prompt'))
  return isEmptyPrompt && (sample.at('completion') ?? sample.at('completions')) !== undefined
    ? 'prompt'
    : undefined
}

/** The column of the response to the prompt in `prompt`. */
export function responseKey(root: JsonObject, prompt: string): string | undefined {
  const keys = prompt === 'input' ? ['output'] : prompt === 'prompt' ? responseKeys.slice(0, 4) : responseKeys
  return keys.find((key) => (field(root, key) ?? undefined) !== undefined)
}

/** True for messages that hold more than a response: they begin with neither the assistant nor a call. */
export function isWhole(turns: readonly JsonValue[] | undefined): boolean {
  const [first] = turns ?? []
  if (!isObject(first)) return false
  const word = field(first, 'role') ?? field(first, 'from')
  const role = typeof word === 'string' ? spokenRole(word) : undefined
  return role !== 'assistant' && role !== 'call'
}

/** Reads the pairs of `history`, which are before the prompt (F14). @throws ShapeError for what is not a pair of texts */
export function readHistory(columns: Columns, key = 'history'): void {
  const pairs = columns.list(key) ?? []
  const { reader } = columns
  for (const pair of pairs) {
    const [said, answered] = Array.isArray(pair) ? (pair as readonly JsonValue[]) : []
    if (
      typeof said !== 'string' ||
      typeof answered !== 'string' ||
      (Array.isArray(pair) && pair.length !== 2)
    )
      throw columns.wrongType(key, localize`pairs of strings`)
    const parent = pair as readonly JsonValue[]
    reader.say('user', reader.text(said, { parent, key: 0 }, 'user'))
    reader.say('assistant', reader.text(answered, { parent, key: 1 }, 'assistant'))
  }
}

/** Reads the prompt in the column `key`: a text of the user, or messages. One that is there, but empty, has no messages. @throws ShapeError */
export function readPrompt(columns: Columns, key: string): void {
  const turns = columns.turns(key)
  if (turns) columns.reader.list(turns, turnShape)
  else if (columns.value(key) !== undefined || field(columns.root, key) === undefined)
    columns.said('user', [key])
}

/** Reads the response in the column `key`: a text of the assistant, a message, or messages. @throws ShapeError */
export function readResponse(columns: Columns, key: string): void {
  columns.take(key)
  columns.endPrompt()
  const turns = columns.turns(key)
  if (turns) columns.reader.list(turns, turnShape)
  else if (field(columns.root, key) === '')
    columns.reader.say('assistant', [], { whole: { parent: columns.root, key } })
  else if (columns.value(key) !== undefined) columns.said('assistant', [key])
}

/** Reads texts in columns that are one text with frames around its messages (F24); false if they are none, and nothing is read. */
export function readFramedColumns(columns: Columns, keys: readonly string[]): boolean {
  const framed = framedColumns(columns, keys)
  if (!framed) return false
  for (const key of keys) columns.take(key)
  readFramed(framed, columns.reader)
  return true
}

/** The messages of the text that `keys` are together; undefined if one is not text, or if there are no frames. */
export function framedColumns(
  columns: Columns,
  keys: readonly string[],
): readonly FramedMessage[] | undefined {
  const texts = keys.map((key) => field(columns.root, key))
  return texts.every((it) => typeof it === 'string') ? framedMessages(texts.join('')) : undefined
}

/**
 * Reads `instruction` and `input` as one text of the user, with a line break between them. Dolly calls its input `context`.
 * @throws ShapeError
 */
export function readInstruction(columns: Columns): void {
  const { root } = columns
  const isDolly = (field(root, 'input') ?? null) === null && typeof field(root, 'context') === 'string'
  const input = isDolly ? 'context' : 'input'
  if (field(root, input) === '') columns.take(input)
  columns.said('user', ['instruction', input], '\n')
}

/**
 * `side`, the fields next to a conversation, without those that readers of a form with columns would read before its columns or
 * instead of them: lists of messages (F6), and `others`. What is left out is reported.
 */
export function withoutColumns(
  side: JsonObject,
  losses: LossList,
  others: readonly string[] = [],
): JsonObject {
  let own = side
  for (;;) {
    const sample = sampleOf(own)
    const key = sample.listKey ?? sample.refusedKey ?? others.find((it) => sample.at(it) !== undefined)
    if (key === undefined) return own
    losses.add('field', localize`The conversation replaces the field \`${key}\` next to it`)
    const { [key]: _, ...rest } = own
    own = rest
  }
}
