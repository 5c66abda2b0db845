/** Reads the `messages` of Chat Completions, with tools, calls, replies and the reasoning fields that hosts of gpt-oss write. */

import { type Conversation, type ConversationMessage, textContent } from '../../conversation/conversation.ts'
import {
  field,
  isObject,
  listField,
  nameOf,
  noteUnknownFields,
  objectAt,
  objectIn,
  ShapeError,
  textField,
} from '../../conversation/json-input.ts'
import { type Places, placed } from '../../conversation/json-places.ts'
import { type LossKind, LossList } from '../../conversation/loss.ts'
import { yamlText } from '../../conversation/yaml-text.ts'
import { headerSizeLimit, type JsonObject, type JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { preambleIntent } from '../../vocabulary/attributes.ts'
import { keptMessagesKey } from '../../vocabulary/kept-keys.ts'
import { roleOf } from '../../vocabulary/roles.ts'
import { addToolMessage, messageOfCall, messageOfReply } from './chat-message.ts'
import {
  importRequest,
  type Rest,
  reasoningFieldKey,
  reasoningFields,
  recipientOf,
  usualReasoningField,
} from './chat-tools.ts'
import { isPlainMessage, type KeptMessage, keptEntry, keptFields, messageKeys } from './kept-messages.ts'
import { lengthOf, writtenMessage } from './write-messages.ts'

const messageFields: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'refusal',
  ...reasoningFields,
])

/** Reads a request or a list of messages. @throws ConversionError */
export function fromMessages(value: JsonValue, losses: LossList, rest: Rest): Conversation {
  const root: JsonObject = Array.isArray(value)
    ? { messages: value }
    : objectIn(value, localize`The document`)
  const { header, toolMessage, requestTools } = importRequest(root, 'messages', losses, rest)
  const reader = new MessageReader(root, losses.places, rest)
  const list = listField(root, 'messages', localize`The document`)
  if (field(root, 'messages') === undefined) {
    textField(root, 'text', localize`The document`) // a sample whose text is none
    throw new ShapeError(localize`The document has no \`messages\``, root)
  }
  for (let index = 0; index < list.length; index++) {
    const where = localize`Message ${index + 1}`
    reader.read(objectAt(list, index, where), where, losses.places?.message(index))
  }
  const { messages, reasoningHeader } = reader
  const kept = reader.kept(header, losses)
  addToolMessage(messages, toolMessage)
  return {
    header: reasoningHeader || kept ? { ...header, ...reasoningHeader, ...kept } : header,
    messages,
    ...(requestTools && { requestTools }),
  }
}

class MessageReader {
  readonly messages: ConversationMessage[] = []
  /** What is lost of the message that is read, unless the header keeps it. */
  #losses: LossList
  readonly #request: JsonObject
  readonly #places: Places | undefined
  readonly #rest: Rest
  readonly #toolById = new Map<string, string>()
  #reasoningField: string | undefined
  /** True if the last message would join the next one of the assistant when written again. */
  #isOpen = false
  /** Messages of which something is to be kept, by the place of their first message, and what is lost otherwise. */
  readonly #kept = new Map<number, KeptMessage>()
  readonly #lost = new Map<number, LossList>()

  constructor(request: JsonObject, places: Places | undefined, rest: Rest) {
    this.#request = request
    this.#places = places
    this.#rest = rest
    this.#losses = new LossList(places)
  }

  /** What the header says of how reasoning was written, if that is not the usual way. */
  get reasoningHeader(): JsonObject | undefined {
    const name = this.#rest === 'source' ? undefined : this.#reasoningField
    return name === undefined || name === usualReasoningField ? undefined : { [reasoningFieldKey]: name }
  }

