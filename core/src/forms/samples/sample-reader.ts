/** Reads messages as the forms of training data write them, and pairs their calls with their replies (F9 to F12). */

import {
  type ConversationMessage,
  type JsonPlace,
  type MessageUnderWay,
  textContent,
} from '../../conversation/conversation.ts'
import { field, isEmpty, isObject, nameOf, objectAt, ShapeError } from '../../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { privateChannelNear } from '../../semantics/header-doubt.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { shortened } from '../../text/shortened.ts'
import { preambleIntent } from '../../vocabulary/attributes.ts'
import type { Channel } from '../../vocabulary/channels.ts'
import { reasoningKeys, type SpokenRole, spokenRole } from '../../vocabulary/role-words.ts'
import { roleOf } from '../../vocabulary/roles.ts'
import { messageOfCall, messageOfReply } from '../chat/chat-message.ts'
import { recipientOf } from '../chat/chat-tools.ts'
import { replyBlocks } from './markup.ts'
import { isPart, jsonText, type Piece, PieceReader, textAt } from './piece-reader.ts'

/** The keys under which the messages of a form have who speaks and what they say. */
export interface ItemShape {
  readonly roles: readonly string[]
  readonly texts: readonly string[]
  /** Who speaks if no key says so. */
  readonly usualRole?: string
  /** Words for who speaks that a mapping names; others are read as everywhere (F9). */
  readonly words?: ReadonlyMap<string, SpokenRole>
  /** Other keys that the form reads. */
  readonly others?: readonly string[]
}

/** Keys that messages of all forms are read from, besides those of their {@link ItemShape}. */
export const messageFields: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'toolCalls',
  'tool_call_id',
  'toolCallId',
  'function_call',
  'refusal',
  ...reasoningKeys,
])

/** Keys of messages that say what a transcript says otherwise. */
const impliedFields: ReadonlySet<string> = new Set(['toolName', 'function', 'phase', 'reasoning_details'])

/** What `it` has that no form reads as part of a message, besides `known`; undefined for most messages. */
export function sideFieldsOf(it: JsonObject, known: readonly (string | undefined)[]): JsonObject | undefined {
  const isRead = (key: string) => messageFields.has(key) || known.includes(key) || impliedFields.has(key)
  const keys = Object.keys(it).filter((key) => !isRead(key) && !isEmpty(it[key]))
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, it[key] ?? null]))
}

/** A message with fields that no transcript has a place for, such as training flags (F1). */
export interface MessageWithSide {
  readonly item: JsonObject
  /** The message, as reports say it. */
  readonly where: string
  /** The messages that it became: the number of those before them, and how many they are. */
  readonly first: number
  readonly count: number
  readonly side: JsonObject
}

/** The keys of `messages`, and of most other forms. */
export const messageShape: ItemShape = { roles: ['role'], texts: ['content'] }

/** Where a message without `content` has what it says: in `parts` (the Vercel AI SDK) or `text` (some agents); undefined if there is nothing. */
export function otherTextKey(it: JsonObject): string | undefined {
  if (Object.hasOwn(it, 'content')) return undefined
  if (Array.isArray(field(it, 'parts'))) return 'parts'
  return ['text', 'value'].find((key) => typeof field(it, key) === 'string' && it[key] !== '')
}

/** A call that is waiting for its reply. */
interface OpenCall {
  readonly to: string
  readonly id: string | undefined
  /** Calls without another message than those of the assistant between them have the same. */
  readonly run: number
  isAnswered: boolean
}

/** A list of calls of which the first ones are answered. */
interface CallQueue {
  readonly calls: OpenCall[]
  first: number
}

