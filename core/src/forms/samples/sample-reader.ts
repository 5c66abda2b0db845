/** Reads messages, parts, calls, and replies as the forms of training data write them (F9 to F12, F20). */

import {
  type ConversationMessage,
  type JsonPlace,
  type JsonWords,
  type MessageUnderWay,
  textContent,
} from '../../conversation/conversation.ts'
import { field, isObject, nameOf, objectAt, ShapeError } from '../../conversation/json-input.ts'
import type { LossKind, LossList } from '../../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { preambleIntent } from '../../vocabulary/attributes.ts'
import { reasoningKeys, type SpokenRole, spokenRole } from '../../vocabulary/role-words.ts'
import { roleOf } from '../../vocabulary/roles.ts'
import { messageOfCall, messageOfReply } from '../chat/chat-message.ts'
import { recipientOf } from '../chat/chat-tools.ts'
import { converseBlock } from './converse.ts'
import { type MarkupPiece, markupIn, replyBlocks } from './markup.ts'

/** The keys under which the messages of a form have who speaks and what they say. */
export interface ItemShape {
  readonly roles: readonly string[]
  readonly texts: readonly string[]
  /** Who speaks if no key says so. */
  readonly usualRole?: string
  /** Words for who speaks that a mapping names; others are read as everywhere (F9). */
  readonly words?: ReadonlyMap<string, SpokenRole>
}

/** The keys of `messages`, and of most other forms. */
export const messageShape: ItemShape = { roles: ['role'], texts: ['content'] }

/** Where a message without `content` has what it says: in `parts` (the Vercel AI SDK) or `text` (some agents); undefined if there is nothing. */
export function otherTextKey(it: JsonObject): string | undefined {
  if (Object.hasOwn(it, 'content')) return undefined
  if (Array.isArray(field(it, 'parts'))) return 'parts'
  return ['text', 'value'].find((key) => typeof field(it, key) === 'string' && it[key] !== '')
}

/** A call as a form writes it. */
export interface ReadCall {
  readonly name: string | undefined
  readonly id: string | undefined
  readonly isCustom?: boolean
  /** Where the arguments are. */
  readonly input: JsonPlace | undefined
  readonly text: string
}

/** A reply as a form writes it. */
export interface ReadReply {
  readonly name: string | undefined
  readonly id: string | undefined
  readonly text: string
}

/** Something that a message says. `unit` is what goes with it if it is taken out. */
export type Piece = {
  readonly words: readonly JsonWords[]
  readonly unit?: JsonPlace | undefined
} & (
  | { readonly kind: 'text' | 'analysis' | 'system' | 'developer'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ReadCall }
  | { readonly kind: 'reply'; readonly reply: ReadReply }
)

/** A reader, and where it puts what it cannot read. */
export interface SampleReaderOptions {
  /** Takes what is reported wherever the rest of the sample stays (F2). */
  readonly losses: LossList
  /** Takes what a transcript does not say, and the sample keeps. */
  readonly leave: (kind: LossKind, message: string, parent: object, key?: string | number) => void
  /** In which a custom tool may have the name of a function. */
  readonly request: JsonObject
  /** True to note where messages come from. */
  readonly isTraced: boolean
}

/** A call that is waiting for its reply. */
interface OpenCall {
  readonly to: string
  readonly id: string | undefined
  isAnswered: boolean
}

/** A list of calls of which the first ones are answered. */
interface CallQueue {
  readonly calls: OpenCall[]
  first: number
}

/** Reads the messages of one sample, in their order. */
export class SampleReader {
  readonly messages: ConversationMessage[] = []
  readonly embedded = new Map<object, JsonWords>()
  /** True once messages were read that are in a text with frames, or that should be. */
  isFramed = false
  readonly #options: SampleReaderOptions
  readonly #callById = new Map<string, OpenCall>()
  readonly #openCalls: CallQueue = { calls: [], first: 0 }
  readonly #openByTool = new Map<string, CallQueue>()
  #item: JsonPlace | undefined
  #read = ''

  constructor(options: SampleReaderOptions) {
    this.#options = options
  }

