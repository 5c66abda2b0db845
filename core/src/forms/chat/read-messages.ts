/** Reads the `messages` of Chat Completions, with tools, calls, replies, and the reasoning fields that hosts write. */

import type { Conversation, ConversationMessage, JsonPlace } from '../../conversation/conversation.ts'
import {
  field,
  isObject,
  noteUnknownFields,
  objectAt,
  objectIn,
  ShapeError,
  textField,
} from '../../conversation/json-input.ts'
import { type LossKind, LossList } from '../../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { isPrivate } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { keptMessagesKey } from '../../vocabulary/kept-keys.ts'
import { reasoningKeys } from '../../vocabulary/role-words.ts'
import type { ReadContext } from '../form.ts'
import { sampleOf } from '../json-sample.ts'
import { inexactText } from '../json-source/inexact-json.ts'
import { converseAnswer, hasConverseParts } from '../samples/converse.ts'
import { Columns } from '../samples/sample-columns.ts'
import { messageFields, otherTextKey } from '../samples/sample-reader.ts'
import { reasoningFieldKey, usualReasoningField } from './chat-tools.ts'
import { isPlainMessage, type KeptMessage, keptEntry, keptFields, messageKeys } from './kept-messages.ts'
import { lengthOf, writtenMessage } from './write-messages.ts'

/** Reads a request, an answer with `choices`, or a list of messages. @throws ConversionError */
export function fromMessages(value: JsonValue, context: ReadContext): Conversation {
  const root: JsonObject = Array.isArray(value)
    ? { messages: value }
    : objectIn(value, localize`The document`)
  const sample = sampleOf(value)
  const { listKey, refusedKey, emptyKey } = sample
  const key = listKey ?? refusedKey ?? emptyKey ?? 'messages'
  const list = listKey === undefined && !Array.isArray(value) ? choicesIn(root) : undefined
  if (list) return fromChoices(root, list, context)
  const answer = listKey === undefined ? converseAnswer(root) : undefined
  if (answer) return fromConverse(root, answer, context)
  if (context.rest === 'source' || hasConverseParts(sample)) {
    const columns = new Columns(root, context)
    columns.messages(key)
    if (field(root, key) === undefined) throw withoutMessages(root)
    columns.take(key)
    return columns.conversation()
  }
  return new KeepingReader(root, context).read(key)
}

function withoutMessages(root: JsonObject): ShapeError {
  textField(root, 'text', localize`The document`) // a sample whose `text` is not a string
  return new ShapeError(localize`The document has no \`messages\``, root)
}

/** The choices of an answer; undefined for anything else. */
export function choicesIn(root: JsonObject): readonly JsonValue[] | undefined {
  const choices = field(root, 'choices')
  const isChoice = (it: JsonValue) => isObject(it) && isObject(field(it, 'message'))
  return Array.isArray(choices) && choices.length > 0 && choices.every(isChoice) ? choices : undefined
}

function fromConverse(root: JsonObject, answer: JsonObject, context: ReadContext): Conversation {
  const columns = new Columns(root, context)
  columns.take('output')
  const where = localize`The message`
  const item = { parent: answer, key: 'message' }
  columns.reader.item(objectAt(answer, 'message', where), where, item)
  return columns.conversation()
}

const choiceFields: ReadonlySet<string> = new Set(['index', 'message'])

/** Several choices are branches (F7). */
function fromChoices(root: JsonObject, choices: readonly JsonValue[], context: ReadContext): Conversation {
  const columns = new Columns(root, context)
  columns.take('choices')
  const read = (index: number) => {
    const where = localize`Choice ${index + 1}`
    const choice = objectAt(choices, index, where)
    const { losses } = context
    columns.reader.element({ parent: choices, key: index }, losses.places?.of(choices, index))
    const item = { parent: choice, key: 'message' }
    columns.reader.item(objectAt(choice, 'message', where), where, item)
    if (context.rest !== 'source') noteUnknownFields(choice, choiceFields, where, losses)
    losses.place = undefined
  }
  if (choices.length > 1) columns.elements('choices', choices, read)
  else read(0)
  return columns.conversation()
}