/** Reads the messages of one sample, in their order. */
export class SampleReader extends PieceReader {
  readonly messages: ConversationMessage[] = []
  /** The messages with side fields, unless the source keeps them. */
  readonly withSide: MessageWithSide[] = []
  /** True once messages were read that are in a text with frames, or that should be. */
  isFramed = false
  /** By what {@link queueKey} makes of the ID and the tool. */
  readonly #openCalls = new Map<string, CallQueue>()
  #run = 0
  #item: JsonPlace | undefined
  #pair: JsonPlace | undefined

  /** What is said next is the element at `item`, which is at `range` of the source. */
  element(item: JsonPlace | undefined, range: Range | undefined): void {
    this.#item = item
    this.options.losses.place = range
  }

  /** What is said next is the answer of the pair at `pair`; undefined for anything else. */
  answerOf(pair: JsonPlace | undefined): void {
    this.#pair = pair
  }

  /** Reads the messages of `list` from `from` to before `to`. @throws ShapeError */
  list(list: readonly JsonValue[], shape: ItemShape = messageShape, to = list.length, from = 0): void {
    const { losses } = this.options
    for (let index = from; index < to; index++) {
      const where = localize`Message ${index + 1}`
      losses.place = losses.places?.of(list, index)
      this.item(objectAt(list, index, where), where, { parent: list, key: index }, shape)
    }
    losses.place = undefined
  }

  /** Reads one message. @throws ShapeError */
  item(it: JsonObject, where: string, item: JsonPlace | undefined, shape: ItemShape = messageShape): void {
    this.where = where
    this.#item = item
    const first = this.messages.length
    const textKey = shape.texts.find((key) => (field(it, key) ?? undefined) !== undefined) ?? otherTextKey(it)
    this.#read(it, shape, textKey)
    if (item) this.keepSide(it, [textKey, ...shape.roles, ...shape.texts, ...(shape.others ?? [])], first)
  }

  /** Keeps what `it`, which became the messages from `first` on, has besides `known` and what messages of all forms have. */
  keepSide(it: JsonObject, known: readonly (string | undefined)[], first: number): void {
    if (!this.options.keepsSide) return
    const side = sideFieldsOf(it, known)
    if (!side) return
    const count = this.messages.length - first
    this.withSide.push({ item: it, where: this.where, first, count, side })
  }

