/** The columns of a sample: which are read as a conversation, and which stay next to it (F1, F5, F8, F13, F14). */

import type { Conversation, ConversationMessage, JsonPlace } from '../../conversation/conversation.ts'
import { textOf } from '../../conversation/conversation.ts'
import { field, isEmpty, isObject, nameOf, ShapeError } from '../../conversation/json-input.ts'
import type { LossKind, LossList } from '../../conversation/loss.ts'
import { toolList } from '../../embedded/request-tools.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { addToolMessage } from '../chat/chat-message.ts'
import { importRequest } from '../chat/chat-tools.ts'
import { keepingSideFields } from '../chat/kept-side-fields.ts'
import type { ReadContext } from '../form.ts'
import { converseTools } from './converse.ts'
import type { Piece } from './piece-reader.ts'
import { type ItemShape, messageShape, SampleReader } from './sample-reader.ts'

/** Keys under which samples have their list of messages, in the order in which they count (F6). */
export const conversationKeys = [
  'messages',
  'conversations',
  'conversation',
  'dialog',
  'dialogue',
  'turns',
  'chat',
  'items',
] as const

/** Keys that hold conversation wherever they are not empty (F8). */
export const tellingKeys: readonly string[] = [
  ...conversationKeys,
  ...'prompt completion completions response generation instruction input output question query problem answers'.split(
    ' ',
  ),
  ...'chosen rejected history system system_prompt tools functions reasoning reasoning_content thinking'.split(
    ' ',
  ),
]

/** What some forms have elsewhere. */
interface ColumnOptions {
  readonly leave?: Leave
  /** The reader that has read what comes before. */
  readonly reader?: SampleReader
  /** The definitions of tools. */
  readonly tools?: JsonValue | undefined
  /** The column of the system prompt. */
  readonly system?: string
}

/** Reading a branch looks at all of the sample, so reading all of them is quadratic in their number. */
const mostBranches = 1000

/** The list that was named last: its branches are read one after the other. */
let last: { readonly name: string; readonly elements: readonly string[] } = { name: '', elements: [] }

function elementNames(name: string, length: number): readonly string[] {
  const most = Math.min(length, mostBranches + 1) // more are only too many
  if (last.name !== name || last.elements.length !== most)
    last = { name, elements: Array.from({ length: most }, (_, index) => `${name}[${index}]`) }
  return last.elements
}

/** Reads the columns of one sample. */
export class Columns {
  readonly root: JsonObject
  readonly reader: SampleReader
  readonly context: ReadContext
  readonly #read = new Set<string>()
  readonly #tools: JsonValue | undefined
  readonly #system: string | undefined
  #promptLength: number | undefined
  #branches: readonly string[] | undefined
  #branch = ''
  #hasTurns = false

  /** @param options what differs from a sample whose columns are all in `root` */
  constructor(root: JsonObject, context: ReadContext, { leave, reader, tools, system }: ColumnOptions = {}) {
    this.root = root
    this.context = context
    this.reader = reader ?? readerFor(root, context, leave)
    this.#tools = tools
    this.#system = system
  }

  /** The value of a column, which is read by that; undefined for what is empty. */
  value(key: string): JsonValue | undefined {
    const value = field(this.root, key)
    if (isEmpty(value)) return undefined
    this.#read.add(key)
    this.reader.column(key)
    return value
  }

  /** Notes that `key` is read, or says what others do. */
  take(key: string): void {
    this.#read.add(key)
  }

  /** A text. @throws ShapeError for another type */
  text(key: string): string | undefined {
    const value = this.value(key)
    if (value === undefined || typeof value === 'string') return value
    throw this.wrongType(key, localize`a string`)
  }

  /** A list, also as JSON in a string. @throws ShapeError for another type */
  list(key: string): readonly JsonValue[] | undefined {
    if (this.value(key) === undefined) return undefined
    const value = this.reader.parsed(this.root, key)
    if (value === undefined || Array.isArray(value)) return value
    throw this.wrongType(key, localize`a list`)
  }

