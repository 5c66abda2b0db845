/** Reads what messages of training data say: text with markup, parts of content, calls, and replies (F9 to F12, F20). */

import type { JsonPlace, JsonWords } from '../../conversation/conversation.ts'
import { field, isEmpty, isObject, nameOf, objectAt, ShapeError } from '../../conversation/json-input.ts'
import type { LossKind, LossList } from '../../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { quoted } from '../../rules/quoted.ts'
import { inBackticks } from '../../text/in-backticks.ts'
import { localize } from '../../text/localize.ts'
import { shortened } from '../../text/shortened.ts'
import { inexactText, noteWrittenJson } from '../json-source/inexact-json.ts'
import { converseBlock } from './converse.ts'
import { markedPieces, wordsWithin } from './marked-pieces.ts'
import { type Markup, type MarkupPiece, replyBlocks } from './markup.ts'

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
  /** Takes what a transcript does not say; undefined where the source keeps it. */
  readonly leave?:
    | ((kind: LossKind, message: string, parent: object, key?: string | number) => void)
    | undefined
  /** In which a custom tool may have the name of a function. */
  readonly request: JsonObject
  /** True to note where messages come from. */
  readonly isTraced: boolean
  /** True to note what messages have that no transcript says. */
  readonly keepsSide: boolean
}

/** Reads the pieces of a message. */
export class PieceReader {
  /** The texts that values were parsed from. */
  readonly embedded = new Map<object, JsonWords>()
  protected readonly options: SampleReaderOptions
  #reading = ''

  constructor(options: SampleReaderOptions) {
    this.options = options
  }

  /** What is read, as reports say it. */
  protected get where(): string {
    return this.#reading || localize`The message`
  }

  protected set where(where: string) {
    this.#reading = where
  }

  /** What is read next is in the column `key`, which is what reports name. */
  column(key: string): void {
    this.#reading = inBackticks(key)
  }

  /** The calls in `value`, a list or one of them, as pieces. @throws ShapeError */
  calls(parent: JsonObject | readonly JsonValue[], key: string | number): readonly Piece[] {
    const value = this.parsed(parent, key)
    if (value === undefined || value === null) return []
    if (!Array.isArray(value))
      return [this.#callPiece(objectIn(value, parent, key, this.where), { parent, key })]
    const list: readonly JsonValue[] = value
    return list.map((_, index) =>
      this.#callPiece(objectAt(list, index, localize`${this.where}: a call`), { parent: list, key: index }),
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
    if (typeof value !== 'object' || value === null) return value
    noteWrittenJson(text, value)
    this.embedded.set(value, words)
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
      const message = localize`${this.where}: \`${String(key)}\` is ${nameOf(value)}, not a string`
      throw new ShapeError(message, parent, key)
    }
    const list: readonly JsonValue[] = value
    const { leave } = this.options
    if (list.length !== 1)
      leave?.('content-part', localize`${this.where}: the pieces of the content become one text`, parent, key)
    return list.flatMap((part, index) => {
      const pieces = this.#part(list, index, role)
      if (pieces.length > 0 && isObject(part) && typeof field(part, 'type') === 'string')
        this.leaveFields(part)
      return pieces
    })
  }

  /** Leaves what a part or a call says besides what is read of them, such as a signature. */
  leaveFields(it: JsonObject): void {
    const { leave } = this.options
    if (!leave) return
    for (const [key, value] of Object.entries(it)) {
      if (partFields.has(key) || isEmpty(value) || value === false) continue
      leave('field', localize`${this.where}: a transcript cannot contain \`${shortened(key, 80)}\``, it, key)
    }
  }

  /** The pieces of a text. Markup of the assistant is read by {@link marked}, once all of the message is known (F20). */
  text(text: string, words: JsonWords, role: string, unit?: JsonPlace): readonly Piece[] {
    const blocks = role === 'user' ? replyBlocks(text) : undefined
    return blocks ? this.blockPieces(blocks, text, words) : [{ kind: 'text', text, words: [words], unit }]
  }

  /** The pieces that the `blocks` of `text` are, which is at `words`. */
  protected blockPieces(blocks: readonly MarkupPiece[], text: string, words: JsonWords): readonly Piece[] {
    return blocks.flatMap((it) => this.#markupPiece(it, text, [wordsWithin(words, it, it.whole)]))
  }

  /** `pieces` of a message of the assistant, with the markup in its texts read (F20). */
  protected marked(pieces: readonly Piece[]): readonly Piece[] {
    return markedPieces(pieces, {
      read: (it, text, words) => this.#markupPiece(it, text, words),
      tell: (markup, words) => this.#tellMarkup(markup, words),
    })
  }

  #tellMarkup({ isUnclosed, isBroken }: Markup, words: JsonWords | undefined): void {
    if (isUnclosed)
      this.tell(
        'open-reasoning',
        localize`${this.where}: A reasoning tag is never closed, so all that follows is hidden`,
        words?.parent,
        words?.key,
      )
    else if (isBroken)
      this.tell(
        'unreadable',
        localize`${this.where}: Markup that is not closed or not known is hidden`,
        words?.parent,
        words?.key,
      )
  }

  #markupPiece(
    { kind, from, to, whole }: MarkupPiece,
    text: string,
    words: readonly JsonWords[],
  ): readonly Piece[] {
    const inner = text.slice(from, to)
    switch (kind) {
      case 'text':
        return [{ kind, text: inner, words }]
      case 'analysis':
      case 'doubt':
        return [{ kind: 'analysis', text: inner, words }]
      case 'reply':
        return [{ kind, words, reply: { name: replyName(inner), id: undefined, text: inner } }]
      case 'calls': {
        const [first, second] = words
        const calls = first && !second ? this.spokenCalls(inner, first) : undefined
        if (calls) return calls
        this.tell(
          'unreadable',
          localize`${this.where}: A call that can't be read is hidden`,
          first?.parent,
          first?.key,
        )
        const own = words.map(({ parent, key, whole: outer, ...inside }) => ({
          parent,
          key,
          ...(outer ?? inside),
        }))
        return [{ kind: 'analysis', text: text.slice(whole.from, whole.to), words: own }]
      }
      default:
        return kind satisfies never
    }
  }