  #read(it: JsonObject, shape: ItemShape, textKey: string | undefined): void {
    const { where } = this
    const word = this.#roleWord(it, shape)
    const role = shape.words?.get(word) ?? spokenRole(word)
    const value = textKey === undefined ? undefined : field(it, textKey)
    if (role === undefined && roleOf(word) === undefined)
      this.options.losses.addAt(
        'role',
        localize`${where}: Unknown role \`${shortened(word, 40)}\``,
        it,
        'role',
      )
    switch (role) {
      case 'assistant':
      case 'call':
        this.#readAssistant(it, role, textKey, value)
        return
      case 'tool':
        this.#readReply(it, textKey, value)
        return
      default:
        this.#readOther(it, role ?? word, textKey, value)
    }
  }

  /** Adds the messages that the pieces of a message of `role` are; `whole` is its place if there are none. */
  say(
    role: string,
    said: readonly Piece[],
    {
      name,
      isCommentary = false,
      item,
      whole,
    }: {
      readonly name?: string | undefined
      readonly isCommentary?: boolean
      /** What says it: the private channel that it names hides the text of the assistant. */
      readonly item?: JsonObject
      readonly whole?: JsonPlace
    } = {},
  ): void {
    const first = this.messages.length
    const pieces = role === 'assistant' ? this.marked(said) : said
    const hiddenOn = role === 'assistant' && item ? hiddenChannelOf(item) : undefined
    const lastCall = pieces.findLastIndex(({ kind }) => kind === 'call')
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] as Piece // `at` is one of them
      switch (piece.kind) {
        case 'text': {
          const joined = this.#joined(pieces, at)
          at = joined.last
          const isPreamble = role === 'assistant' && (isCommentary || at < lastCall)
          const message = hiddenOn
            ? messageOn(role, hiddenOn, joined.text, name)
            : textMessage(role, joined.text, name, isPreamble)
          this.#add(message, joined)
          break
        }
        case 'analysis':
          this.#add(messageOn('assistant', 'analysis', piece.text, name), piece)
          break
        case 'system':
        case 'developer':
          this.#add({ role: piece.kind, content: textContent(piece.text), ending: 'end' }, piece)
          break
        case 'call':
          this.#call(piece, name)
          break
        case 'reply':
          this.#reply(piece)
          break
        default:
          piece satisfies never
      }
    }
    if (this.messages.length === first) {
      const words = whole ? [whole] : []
      this.#add(textMessage(role, '', name, role === 'assistant' && isCommentary), { words })
    }
  }

  /** Neighbouring texts from `at` on, as one body. */
  #joined(pieces: readonly Piece[], at: number) {
    let last = at
    const first = pieces[at]
    // Nearly always: without copies.
    if (first?.kind === 'text' && pieces[at + 1]?.kind !== 'text')
      return { text: first.text, words: first.words, unit: first.unit, last }
    while (pieces[last + 1]?.kind === 'text') last++
    const own = pieces.slice(at, last + 1)
    const text = own.map((it) => (it.kind === 'text' ? it.text : '')).join('')
    const unit = own.length === 1 ? own[0]?.unit : undefined
    return { text, words: own.flatMap(({ words }) => words), unit, last }
  }

  #roleWord(it: JsonObject, { roles, usualRole }: ItemShape): string {
    for (const key of roles) {
      const value = field(it, key)
      if (value === undefined || value === null) continue
      if (typeof value === 'string') return value
      throw new ShapeError(localize`${this.where}: \`${key}\` is ${nameOf(value)}, not a string`, it, key)
    }
    if (usualRole !== undefined) return usualRole
    throw new ShapeError(localize`${this.where} has no \`${roles[0] ?? 'role'}\``, it)
  }

  #readOther(
    it: JsonObject,
    role: SpokenRole | string,
    textKey: string | undefined,
    value: JsonValue | undefined,
  ): void {
    const name = textAt(it, 'name', this.where)
    if (typeof value === 'string' && (role !== 'user' || !value.includes('<tool_response>'))) {
      this.#add(textMessage(role, value, name, false), {
        words: textKey ? [{ parent: it, key: textKey }] : [],
      })
      return
    }
    const whole = textKey === undefined ? undefined : { parent: it, key: textKey }
    this.say(role, this.content(value, it, textKey ?? '', role), { name, ...(whole && { whole }) })
  }

  #readAssistant(
    it: JsonObject,
    role: 'assistant' | 'call',
    textKey: string | undefined,
    value: JsonValue | undefined,
  ): void {
    const name = textAt(it, 'name', this.where)
    const key = textKey ?? ''
    const reasoning = this.#reasoning(it)
    const content =
      role === 'call' ? this.#callText(value, it, key) : this.content(value, it, key, 'assistant')
    const refusal = textAt(it, 'refusal', this.where)
    if (refusal)
      this.options.leave?.(
        'content-part',
        localize`${this.where}: a refusal becomes an ordinary answer`,
        it,
        'refusal',
      )
    const said: readonly Piece[] = refusal
      ? [
          ...content,
          {
            kind: 'text',
            text: refusal,
            words: [{ parent: it, key: 'refusal' }],
            unit: { parent: it, key: 'refusal' },
          },
        ]
      : content
    const calls = [...this.calls(it, 'tool_calls'), ...this.calls(it, 'toolCalls')]
    if (isObject(field(it, 'function_call') ?? undefined)) {
      const message = localize`${this.where}: \`function_call\` becomes a call like any other`
      this.options.leave?.('field', message, it, 'function_call')
      calls.push(...this.calls(it, 'function_call'))
    }
    const pieces = [...reasoning, ...said, ...calls]
    // An answer that is empty is one, unless it only accompanies calls.
    if (value === '' && calls.length === 0 && said.length === 0)
      pieces.push({ kind: 'text', text: '', words: [{ parent: it, key }] })
    const whole = textKey === undefined ? undefined : { parent: it, key: textKey }
    this.say('assistant', pieces, {
      name,
      isCommentary: field(it, 'phase') === 'commentary',
      item: it,
      ...(whole && { whole }),
    })
  }

  /** What a message that holds calls alone says. */
  #callText(value: JsonValue | undefined, it: JsonObject, key: string): readonly Piece[] {
    if (value === undefined || value === null || value === '') return []
    if (typeof value !== 'string') return this.calls(it, key)
    const calls = this.spokenCalls(value, { parent: it, key })
    if (calls) return calls
    const pieces = this.marked(this.text(value, { parent: it, key }, 'assistant', { parent: it, key }))
    if (pieces.some((piece) => piece.kind === 'text'))
      this.tell('unreadable', localize`${this.where}: A call that can't be read is hidden`, it, key)
    return pieces.map((piece) => (piece.kind === 'text' ? { ...piece, kind: 'analysis' } : piece))
  }

  #reasoning(it: JsonObject): readonly Piece[] {
    const thoughts: TextPiece[] = []
    for (const key of thoughtFields) {
      const value = field(it, key)
      if (value === undefined || value === null || value === '') continue
      const pieces = this.content(value, it, key, '').filter(isThought)
      const text = pieces.map((piece) => piece.text).join('')
      if (text === '' || thoughts.some((thought) => thought.text === text)) continue
      const words = pieces.flatMap((piece) => piece.words)
      thoughts.push({ kind: 'analysis', text, words, unit: { parent: it, key } })
    }
    return thoughts
  }

  #readReply(it: JsonObject, textKey: string | undefined, value: JsonValue | undefined): void {
    const id = textAt(it, 'tool_call_id', this.where) ?? textAt(it, 'toolCallId', this.where)
    const named = textAt(it, 'name', this.where) ?? textAt(it, 'toolName', this.where)
    const called = field(it, 'function')
    const name = named ?? (typeof called === 'string' ? called : undefined)
    const key = textKey ?? ''
    const blocks = typeof value === 'string' ? replyBlocks(value) : undefined
    if (blocks?.every(({ kind }) => kind === 'reply')) {
      this.say('tool', this.blockPieces(blocks, String(value), { parent: it, key }))
      return
    }
    const pieces =
      Array.isArray(value) && value.every(isPart) ? this.content(value, it, key, 'tool') : undefined
    if (pieces?.some(({ kind }) => kind === 'reply')) {
      this.say('tool', pieces)
      return
    }
    const words = pieces
      ? pieces.flatMap((piece) => piece.words)
      : textKey === undefined
        ? []
        : [{ parent: it, key }]
    const text = pieces
      ? pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
      : jsonText(value)
    this.#reply({ kind: 'reply', words, reply: { id, name, text } })
  }

  #call(piece: Piece & { readonly kind: 'call' }, name: string | undefined): void {
    const { id, isCustom = false, text } = piece.call
    const to = recipientOf(piece.call.name ?? 'unknown')
    const call: OpenCall = { to, id, run: this.#run, isAnswered: false }
    const keys = [queueKey(), queueKey({ to }), ...(id ? [queueKey({ id }), queueKey({ id, to })] : [])]
    for (const key of keys) {
      const queue = this.#openCalls.get(key)
      if (queue) queue.calls.push(call)
      else this.#openCalls.set(key, { calls: [call], first: 0 })
    }
    const message = messageOfCall({ to, id, input: text, isCustom }, this.options.request)
    this.#add(name ? { ...message, name } : message, piece)
  }

  /**
   * A reply to the call of its ID; without one, to the oldest that is open (F11). Calls with one ID that were made together are answered
   * in their order, and those of the tool that the reply names first.
   */
  #reply(piece: Piece & { readonly kind: 'reply' }): void {
    const { id, name, text } = piece.reply
    const own = name === undefined ? undefined : recipientOf(name)
    const call = id ? this.#callOfId(id, own) : this.#oldestOpen(queueKey({ to: own }))
    if (call) call.isAnswered = true
    const { leave } = this.options
    const place = this.#item ?? piece.unit
    if (call && own !== undefined && place) {
      const message =
        own === call.to
          ? localize`The names of replies are left out: the calls have them`
          : localize`${this.where}: the reply's name is not that of the call`
      leave?.('name', message, place.parent, place.key)
    }
    if (!call && own === undefined)
      this.tell('name', localize`${this.where}: The reply does not name its tool`, place?.parent, place?.key)
    this.#add(messageOfReply(call?.to ?? own, id ? id : call?.id, text), piece)
  }

  #callOfId(id: string, to: string | undefined): OpenCall | undefined {
    const last = this.#openCalls.get(queueKey({ id }))?.calls.at(-1)
    const ofTool = to === undefined ? undefined : this.#oldestOpen(queueKey({ id, to }), last?.run)
    return ofTool ?? this.#oldestOpen(queueKey({ id }), last?.run) ?? last
  }

  /** The first call of a queue that is open, and not from before `run`. */
  #oldestOpen(key: string, run = 0): OpenCall | undefined {
    const queue = this.#openCalls.get(key)
    if (!queue) return undefined
    const isPast = (it: OpenCall | undefined) => it !== undefined && (it.isAnswered || it.run < run)
    while (isPast(queue.calls[queue.first])) queue.first++
    return queue.calls[queue.first]
  }

  #add(message: ConversationMessage, { words, unit }: Pick<Piece, 'words' | 'unit'>): void {
    const { isTraced, losses } = this.options
    const range = losses.place
    if (message.role !== 'assistant') this.#run++
    if (!isTraced) this.messages.push(range ? { ...message, range } : message)
    else {
      const origin = { words, unit, item: this.#item, ...(this.#pair && { pair: this.#pair }) }
      this.messages.push(range ? { ...message, range, origin } : { ...message, origin })
    }
  }
}