  /** The messages in a column that has a list of them, one, or such a list as JSON in a string (F5); undefined for a text. */
  turns(key: string): readonly JsonValue[] | undefined {
    const turns = this.#turns(key)
    if (turns) this.#hasTurns = true
    return turns
  }

  #turns(key: string): readonly JsonValue[] | undefined {
    const value = this.value(key)
    if (Array.isArray(value)) return value
    if (isObject(value)) return isMessage(value) ? [value] : undefined
    if (typeof value !== 'string' || !/^\s*\[/.test(value)) return undefined
    const parsed = this.reader.parsedText(value, { parent: this.root, key })
    const [first] = Array.isArray(parsed) ? parsed : []
    return Array.isArray(parsed) && isObject(first) && isMessage(first) ? parsed : undefined
  }

  /** The error that a column has another type than it is read as. */
  wrongType(key: string, expected: string): ShapeError {
    const actual = nameOf(field(this.root, key))
    return new ShapeError(localize`\`${key}\` is ${actual}. Expected ${expected}`, this.root, key)
  }

  /** Reads the messages in a column. @throws ShapeError */
  messages(key: string, shape: ItemShape = messageShape): void {
    const list = this.list(key)
    if (list) this.reader.list(list, shape)
  }

  /**
   * What `read` reads of the branch that is asked for; the others are read as well, so that a mistake in them is found and what
   * they have in common with the prompt is known. Each gives messages of its own.
   */
  branches(names: readonly string[], read: (name: string) => void): void {
    this.#choose(names)
    read(this.#branch)
    for (const name of names) this.#read.add(name)
  }

  /** As {@link branches}, where each element of a list is one: it has the name of the list and its place, as in `choices[0]`. */
  elements(name: string, { length }: readonly JsonValue[], read: (index: number) => void): void {
    const names = elementNames(name, length)
    this.#choose(names)
    read(names.indexOf(this.#branch))
  }

  /** @throws ShapeError if there are more than are read */
  #choose(names: readonly string[]): void {
    if (names.length > mostBranches)
      throw new ShapeError(localize`A sample can have at most ${mostBranches} branches`, this.root)
    this.#branches = names
    this.#branch = names.find((it) => it === this.context.branch) ?? names[0] ?? ''
  }

  /** The text of a column as a message of `role`. */
  said(role: string, keys: readonly string[], separator = ''): void {
    const pieces = keys.flatMap((key): readonly Piece[] => {
      const text = this.text(key)
      if (text === undefined) return []
      const place: JsonPlace = { parent: this.root, key }
      return this.reader.text(text, place, role, place)
    })
    const [first, second] = pieces
    const joined: readonly Piece[] =
      separator !== '' && pieces.length === 2 && first && second
        ? [
            first,
            { kind: 'text', text: separator, words: [{ parent: this.root, key: '', fixed: separator }] },
            second,
          ]
        : pieces
    this.reader.say(role, joined)
  }

  /** What was read so far is the prompt, and what follows its response. */
  endPrompt(): void {
    this.#promptLength = this.reader.messages.length
  }

  /** The conversation, with what is next to it. */
  conversation(): Conversation {
    const { root, context, reader } = this
    const { losses, rest } = context
    const converse = toolList(root) ? undefined : converseTools(root)
    if (converse !== undefined && Object.keys(field(root, 'toolConfig') ?? {}).length === 1)
      this.take('toolConfig')
    const system = this.#systemMessages()
    const tools = this.#tools ?? converse
    const request = tools === undefined ? root : { ...root, tools }
    const { header, toolMessage, requestTools } = importRequest(request, this.#read, losses, rest)
    for (const key of ['tools', 'functions']) this.#noteTools(key)
    const messages = [...reader.messages]
    const kept = keepingSideFields(header, messages, reader.withSide, context)
    messages.unshift(...system)
    noteUnread(root, this.#read, messages, losses)
    addToolMessage(messages, toolMessage)
    const nBefore = messages.length - reader.messages.length // the system prompt and the tools
    const promptLength = (this.#promptLength ?? messages.length) + nBefore
    const isLong = messages.slice(promptLength).some(({ role }) => role !== 'assistant')
    return {
      header: kept,
      messages,
      ...(isLong && { promptLength }),
      ...(requestTools && { requestTools }),
      ...(this.#branches && { branches: this.#branches, branch: this.#branch }),
      ...(this.#hasTurns && { isConversational: true }),
      ...(reader.isFramed && { isFramed: true }),
      ...(context.isTraced && reader.embedded.size > 0 && { embedded: reader.embedded }),
    }
  }

  /** Tools are always read; those in a string that is not JSON are kept and reported (F5). */
  #noteTools(key: string): void {
    const value = this.value(key)
    if (typeof value !== 'string' || /^\s*\[\s*\]\s*$/.test(value) || toolList({ tools: value })) return
    const message = localize`\`${key}\` is a string that is not a list in JSON`
    this.context.losses.addAt('unreadable', message, this.root, key)
  }

  /** The system prompt next to the messages, F14: its column is read, so only a form with such a column has it again. */
  #systemMessages(): readonly ConversationMessage[] {
    if (this.reader.messages[0]?.role === 'system') return []
    const key = [this.#system ?? 'system', 'system_prompt'].find((it) => !isEmpty(field(this.root, it)))
    if (key === undefined) return []
    const value = this.value(key)
    const own = readerFor(this.root, this.context)
    own.column(key)
    own.say('system', own.content(value, this.root, key, 'system'), { whole: { parent: this.root, key } })
    return own.messages
  }
}

/** Takes what a transcript does not say, and the sample keeps. */
type Leave = (kind: LossKind, message: string, parent: object, key?: string | number) => void

/** A reader of messages of `request`; by default, what the source keeps is lost only where nothing keeps the source. */
export function readerFor(
  request: JsonObject,
  { losses, rest, isTraced = false }: ReadContext,
  leave?: Leave,
): SampleReader {
  const keepsSide = rest !== 'source' && leave === undefined
  const own = leave ?? (rest === 'source' ? undefined : losses.addAt.bind(losses))
  return new SampleReader({ losses, request, isTraced, leave: own, keepsSide })
}

/** Reports each column that holds conversation and is not read, unless what it says was read elsewhere (F8). */
export function noteUnread(
  root: JsonObject,
  read: ReadonlySet<string>,
  messages: readonly ConversationMessage[],
  losses: LossList,
): void {
  let texts: Set<string> | undefined
  for (const key of tellingKeys) {
    const value = field(root, key)
    if (isEmpty(value) || read.has(key) || value === undefined) continue
    const isTelling =
      (typeof value === 'string' && !isSwitch(key, value)) ||
      Array.isArray(value) ||
      (isObject(value) && isMessage(value))
    if (!isTelling) continue
    texts ??= new Set([
      ...messages.map((it) => textOf(it).trim()),
      ...[...read].flatMap((it) => textsIn(field(root, it))),
    ])
    if (isCopy(value, texts)) continue
    losses.addAt(
      'unread',
      localize`\`${key}\` looks like part of the conversation, but is not read`,
      root,
      key,
    )
  }
}

/** True for an object that says who speaks. */
export function isMessage(value: JsonObject): boolean {
  return Object.hasOwn(value, 'role') || Object.hasOwn(value, 'from')
}

/** True for what says whether, or how much, a model thinks. */
function isSwitch(key: string, value: string): boolean {
  return (
    (key === 'reasoning' || key === 'thinking') && /^(?:on|off|low|medium|high|yes|no|none)$/i.test(value)
  )
}

function isCopy(value: JsonValue, texts: ReadonlySet<string>): boolean {
  if (Array.isArray(value))
    return value.every((it) => textsIn(it).length > 0 && textsIn(it).every((text) => texts.has(text)))
  return textsIn(value).every((text) => texts.has(text))
}

/** The texts of a column: itself, or those of its messages. */
function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value.trim()]
  if (Array.isArray(value)) return value.flatMap((it) => (Array.isArray(it) ? [] : textsIn(it)))
  if (!isObject(value)) return []
  const said = field(value, 'content') ?? field(value, 'value') ?? field(value, 'text')
  return typeof said === 'string' ? [said.trim()] : textsIn(Array.isArray(said) ? said : undefined)
}
