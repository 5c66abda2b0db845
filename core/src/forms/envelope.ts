/** Envelopes: objects around a sample, such as the lines of a batch, with a question, its answer, or both (F7). */

import {
  type Conversation,
  type ConversationMessage,
  type JsonWords,
  textOf,
} from '../conversation/conversation.ts'
import { field, isEmpty, isObject } from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import { choicesIn } from './chat/read-messages.ts'
import { withAnswerFields, withSideFields } from './envelope-fields.ts'
import type { ReadContext } from './form.ts'
import { noteWrittenJson } from './json-source/inexact-json.ts'
import { conversationKeys, noteUnread, tellingKeys } from './samples/sample-columns.ts'

const questionKeys = [
  'body',
  'params',
  'request',
  'data',
  'sample',
  'example',
  'row',
  'record',
  'conversation',
  'inputs',
  'input',
] as const

const answerKeys = ['response', 'result', 'outputs', 'output'] as const

const deepest = 3

/** Where in a value a conversation is. */
export interface Located<Name extends string> {
  /** The form of the question, or of an answer that stands alone. */
  readonly form: Name
  /** What is of that form. */
  readonly value: JsonValue
  /** What continues it, and its form. */
  readonly answer?: { readonly form: Name; readonly value: JsonObject }
  /** The envelopes, outermost first, with the keys that lead further in. */
  readonly frames: readonly { readonly object: JsonObject; readonly keys: readonly string[] }[]
  /** What of these is JSON in a string, outermost first, and where that string is (F5). */
  readonly embedded: ReadonlyMap<object, JsonWords>
}

/** Finds the form of a value that is not an envelope; undefined if no clue fits. */
export type FormOfValue<Name extends string> = (value: JsonValue) => Name | undefined

/** The conversation in `value`, or in what it is an envelope of; undefined if there is none. */
export function located<Name extends string>(
  value: JsonValue,
  formOfValue: FormOfValue<Name>,
  depth = 0,
): Located<Name> | undefined {
  const form = formOfValue(value)
  if (!isObject(value)) return form === undefined ? undefined : { form, value, ...nothing }
  if (form !== undefined) {
    const answer = hasList(value) ? answerIn(value, ['response'], formOfValue) : undefined
    return answer
      ? { form, value, frames: [], embedded: answer.embedded, answer: answer.inside }
      : { form, value, ...nothing }
  }
  if (depth >= deepest) return undefined
  const answer = answerIn(value, answerKeys, formOfValue)
  for (const key of questionKeys) {
    const own = new Map<object, JsonWords>()
    const inner = objectIn(value, key, own)
    const question = inner && located(inner, formOfValue, depth + 1)
    if (!question) continue
    const keys = answer ? [key, answer.key] : [key]
    const frames = [{ object: value, keys }, ...question.frames]
    const embedded = new Map([...own, ...question.embedded, ...(answer?.embedded ?? [])])
    return { ...question, frames, embedded, ...(answer && { answer: answer.inside }) }
  }
  if (!answer) return undefined
  const { key, inside, embedded } = answer
  return { ...inside, frames: [{ object: value, keys: [key] }], embedded }
}

/** What is around a conversation that is in no envelope. */
const nothing: Pick<Located<string>, 'frames' | 'embedded'> = { frames: [], embedded: new Map() }

function hasList(value: JsonObject): boolean {
  return conversationKeys.some((key) => Array.isArray(field(value, key)))
}

function answerIn<Name extends string>(
  value: JsonObject,
  keys: readonly string[],
  formOfValue: FormOfValue<Name>,
):
  | {
      readonly key: string
      readonly inside: { readonly form: Name; readonly value: JsonObject }
      readonly embedded: Located<Name>['embedded']
    }
  | undefined {
  for (const key of keys) {
    const embedded = new Map<object, JsonWords>()
    const answer = objectIn(value, key, embedded)
    if (!answer) continue
    for (const inside of [
      answer,
      objectIn(answer, 'body', embedded),
      objectIn(answer, 'message', embedded),
    ]) {
      const form = inside && formOfValue(inside)
      if (inside && form !== undefined) return { key, inside: { form, value: inside }, embedded }
    }
  }
  return undefined
}