  /** What is read, as reports say it. */
  get #where(): string {
    return this.#read || localize`The message`
  }

  /** What is read next is in the column `key`, which is what reports name. */
  column(key: string): void {
    this.#read = `\`${key}\``
  }

  /** What is said next is the element at `item`, which is at `range` of the source. */
  element(item: JsonPlace | undefined, range: Range | undefined): void {
    this.#item = item
    this.#options.losses.place = range
  }

  /** Reads the messages of `list` from `from` to before `to`. @throws ShapeError */
  list(list: readonly JsonValue[], shape: ItemShape = messageShape, to = list.length, from = 0): void {
    const { losses } = this.#options
    for (let index = from; index < to; index++) {
      const where = localize`Message ${index + 1}`
      losses.place = losses.places?.of(list, index)
      this.item(objectAt(list, index, where), where, { parent: list, key: index }, shape)
    }
    losses.place = undefined
  }

  /** Reads one message. @throws ShapeError */
  item(it: JsonObject, where: string, item: JsonPlace | undefined, shape: ItemShape = messageShape): void {
    this.#read = where
    this.#item = item
    const word = this.#roleWord(it, shape)
    const role = shape.words?.get(word) ?? spokenRole(word)
    const textKey = shape.texts.find((key) => (field(it, key) ?? undefined) !== undefined) ?? otherTextKey(it)
    const value = textKey === undefined ? undefined : field(it, textKey)
    if (role === undefined && roleOf(word) === undefined)
      this.#options.losses.addAt(
        'role',
        localize`${where}: Unknown role \`${word.slice(0, 40)}\``,
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

  /** Adds the messages that `pieces` of a message of `role` are. `place` is their item. */
  say(
    role: string,
    pieces: readonly Piece[],
    {
      name,
      isCommentary = false,
      whole,
    }: {
      readonly name?: string | undefined
      readonly isCommentary?: boolean
      readonly whole?: JsonPlace
    } = {},
  ): void {
    const first = this.messages.length
    const lastCall = pieces.findLastIndex(({ kind }) => kind === 'call')
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at] as Piece // `at` is one of them
      switch (piece.kind) {
        case 'text': {
          const joined = this.#joined(pieces, at)
          at = joined.last
          const isPreamble = role === 'assistant' && (isCommentary || at < lastCall)
          this.#add(textMessage(role, joined.text, name, isPreamble), joined)
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

  /** The calls in `value`, a list or one of them, as pieces. @throws ShapeError */
  calls(parent: JsonObject | readonly JsonValue[], key: string | number): readonly Piece[] {
    const value = this.parsed(parent, key)
    if (value === undefined || value === null) return []
    if (!Array.isArray(value))
      return [this.#callPiece(objectIn(value, parent, key, this.#where), { parent, key })]
    const list: readonly JsonValue[] = value
    return list.map((_, index) =>
      this.#callPiece(objectAt(list, index, localize`${this.#where}: a call`), { parent: list, key: index }),
    )
  }

  /** The value at `key` of `parent`; a string is parsed, and its place is remembered (F5). @throws ShapeError if it isn't JSON */
  parsed(parent: JsonObject | readonly JsonValue[], key: string | number): JsonValue | undefined {
    const value = Array.isArray(parent) ? parent[Number(key)] : field(parent as JsonObject, String(key))
    if (typeof value !== 'string') return value
    if (value.trim() === '') return undefined
    const parsed = this.parsedText(value, { parent, key })
    if (parsed === undefined)
      throw new ShapeError(localize`\`${String(key)}\` is a string that is not JSON`, parent, key)
    return parsed
  }

  /** The value of `text`, which is at `words`; undefined if it isn't JSON. Objects and lists are remembered. */
  parsedText(text: string, words: JsonWords): JsonValue | undefined {
    let value: JsonValue
    try {
      value = JSON.parse(text) as JsonValue // what JSON.parse gives is a JSON value
    } catch {
      return undefined
    }
    if (typeof value === 'object' && value !== null) this.embedded.set(value, words)
    return value
  }

  /** The pieces of what a message says, F12. @throws ShapeError for what is neither text nor a list */
  content(
    value: JsonValue | undefined,
    parent: object,
    key: string | number,
    role: string,
  ): readonly Piece[] {
    if (value === undefined || value === null || value === '') return []
    if (typeof value === 'string') return this.text(value, { parent, key }, role, { parent, key })
    if (!Array.isArray(value)) {
      const message = localize`${this.#where}: \`${String(key)}\` is ${nameOf(value)}, not a string`
      throw new ShapeError(message, parent, key)
    }
    const list: readonly JsonValue[] = value
    const leave = this.#options.leave
    if (list.length !== 1)
      leave('content-part', localize`${this.#where}: the pieces of the content become one text`, parent, key)
    return list.flatMap((_, index) => this.#part(list, index, role))
  }

  /** The pieces of a text, F20. */
  text(text: string, words: JsonWords, role: string, unit?: JsonPlace): readonly Piece[] {
    const { parent, key, from: start = 0 } = words
    const markup = role === 'assistant' ? markupIn(text) : undefined
    const pieces = role === 'user' ? replyBlocks(text) : markup?.pieces
    if (!pieces) return [{ kind: 'text', text, words: [words], unit }]
    if (markup?.isUnclosed)
      this.#tell(
        'open-reasoning',
        localize`${this.#where}: A reasoning tag is never closed, so all that follows is hidden`,
        parent,
        key,
      )
    else if (markup?.isBroken)
      this.#tell(
        'unreadable',
        localize`${this.#where}: Markup that is not closed or not known is hidden`,
        parent,
        key,
      )
    return pieces.flatMap((it) => this.#markupPiece(it, text, { parent, key }, start))
  }

  #markupPiece(
    { kind, from, to, whole }: MarkupPiece,
    text: string,
    place: JsonPlace,
    start: number,
  ): readonly Piece[] {
    const inner = text.slice(from, to)
    const words: JsonWords = {
      ...place,
      from: start + from,
      to: start + to,
      whole: { from: start + whole.from, to: start + whole.to },
    }
    switch (kind) {
      case 'text':
        return [{ kind, text: inner, words: [words] }]
      case 'analysis':
      case 'doubt':
        return [{ kind: 'analysis', text: inner, words: [words] }]
      case 'reply':
        return [{ kind, words: [words], reply: { name: replyName(inner), id: undefined, text: inner } }]
      case 'calls': {
        const calls = this.#spokenCalls(inner, words)
        if (calls) return calls
        this.#tell(
          'unreadable',
          localize`${this.#where}: A call that can't be read is hidden`,
          place.parent,
          place.key,
        )
        const { whole: outer } = words
        const own = outer ? { ...place, from: outer.from, to: outer.to } : words
        return [{ kind: 'analysis', text: text.slice(whole.from, whole.to), words: [own] }]
      }
      default:
        return kind satisfies never
    }
  }

  /** The calls that `text` is: JSON of a call, or of a list of calls (F9); undefined if it is anything else. */
  #spokenCalls(text: string, words: JsonWords): readonly Piece[] | undefined {
    const value = this.parsedText(text.trim(), trimmedWords(text, words))
    const list = Array.isArray(value) ? value : [value]
    const isCall = (it: JsonValue | undefined) => isObject(it) && typeof field(it, 'name') === 'string'
    if (list.length === 0 || !list.every(isCall)) return undefined
    return list.map((it, index) =>
      this.#callPiece(it as JsonObject, Array.isArray(value) ? { parent: value, key: index } : undefined),
    )
  }

  #roleWord(it: JsonObject, { roles, usualRole }: ItemShape): string {
    for (const key of roles) {
      const value = field(it, key)
      if (value === undefined || value === null) continue
      if (typeof value === 'string') return value
      throw new ShapeError(localize`${this.#where}: \`${key}\` is ${nameOf(value)}, not a string`, it, key)
    }
    if (usualRole !== undefined) return usualRole
    throw new ShapeError(localize`${this.#where} has no \`${roles[0] ?? 'role'}\``, it)
  }

  #readOther(
    it: JsonObject,
    role: SpokenRole | string,
    textKey: string | undefined,
    value: JsonValue | undefined,
  ): void {
    const name = textAt(it, 'name', this.#where)
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
    const name = textAt(it, 'name', this.#where)
    const key = textKey ?? ''
    const reasoning = this.#reasoning(it)
    const content =
      role === 'call' ? this.#callText(value, it, key) : this.content(value, it, key, 'assistant')
    const refusal = textAt(it, 'refusal', this.#where)
    if (refusal)
      this.#options.leave(
        'content-part',
        localize`${this.#where}: a refusal becomes an ordinary answer`,
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
      const message = localize`${this.#where}: \`function_call\` becomes a call like any other`
      this.#options.leave('field', message, it, 'function_call')
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
      ...(whole && { whole }),
    })
  }

  /** What a message that holds calls alone says. */
  #callText(value: JsonValue | undefined, it: JsonObject, key: string): readonly Piece[] {
    if (value === undefined || value === null || value === '') return []
    if (typeof value !== 'string') return this.calls(it, key)
    const calls = this.#spokenCalls(value, { parent: it, key })
    if (calls) return calls
    const pieces = this.text(value, { parent: it, key }, 'assistant', { parent: it, key })
    if (pieces.some((piece) => piece.kind === 'text'))
      this.#tell('unreadable', localize`${this.#where}: A call that can't be read is hidden`, it, key)
    return pieces.map((piece) => (piece.kind === 'text' ? { ...piece, kind: 'analysis' } : piece))
  }

  #reasoning(it: JsonObject): readonly Piece[] {
    let result: readonly Piece[] = noPieces
    let known: string[] | undefined
    for (const key of thoughtFields) {
      const value = field(it, key)
      if (value === undefined || value === null || value === '') continue
      const pieces = this.content(value, it, key, '').flatMap((piece): readonly Piece[] =>
        piece.kind === 'text' || piece.kind === 'analysis' ? [{ ...piece, kind: 'analysis' }] : [],
      )
      const text = pieces.map((piece) => (piece.kind === 'analysis' ? piece.text : '')).join('')
      if (text === '' || known?.includes(text)) continue
      known = [...(known ?? []), text]
      result = [
        ...result,
        { kind: 'analysis', text, words: pieces.flatMap(({ words }) => words), unit: { parent: it, key } },
      ]
    }
    return result
  }

  #readReply(it: JsonObject, textKey: string | undefined, value: JsonValue | undefined): void {
    const id = textAt(it, 'tool_call_id', this.#where) ?? textAt(it, 'toolCallId', this.#where)
    const named = textAt(it, 'name', this.#where) ?? textAt(it, 'toolName', this.#where)
    const called = field(it, 'function')
    const name = named ?? (typeof called === 'string' ? called : undefined)
    const key = textKey ?? ''
    const blocks = typeof value === 'string' ? replyBlocks(value) : undefined
    if (blocks?.every(({ kind }) => kind === 'reply')) {
      const pieces = blocks.flatMap((block) =>
        this.#markupPiece(block, String(value), { parent: it, key }, 0),
      )
      this.say('tool', pieces)
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

  /** A part of a content list, F12. */
  #part(list: readonly JsonValue[], index: number, role: string): readonly Piece[] {
    const unit = { parent: list, key: index }
    const value = list[index]
    if (typeof value === 'string') return value === '' ? [] : this.text(value, unit, role, unit)
    const where = localize`${this.#where}: a piece of the content`
    const part = objectAt(list, index, where)
    const type = field(part, 'type')
    const kind = typeof type === 'string' ? type : undefined
    switch (kind) {
      case 'refusal':
      case 'text':
      case 'input_text':
      case 'output_text':
      case undefined: {
        if (kind === undefined) {
          const block = this.#converseBlock(part, list, index, role)
          if (block) return block
        }
        const key = wordsKey(part, kind === 'refusal' ? refusalKeys : textKeys)
        if (kind === 'refusal' && key === 'refusal')
          this.#options.leave(
            'content-part',
            localize`${this.#where}: a refusal becomes an ordinary answer`,
            part,
          )
        if (key === undefined) return this.#unread(part, kind, list, index)
        const text = String(part[key])
        return text === '' ? [] : this.text(text, { parent: part, key }, role, unit)
      }
      case 'thinking':
      case 'reasoning':
      case 'reasoning_text':
      case 'reasoning.text':
      case 'reasoning.summary':
        return this.#thought(part, list, index)
      case 'tool_use':
      case 'toolCall':
      case 'tool_call':
      case 'server_tool_use':
      case 'server_tool_call':
        return this.#calledPart(part, unit)
      case 'tool_result':
      case 'tool_call_response':
      case 'server_tool_call_response': {
        const key = ['content', 'response', 'server_tool_call_response'].find((it) => Object.hasOwn(part, it))
        return [
          this.replyPiece(part, key, textAt(part, 'tool_use_id', where) ?? textAt(part, 'id', where), unit),
        ]
      }
      case 'mid_conv_system':
      case 'compaction': {
        const said = this.content(field(part, 'content'), part, 'content', 'system')
        const text = said.map((it) => ('text' in it ? it.text : '')).join('')
        if (text === '') return this.#unread(part, kind, list, index)
        const words = said.flatMap((it) => it.words)
        return [{ kind: kind === 'compaction' ? 'developer' : 'system', text, words, unit }]
      }
      default:
        if (kind.endsWith('_tool_result')) {
          const reply = {
            id: textAt(part, 'tool_use_id', where),
            name: undefined,
            text: jsonText(field(part, 'content')),
          }
          return [{ kind: 'reply', unit, words: [{ parent: part, key: 'content' }], reply }]
        }
        if (mediaTypes.has(kind)) {
          this.#leaveMedia(kind, list, index)
          return noPieces
        }
        return this.#unread(part, kind, list, index)
    }
  }

  /** A part without `type` as Converse writes it; undefined for anything else, such as a text. */
  #converseBlock(
    part: JsonObject,
    list: readonly JsonValue[],
    index: number,
    role: string,
  ): readonly Piece[] | undefined {
    const found = converseBlock(part)
    if (!found) return undefined
    const { kind, block } = found
    const unit = { parent: list, key: index }
    switch (kind) {
      case 'toolUse': {
        const [name, id] = ['name', 'toolUseId'].map((key) => textAt(block, key, this.#where))
        return [this.callPiece(block, 'input', { name, id, unit })]
      }
      case 'toolResult':
        return [this.#converseReply(block, unit)]
      case 'reasoningContent': {
        const text = field(block, 'reasoningText')
        if (!isObject(text)) return this.#unread(part, kind, list, index)
        const said = textAt(text, 'text', this.#where)
        if (!said) return this.#unread(part, kind, list, index)
        return [{ kind: 'analysis', text: said, words: [{ parent: text, key: 'text' }], unit }]
      }
      case 'guardContent': {
        const text = field(block, 'text')
        const said = isObject(text) ? textAt(text, 'text', this.#where) : undefined
        if (!isObject(text) || said === undefined) return this.#unread(part, kind, list, index)
        return said === '' ? noPieces : this.text(said, { parent: text, key: 'text' }, role, unit)
      }
      case 'citationsContent':
        return this.content(field(block, 'content'), block, 'content', role)
      case 'cachePoint':
        return noPieces
      case 'document':
      case 'searchResult':
        return this.#unread(part, kind, list, index)
      default:
        this.#leaveMedia(kind, list, index)
        return noPieces
    }
  }

  /** A reply whose parts are texts and values. */
  #converseReply(block: JsonObject, unit: JsonPlace): Piece {
    const id = textAt(block, 'toolUseId', this.#where)
    const value = field(block, 'content')
    if (!Array.isArray(value)) return this.replyPiece(block, 'content', id, unit)
    const list: readonly JsonValue[] = value
    const pieces = list.flatMap((it, index): readonly Piece[] => {
      if (!isObject(it) || !Object.hasOwn(it, 'json')) return this.#part(list, index, 'tool')
      return [{ kind: 'text', text: jsonText(it.json), words: [{ parent: it, key: 'json' }] }]
    })
    const text = pieces.map((it) => ('text' in it ? it.text : '')).join('')
    const words = pieces.flatMap((it) => it.words)
    return { kind: 'reply', unit, words, reply: { id, name: undefined, text } }
  }

  #leaveMedia(kind: string, list: readonly JsonValue[], index: number): void {
    const message = localize`${this.#where}: content of the type ${JSON.stringify(kind.slice(0, 80))} is left out`
    this.#options.leave('content-part', message, list, index)
  }

  /** A reply whose text is at `key` of `part`. */
  replyPiece(
    part: JsonObject,
    key: string | undefined,
    id: string | undefined,
    unit: JsonPlace | undefined,
    name = textAt(part, 'name', this.#where),
  ): Piece {
    const value = key === undefined ? undefined : field(part, key)
    if (key !== undefined && Array.isArray(value) && value.every(isPart)) {
      const pieces = this.content(value, part, key, 'tool')
      const text = pieces.map((it) => ('text' in it ? it.text : '')).join('')
      return { kind: 'reply', unit, words: pieces.flatMap(({ words }) => words), reply: { id, name, text } }
    }
    const words = key === undefined ? [] : [{ parent: part, key }]
    return { kind: 'reply', unit, words, reply: { id, name, text: jsonText(value) } }
  }

  /** The call whose arguments are at `key` of `call`. */
  callPiece(
    call: JsonObject,
    key: string | undefined,
    {
      name,
      id,
      unit,
      isCustom = false,
    }: {
      readonly name: string | undefined
      readonly id: string | undefined
      readonly unit?: JsonPlace | undefined
      readonly isCustom?: boolean
    },
  ): Piece {
    const input = key === undefined ? undefined : { parent: call, key }
    const text = jsonText(key === undefined ? undefined : field(call, key))
    return { kind: 'call', words: input ? [input] : [], unit, call: { name, id, isCustom, input, text } }
  }

  #thought(part: JsonObject, list: readonly JsonValue[], index: number): readonly Piece[] {
    const unit = { parent: list, key: index }
    const key = field(part, 'redacted') === true ? undefined : wordsKey(part, thoughtKeys)
    if (key !== undefined && part[key] !== '')
      return [{ kind: 'analysis', text: String(part[key]), words: [{ parent: part, key }], unit }]
    // Mistral has a list of texts in `thinking`.
    const isList = field(part, 'redacted') !== true && Array.isArray(field(part, 'thinking'))
    const listKey = isList ? 'thinking' : 'summary'
    const said = field(part, listKey)
    const pieces =
      typeof said === 'string' || Array.isArray(said) ? this.content(said, part, listKey, '') : []
    const text = pieces.map((it) => ('text' in it ? it.text : '')).join('')
    if (text === '') return this.#unread(part, String(field(part, 'type')), list, index)
    return [{ kind: 'analysis', text, words: pieces.flatMap(({ words }) => words), unit }]
  }

  #calledPart(part: JsonObject, unit: JsonPlace): readonly Piece[] {
    const value = field(part, 'value')
    const call = isObject(value)
      ? this.#callPiece(value, unit, textAt(part, 'id', this.#where))
      : this.#callPiece(part, unit)
    if ((field(part, 'result') ?? undefined) === undefined) return [call]
    const { id, name } = call.kind === 'call' ? call.call : { id: undefined, name: undefined }
    return [call, this.replyPiece(part, 'result', id, { parent: part, key: 'result' }, name)]
  }

  /** A call, nested or flat. */
  #callPiece(call: JsonObject, unit: JsonPlace | undefined, outerId?: string): Piece {
    const where = localize`${this.#where}: a call`
    const isCustom = isObject(field(call, 'custom')) && !isObject(field(call, 'function'))
    const nested = field(call, isCustom ? 'custom' : 'function')
    const called = isObject(nested) ? nested : call
    const id = ['id', 'call_id', 'tool_call_id']
      .map((key) => textAt(call, key, where))
      .find((it) => it !== undefined)
    const named = ['name', 'function_name', 'tool_name']
      .map((key) => textAt(called, key, where))
      .find((it) => it)
    const name = named ?? (typeof nested === 'string' ? nested : undefined)
    if (name === undefined) this.#tell('unreadable', localize`${where} has no name`, call)
    const key = inputKeys.find((it) => (field(called, it) ?? undefined) !== undefined)
    return this.callPiece(called, key, { name, id: id ?? outerId, unit, isCustom })
  }

  #unread(
    part: JsonObject,
    kind: string | undefined,
    list: readonly JsonValue[],
    index: number,
  ): readonly Piece[] {
    const type = JSON.stringify(kind?.slice(0, 80) ?? null)
    const message = localize`${this.#where}: content of the type ${type} is left out`
    if (Object.keys(part).length > 0) this.#options.losses.addAt('content-part', message, list, index)
    return []
  }

  #call(piece: Piece & { readonly kind: 'call' }, name: string | undefined): void {
    const { id, isCustom = false, text } = piece.call
    const to = recipientOf(piece.call.name ?? 'unknown')
    const call: OpenCall = { to, id, isAnswered: false }
    if (id) this.#callById.set(id, call)
    this.#openCalls.calls.push(call)
    const ofTool = this.#openByTool.get(to) ?? { calls: [], first: 0 }
    ofTool.calls.push(call)
    this.#openByTool.set(to, ofTool)
    const message = messageOfCall({ to, id, input: text, isCustom }, this.#options.request)
    this.#add(name ? { ...message, name } : message, piece)
  }

  /** A reply to the call of its id; without one, to the oldest that is open (F11). */
  #reply(piece: Piece & { readonly kind: 'reply' }): void {
    const { id, name, text } = piece.reply
    const own = name === undefined ? undefined : recipientOf(name)
    const call = id ? this.#callById.get(id) : this.#oldestOpen(own)
    if (call) call.isAnswered = true
    const { leave } = this.#options
    const place = this.#item ?? piece.unit
    if (call && own !== undefined && place) {
      const message =
        own === call.to
          ? localize`The names of replies are left out: the calls have them`
          : localize`${this.#where}: the reply's name is not that of the call`
      leave('name', message, place.parent, place.key)
    }
    if (!call && own === undefined)
      this.#tell(
        'name',
        localize`${this.#where}: The reply does not name its tool`,
        place?.parent,
        place?.key,
      )
    this.#add(messageOfReply(call?.to ?? own, id ? id : call?.id, text), piece)
  }

  #oldestOpen(tool: string | undefined): OpenCall | undefined {
    const queue = tool === undefined ? this.#openCalls : this.#openByTool.get(tool)
    if (!queue) return undefined
    while (queue.calls[queue.first]?.isAnswered) queue.first++
    return queue.calls[queue.first]
  }

  #tell(kind: LossKind, message: string, parent?: object, key?: string | number): void {
    if (parent) this.#options.losses.addAt(kind, message, parent, key)
    else this.#options.losses.add(kind, message)
  }

  #add(message: ConversationMessage, { words, unit }: Pick<Piece, 'words' | 'unit'>): void {
    const { isTraced, losses } = this.#options
    const range = losses.place
    if (!isTraced) this.messages.push(range ? { ...message, range } : message)
    else {
      const origin = { words, unit, item: this.#item }
      this.messages.push(range ? { ...message, range, origin } : { ...message, origin })
    }
  }
}