  /** The calls that `text` is: JSON of a call, or of a list of calls (F9); undefined if it is anything else. */
  protected spokenCalls(text: string, words: JsonWords): readonly Piece[] | undefined {
    const value = this.parsedText(text.trim(), trimmedWords(text, words))
    const list = Array.isArray(value) ? value : [value]
    const isCall = (it: JsonValue | undefined) => isObject(it) && typeof field(it, 'name') === 'string'
    if (list.length === 0 || !list.every(isCall)) return undefined
    return list.map((it, index) =>
      this.#callPiece(it as JsonObject, Array.isArray(value) ? { parent: value, key: index } : undefined),
    )
  }

  /** A part of a content list, F12. */
  #part(list: readonly JsonValue[], index: number, role: string): readonly Piece[] {
    const unit = { parent: list, key: index }
    const value = list[index]
    if (typeof value === 'string') return value === '' ? [] : this.text(value, unit, role, unit)
    const where = localize`${this.where}: a piece of the content`
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
          this.options.leave?.(
            'content-part',
            localize`${this.where}: a refusal becomes an ordinary answer`,
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
        this.leaveFields(block)
        const [name, id] = ['name', 'toolUseId'].map((key) => textAt(block, key, this.where))
        return [this.callPiece(block, 'input', { name, id, unit })]
      }
      case 'toolResult':
        return [this.#converseReply(block, unit)]
      case 'reasoningContent': {
        const text = field(block, 'reasoningText')
        if (!isObject(text)) return this.#unread(part, kind, list, index)
        const said = textAt(text, 'text', this.where)
        if (!said) return this.#unread(part, kind, list, index)
        this.leaveFields(text)
        return [{ kind: 'analysis', text: said, words: [{ parent: text, key: 'text' }], unit }]
      }
      case 'guardContent': {
        const text = field(block, 'text')
        const said = isObject(text) ? textAt(text, 'text', this.where) : undefined
        if (!isObject(text) || said === undefined) return this.#unread(part, kind, list, index)
        this.leaveFields(text)
        return said === '' ? noPieces : this.text(said, { parent: text, key: 'text' }, role, unit)
      }
      case 'citationsContent':
        this.leaveFields(block)
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
    this.leaveFields(block)
    const id = textAt(block, 'toolUseId', this.where)
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
    const message = localize`${this.where}: content of the type ${quoted(kind)} is left out`
    this.options.leave?.('content-part', message, list, index)
  }