/** The object at `key` of `parent`; one that is JSON in a string is added to `embedded` (F5). */
function objectIn(
  parent: JsonObject,
  key: string,
  embedded: Map<object, JsonWords> = new Map(),
): JsonObject | undefined {
  const value = field(parent, key)
  if (isObject(value)) return value
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return undefined
  try {
    const parsed = JSON.parse(value) as JsonValue // what JSON.parse gives is a JSON value
    if (!isObject(parsed)) return undefined
    noteWrittenJson(value, parsed)
    embedded.set(parsed, { parent, key })
    return parsed
  } catch {
    return undefined
  }
}

/** Reads what was located; `read` reads a value of one form. */
export function readLocated<Name extends string>(
  { form, value, answer, frames, embedded }: Located<Name>,
  read: (form: Name, value: JsonValue) => Conversation,
  { losses, rest, isTraced = false }: ReadContext,
): Conversation {
  const question = read(form, value)
  const own =
    isObject(value) && hasList(value) && choicesIn(value) ? { form, value: withoutList(value) } : undefined
  const answers = [own, answer].flatMap((it) => it ?? [])
  let conversation = question
  for (const it of answers) {
    const continuation = read(it.form, it.value)
    const whole = continued(conversation, continuation)
    conversation = withAnswerFields(whole, conversation, continuation, { losses, rest })
  }
  const messages = conversation.messages
  for (const { object, keys } of frames.toReversed()) {
    noteUnread(object, new Set(keys), messages, losses)
    for (const key of answerKeys) if (!keys.includes(key)) noteUnreadAnswer(object, key, losses)
    if (rest === 'source') continue
    for (const key of answerKeys) {
      const wrapped = keys.includes(key) ? objectIn(object, key) : undefined
      if (wrapped && wrapped !== value && wrapped !== answer?.value)
        conversation = withSideFields(conversation, wrapped, ['body', 'message'], { losses, rest })
    }
    conversation = withSideFields(conversation, object, keys, { losses, rest })
  }
  if (!isTraced || embedded.size === 0) return conversation
  return { ...conversation, embedded: new Map([...embedded, ...(conversation.embedded ?? [])]) }
}

/** Reports an answer in an envelope whose form is unknown: that of a question with one answer has one text at least. */
function noteUnreadAnswer(object: JsonObject, key: string, losses: LossList): void {
  const answer = objectIn(object, key)
  const said = answer && Object.keys(answer).find((it) => saidKeys.has(it) && !isEmpty(answer[it]))
  if (said === undefined) return
  losses.addAt(
    'unread',
    localize`\`${`${key}.${said}`}\` looks like part of the conversation, but is not read`,
    object,
    key,
  )
}

/** Keys of an answer whose form is unknown. */
const saidKeys: ReadonlySet<string> = new Set([
  ...tellingKeys,
  'answer',
  'text',
  'content',
  'message',
  'generations',
])

function withoutList(value: JsonObject): JsonObject {
  const entries = Object.entries(value).filter(([key]) => key === 'choices')
  return Object.fromEntries(entries) as JsonObject
}

/** `question` with the messages of `answer` after it, unless it ends with them. */
function continued(question: Conversation, answer: Conversation): Conversation {
  const { messages, branches, branch, embedded } = answer
  const end = question.messages.slice(-messages.length)
  const isCopy = end.length === messages.length && end.every((it, index) => isSame(it, messages[index]))
  return {
    ...question,
    messages: isCopy ? question.messages : [...question.messages, ...messages],
    ...(branches && !question.branches && { branches, ...(branch !== undefined && { branch }) }),
    ...(embedded && { embedded: new Map([...(question.embedded ?? []), ...embedded]) }),
  }
}

function isSame(one: ConversationMessage, other: ConversationMessage | undefined): boolean {
  return (
    other !== undefined &&
    one.role === other.role &&
    one.channel === other.channel &&
    textOf(one) === textOf(other)
  )
}

/** The keys of `value` that look like a conversation, for the report that its form is unknown (F6). */
export function likelyKeys(value: JsonValue): readonly string[] {
  if (!isObject(value)) return []
  const keys = Object.keys(value)
  const likely = keys.filter((key) => {
    const it = field(value, key)
    if (isEmpty(it)) return false
    if (Array.isArray(it)) return it.some((item) => typeof item === 'string' || isObject(item as JsonValue))
    return typeof it === 'string' ? it.length >= 20 || /\s|^[[{]/.test(it) : isObject(it)
  })
  // Short texts may be a question and its answer.
  return likely.length > 0
    ? likely
    : keys.filter((key) => typeof value[key] === 'string' && value[key] !== '')
}