const noPieces: readonly Piece[] = []
const textKeys = ['text', 'content', 'value'] as const
const refusalKeys = ['refusal', 'text', 'content', 'value'] as const
const thoughtFields = [...reasoningKeys, 'reasoning_details'] as const
const thoughtKeys = ['thinking', 'reasoning', 'text', 'content', 'value'] as const
const inputKeys = ['arguments', 'input', 'parameters', 'server_tool_call', 'args'] as const

const mediaTypes: ReadonlySet<string> = new Set(
  'image image_url input_image audio input_audio video video_url file input_file blob uri'.split(' '),
)

function wordsKey(part: JsonObject, keys: readonly string[]): string | undefined {
  return keys.find((key) => typeof field(part, key) === 'string')
}

/** True for what a list of parts holds: strings, and objects with a type. */
function isPart(value: JsonValue): boolean {
  return typeof value === 'string' || (isObject(value) && typeof field(value, 'type') === 'string')
}

/** The string, nothing for what is missing, and else its JSON. */
function jsonText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
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

/** A field that names something; undefined for null, absence, and what is not a string. */
function textAt(it: JsonObject, key: string, where: string): string | undefined {
  const value = field(it, key)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw new ShapeError(localize`${where}: \`${key}\` is ${nameOf(value)}, not a string`, it, key)
}

function objectIn(value: JsonValue, parent: object, key: string | number, where: string): JsonObject {
  if (isObject(value)) return value
  throw new ShapeError(localize`${where}: \`${String(key)}\` is ${nameOf(value)}, not an object`, parent, key)
}

/** The tool that the JSON of a reply names. */
function replyName(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as JsonValue // what JSON.parse gives is a JSON value
    const name = isObject(value) ? field(value, 'name') : undefined
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

function trimmedWords(text: string, words: JsonWords): JsonWords {
  const start = words.from ?? 0
  const head = text.length - text.trimStart().length
  if (words.from === undefined && head === 0 && text.trimEnd().length === text.length) return words
  return { ...words, from: start + head, to: start + text.trimEnd().length }
}