  /** What `header` is to keep of messages, as far as it has room. What else there is to say of them is lost. */
  kept(header: JsonObject, losses: LossList): JsonObject | undefined {
    if (this.#lost.size === 0) return undefined
    if (this.#rest === 'source') {
      for (const lost of this.#lost.values())
        for (const { kind, message, range } of lost.all)
          if (!isKeptKind(kind)) losses.add(kind, message, range)
      return undefined
    }
    const room = headerSizeLimit / 2 - yamlText(header).length
    const { entry, left } = keptEntry(this.#kept, messageKeys(this.messages), room)
    for (const [index, lost] of this.#lost) {
      for (const { kind, message, range } of lost.all) {
        if (left.has(index) || !this.#kept.has(index) || !isKeptKind(kind)) losses.add(kind, message, range)
      }
    }
    return left.size < this.#kept.size ? { [keptMessagesKey]: entry } : undefined
  }

  read(it: JsonObject, where: string, range: Range | undefined): void {
    this.#losses.place = range
    const first = this.messages.length
    const wasOpen = this.#isOpen
    if (this.#rest !== 'source') noteUnknownFields(it, messageFields, where, this.#losses)
    const role = textField(it, 'role', where)
    if (role === undefined) throw new ShapeError(localize`${where} has no \`role\``, it)
    if (role === 'assistant') this.#readAssistant(it, where)
    else if (role === 'tool' || role === 'function') this.#readReply(it, role, where)
    else this.#readOther(it, role, where)
    if (range) this.messages.push(...placed(this.messages.splice(first), range))
    const reasoningField = this.#reasoningField ?? usualReasoningField
    if (this.#rest === 'source') {
      if (!this.#losses.isEmpty) this.#leave(first)
      return
    }
    const joins = wasOpen && role === 'assistant'
    if (!joins && this.#losses.isEmpty && isPlainMessage(it, role, reasoningField)) return
    this.#keep(it, first, reasoningField)
  }

  /** What the source keeps is not lost. */
  #leave(first: number): void {
    this.#lost.set(first, this.#losses)
    this.#losses = new LossList(this.#places)
  }

  #keep(it: JsonObject, first: number, reasoningField: string): void {
    const run = this.messages.slice(first)
    const message = writtenMessage(run, reasoningField)
    const fields = message && keptFields(it, { message, reasoningField })
    if (fields) this.#kept.set(first, { count: run.length, length: lengthOf(run), fields })
    this.#lost.set(first, this.#losses)
    this.#losses = new LossList(this.#places)
  }

  #readOther(it: JsonObject, role: string, where: string): void {
    this.#isOpen = false
    if (roleOf(role) === undefined)
      this.#losses.addAt('role', localize`${where}: \`${role.slice(0, 40)}\` is no role`, it, 'role')
    const name = textField(it, 'name', where)
    const content = textContent(this.#textIn(it, 'content', where))
    this.messages.push(name ? { role, name, content, ending: 'end' } : { role, content, ending: 'end' })
  }

  #readAssistant(it: JsonObject, where: string): void {
    if (this.#isOpen) this.#losses.add('message-boundary', localize`${where} joins the message before it`)
    const name = textField(it, 'name', where)
    const reasoning = this.#reasoningIn(it, where)
    if (reasoning !== '') this.#say(name, 'analysis', reasoning)
    const calls = this.#callsIn(it, where)
    const refusal = textField(it, 'refusal', where)
    if (refusal)
      this.#losses.addAt(
        'content-part',
        localize`${where}: a refusal becomes an ordinary answer`,
        it,
        'refusal',
      )
    const text = this.#textIn(it, 'content', where) + (refusal ?? '')
    const isSaid = text !== '' || reasoning === '' || field(it, 'content') === ''
    if (calls.length > 0) {
      if (text !== '') this.#say(name, 'commentary', text, preambleIntent)
    } else if (isSaid) this.#say(name, 'final', text)
    for (const call of calls) this.messages.push(name ? { ...call, name } : call)
    this.#isOpen = calls.length > 0 || !isSaid
  }

  /** Written out for the case that is nearly all of a dataset: objects of one shape, without copies. */
  #say(name: string | undefined, channel: string, text: string, intent?: string): void {
    const content = textContent(text)
    const message: ConversationMessage = { role: 'assistant', channel, content, ending: 'end' }
    if (!name && intent === undefined) this.messages.push(message)
    else this.messages.push({ ...message, ...(name && { name }), ...(intent !== undefined && { intent }) })
  }

  #reasoningIn(it: JsonObject, where: string): string {
    let reasoning = ''
    for (const key of reasoningFields) {
      const text = textField(it, key, where)
      if (text === undefined || text === '' || text === reasoning) continue
      if (reasoning !== '')
        this.#losses.addAt('reasoning', localize`${where}: \`${key}\` stands beside other reasoning`, it, key)
      else reasoning = text
      this.#reasoningField ??= key
      if (key !== this.#reasoningField)
        this.#losses.addAt(
          'reasoning',
          localize`Reasoning is written under \`${this.#reasoningField}\` alone, not under several names`,
          it,
          key,
        )
    }
    return reasoning
  }

  #callsIn(it: JsonObject, where: string): readonly ConversationMessage[] {
    const calls: ConversationMessage[] = []
    const items = listField(it, 'tool_calls', where)
    for (let index = 0; index < items.length; index++) {
      const call = objectAt(items, index, localize`${where}: a call`)
      const isCustom = !field(call, 'function') && field(call, 'custom')
      const key = isCustom ? 'custom' : 'function'
      const id = textField(call, 'id', where)
      const called = objectAt(call, key, localize`${where}: \`${key}\` of a call`)
      calls.push(this.#call(called, id, where, key === 'custom'))
    }
    const legacy = field(it, 'function_call')
    if (isObject(legacy)) {
      this.#losses.addAt(
        'field',
        localize`${where}: \`function_call\` becomes a call like any other`,
        it,
        'function_call',
      )
      calls.push(this.#call(legacy, undefined, where, false))
    }
    return calls
  }

  #call(call: JsonObject, id: string | undefined, where: string, isCustom: boolean): ConversationMessage {
    const name = textField(call, 'name', where) ?? 'unknown'
    const input = field(call, 'arguments') ?? field(call, 'input') ?? ''
    const to = recipientOf(name)
    if (id) this.#toolById.set(id, to)
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    return messageOfCall({ to, id, input: text, isCustom }, this.#request)
  }

  #readReply(it: JsonObject, role: string, where: string): void {
    this.#isOpen = false
    const id = textField(it, 'tool_call_id', where)
    const name = textField(it, 'name', where)
    const known = id === undefined ? undefined : this.#toolById.get(id)
    const own = name === undefined ? undefined : recipientOf(name)
    if (role === 'function')
      this.#losses.addAt(
        'field',
        localize`${where}: the role \`function\` is written as \`tool\``,
        it,
        'role',
      )
    if (known !== undefined && own !== undefined && own !== known)
      this.#losses.addAt('name', localize`${where}: the reply's name is not that of the call`, it, 'name')
    if (known !== undefined && own === known)
      this.#losses.addAt('name', localize`The names of replies are left out: the calls have them`, it, 'name')
    const tool = known ?? own
    if (tool === undefined)
      this.#losses.add('name', localize`${where}: the reply does not say which tool it is from`)
    this.messages.push(messageOfReply(tool, id, this.#textIn(it, 'content', where)))
  }

  #textIn(it: JsonObject, key: string, where: string): string {
    const value = field(it, key)
    if (value === undefined || value === null) return ''
    if (typeof value === 'string') return value
    if (!Array.isArray(value))
      throw new ShapeError(localize`${where}: \`${key}\` is ${nameOf(value)}, not a string`, it, key)
    if (value.length !== 1)
      this.#losses.addAt(
        'content-part',
        localize`${where}: the pieces of the content become one text`,
        it,
        key,
      )
    return value.map((_, index) => this.#textOfPart(value, index, where)).join('')
  }

  #textOfPart(parts: readonly JsonValue[], index: number, where: string): string {
    const value = parts[index]
    if (typeof value === 'string') return value
    const part = objectAt(parts, index, localize`${where}: a piece of the content`)
    const type = field(part, 'type')
    const text = field(part, 'text') ?? (type === 'refusal' ? field(part, 'refusal') : undefined)
    if (typeof text === 'string') return text
    this.#losses.addAt(
      'content-part',
      localize`${where}: content of the type ${JSON.stringify(type ?? null)} is left out`,
      parts,
      index,
    )
    return ''
  }
}

/** True for what a kept message says although the transcript does not. */
function isKeptKind(kind: LossKind): boolean {
  return kind !== 'role'
}