/** Reads messages, and keeps in the header what a transcript does not say of them. */
class KeepingReader {
  readonly #columns: Columns
  readonly #context: ReadContext
  /** What is lost of the message that is read, unless the header keeps it. */
  #left: LossList
  #reasoningField: string | undefined
  /** True if the last message would join the next one of the assistant when written again. */
  #isOpen = false
  /** Messages of which something is to be kept, by the place of their first message, and what is lost otherwise. */
  readonly #kept = new Map<number, KeptMessage>()
  readonly #lost = new Map<number, LossList>()

  constructor(root: JsonObject, context: ReadContext) {
    this.#context = context
    this.#left = new LossList(context.losses.places)
    const leave = (kind: LossKind, message: string, parent: object, key?: string | number) =>
      this.#left.addAt(kind, message, parent, key)
    this.#columns = new Columns(root, context, { leave })
  }

  read(key: string): Conversation {
    const { losses } = this.#context
    const columns = this.#columns
    const list = columns.list(key) ?? []
    if (field(columns.root, key) === undefined) throw withoutMessages(columns.root)
    columns.take(key)
    for (let index = 0; index < list.length; index++) {
      const range = losses.places?.of(list, index)
      losses.place = range
      this.#left.place = range
      const where = localize`Message ${index + 1}`
      this.#read(objectAt(list, index, where), where, { parent: list, key: index })
    }
    losses.place = undefined
    const own = [...columns.reader.messages]
    const conversation = columns.conversation()
    const { header = {} } = conversation
    const kept = this.#keptIn(header, own)
    const name = this.#reasoningField
    const reasoning =
      name === undefined || name === usualReasoningField ? undefined : { [reasoningFieldKey]: name }
    if (!reasoning && !kept) return conversation
    return { ...conversation, header: { ...header, ...reasoning, ...kept } }
  }

  /** What `header` is to keep of messages, as far as it has room. What else there is to say of them is lost. */
  #keptIn(header: JsonObject, messages: readonly ConversationMessage[]): JsonObject | undefined {
    if (this.#lost.size === 0) return undefined
    const { entry, left } = keptEntry(this.#kept, messageKeys(messages), header, this.#context.rest)
    for (const [index, lost] of this.#lost) {
      if (this.#kept.has(index) && !left.has(index)) continue
      for (const { kind, message, range } of lost.all) this.#context.losses.add(kind, message, range)
    }
    return left.size < this.#kept.size ? { [keptMessagesKey]: entry } : undefined
  }

  #read(it: JsonObject, where: string, place: JsonPlace): void {
    const { reader } = this.#columns
    const first = reader.messages.length
    const wasOpen = this.#isOpen
    const other = otherTextKey(it)
    const known = other === undefined ? messageFields : new Set([...messageFields, other])
    noteUnknownFields(it, known, where, this.#left)
    reader.item(it, where, place)
    const last = reader.messages.at(-1)
    const role = last?.role ?? ''
    this.#isOpen = role === 'assistant' && (last?.to !== undefined || (last !== undefined && isPrivate(last)))
    const joins = wasOpen && role === 'assistant'
    if (joins) this.#left.add('message-boundary', localize`${where} joins the message before it`)
    for (const key of reasoningKeys) if (role === 'assistant' && it[key]) this.#reasoningField ??= key
    const reasoningField = this.#reasoningField ?? usualReasoningField
    if (!joins && this.#left.isEmpty && isPlainMessage(it, String(it.role), reasoningField)) return
    this.#keep(it, first, reasoningField)
  }

  #keep(it: JsonObject, first: number, reasoningField: string): void {
    const run = this.#columns.reader.messages.slice(first)
    const message = writtenMessage(run, reasoningField)
    const isExact = inexactText(it) === undefined // else a transcript says more of it
    const fields = message && isExact ? keptFields(it, { message, reasoningField }) : undefined
    if (fields) this.#kept.set(first, { count: run.length, length: lengthOf(run), fields })
    this.#lost.set(first, this.#left)
    this.#left = new LossList(this.#context.losses.places)
  }
}