  /** A reply whose text is at `key` of `part`. */
  replyPiece(
    part: JsonObject,
    key: string | undefined,
    id: string | undefined,
    unit: JsonPlace | undefined,
    name = textAt(part, 'name', this.where),
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
      ? this.#callPiece(value, unit, textAt(part, 'id', this.where))
      : this.#callPiece(part, unit)
    if ((field(part, 'result') ?? undefined) === undefined) return [call]
    const { id, name } = call.kind === 'call' ? call.call : { id: undefined, name: undefined }
    return [call, this.replyPiece(part, 'result', id, { parent: part, key: 'result' }, name)]
  }

  /** A call, nested or flat. */
  #callPiece(call: JsonObject, unit: JsonPlace | undefined, outerId?: string): Piece {
    const where = localize`${this.where}: a call`
    const isCustom = isObject(field(call, 'custom')) && !isObject(field(call, 'function'))
    const nested = field(call, isCustom ? 'custom' : 'function')
    const called = isObject(nested) ? nested : call
    this.leaveFields(call)
    if (called !== call) this.leaveFields(called)
    const id = ['id', 'call_id', 'tool_call_id']
      .map((key) => textAt(call, key, where))
      .find((it) => it !== undefined)
    const named = ['name', 'function_name', 'tool_name']
      .map((key) => textAt(called, key, where))
      .find((it) => it)
    const name = named ?? (typeof nested === 'string' ? nested : undefined)
    if (name === undefined) this.tell('unreadable', localize`${where} has no name`, call)
    const key = inputKeys.find((it) => (field(called, it) ?? undefined) !== undefined)
    return this.callPiece(called, key, { name, id: id ?? outerId, unit, isCustom })
  }

  #unread(
    part: JsonObject,
    kind: string | undefined,
    list: readonly JsonValue[],
    index: number,
  ): readonly Piece[] {
    const message = localize`${this.where}: content of the type ${quoted(kind ?? 'null')} is left out`
    if (Object.keys(part).length > 0) this.options.losses.addAt('content-part', message, list, index)
    return []
  }

  /** Reports something, at its place if that is known. */
  protected tell(kind: LossKind, message: string, parent?: object, key?: string | number): void {
    if (parent) this.options.losses.addAt(kind, message, parent, key)
    else this.options.losses.add(kind, message)
  }
}

const noPieces: readonly Piece[] = []
const textKeys = ['text', 'content', 'value'] as const
const refusalKeys = ['refusal', 'text', 'content', 'value'] as const
const thoughtKeys = ['thinking', 'reasoning', 'text', 'content', 'value'] as const
const inputKeys = ['arguments', 'input', 'parameters', 'server_tool_call', 'args'] as const

/** Keys that parts are read from. */
const partFields: ReadonlySet<string> = new Set([
  'type',
  'refusal',
  ...thoughtKeys,
  'summary',
  'redacted',
  ...inputKeys,
  ...'id call_id tool_call_id tool_use_id toolUseId name function_name tool_name function custom'.split(' '),
  ...'response server_tool_call_response result value'.split(' '),
])

const mediaTypes: ReadonlySet<string> = new Set(
  'image image_url input_image audio input_audio video video_url file input_file blob uri'.split(' '),
)

function wordsKey(part: JsonObject, keys: readonly string[]): string | undefined {
  return keys.find((key) => typeof field(part, key) === 'string')
}

/** True for what a list of parts holds: strings, and objects with a type. */
export function isPart(value: JsonValue): boolean {
  return typeof value === 'string' || (isObject(value) && typeof field(value, 'type') === 'string')
}

/** The string, nothing for what is missing, and else its JSON: as it is in a string if the value does not say all of that. */
export function jsonText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (inexactText(value) ?? JSON.stringify(value))
}

/** A field that names something; undefined for null, absence, and what is not a string. */
export function textAt(it: JsonObject, key: string, where: string): string | undefined {
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