/** The key of the calls with an ID, to a tool, or both; of all calls without either. */
function queueKey({
  id = '',
  to = '',
}: {
  readonly id?: string
  readonly to?: string | undefined
} = {}): string {
  return `${to.length} ${to}${id}`
}

/**
 * The private channel that `it` names or nearly names. Forms without channels can hold messages of Harmony: text on such a channel
 * isn't an answer.
 */
export function hiddenChannelOf(it: JsonObject): Channel | undefined {
  const word = field(it, 'channel')
  return typeof word === 'string' ? privateChannelNear(word) : undefined
}

const thoughtFields = [...reasoningKeys, 'reasoning_details'] as const

type TextPiece = Extract<Piece, { readonly text: string }>

/** True for what a field of reasoning says as text. */
function isThought(piece: Piece): piece is TextPiece {
  return piece.kind === 'text' || piece.kind === 'analysis'
}

/** Written out for what nearly all of a dataset is: objects of one shape, without copies. */
function textMessage(
  role: string,
  text: string,
  name: string | undefined,
  isPreamble: boolean,
): ConversationMessage {
  const content = textContent(text)
  if (role !== 'assistant')
    return name ? { role, name, content, ending: 'end' } : { role, content, ending: 'end' }
  if (!isPreamble) return messageOn(role, 'final', text, name)
  return { ...messageOn(role, 'commentary', text, name), intent: preambleIntent }
}

function messageOn(
  role: string,
  channel: string,
  text: string,
  name: string | undefined,
): ConversationMessage {
  const message: MessageUnderWay = { role, channel, content: textContent(text), ending: 'end' }
  if (name) message.name = name
  return message
}
