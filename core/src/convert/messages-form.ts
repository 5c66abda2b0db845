/** The `messages` of Chat Completions, with tools, calls, replies and the reasoning fields that hosts of gpt-oss write. */
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { preambleIntent } from '../vocabulary/attributes.ts'
import { roleOf } from '../vocabulary/roles.ts'
import {
  exportRequest,
  functionIn,
  functionNameOf,
  importRequest,
  recipientOf,
  requestKey,
  withoutToolMessage,
} from './chat-tools.ts'
import {
  type Conversation,
  type ConversationMessage,
  isCallMessage,
  textContent,
  textOf,
  withCallIds,
} from './conversation.ts'
import { field, isObject, listField, nameOf, noteUnknownFields, objectIn, textField } from './json-input.ts'
import { ConversionError, type LossList } from './loss.ts'

const reasoningFields = ['reasoning_content', 'reasoning', 'thinking'] as const
const usualReasoningField = 'reasoning_content'
/** The key of the header that keeps under which name a host writes reasoning, if that is not the usual one. */
const reasoningFieldKey = 'chat_reasoning_field'
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

/** Reads a request, a list of messages, or one message. @throws ConversionError */
export function fromMessages(value: JsonValue, losses: LossList): Conversation {
  const root: JsonObject = Array.isArray(value) ? { messages: value } : objectIn(value, 'The document')
  const { header, toolMessage } = importRequest(root, chatTool, losses)
  const reader = new MessageReader(losses)
  const list = listField(root, 'messages', 'The document')
  if (field(root, 'messages') === undefined) throw new ConversionError('The document has no `messages`')
  for (const [index, it] of list.entries()) {
    const where = `Message ${index + 1}`
    reader.read(objectIn(it, where), where)
  }
  const { messages } = reader
  if (toolMessage) {
    const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
    messages.splice(first === -1 ? messages.length : first, 0, toolMessage)
  }
  return { header: { ...header, ...reader.reasoningHeader }, messages: withCallIds(messages) }
}

function chatTool(tool: JsonValue): JsonObject | undefined {
  return isObject(tool) && field(tool, 'type') === 'function'
    ? functionIn(field(tool, 'function'))
    : undefined
}

class MessageReader {
  readonly messages: ConversationMessage[] = []
  readonly #losses: LossList
  readonly #toolById = new Map<string, string>()
  readonly #usedReasoningFields = new Set<string>()
  /** True if the last message would join the next one of the assistant when written again. */
  #isOpen = false

  constructor(losses: LossList) {
    this.#losses = losses
  }

  /** What the header keeps of how reasoning was written. */
  get reasoningHeader(): JsonObject {
    const [first, ...others] = this.#usedReasoningFields
    if (others.length > 0)
      this.#losses.add('reasoning', `Reasoning is written under \`${first}\` alone, not under several names`)
    return first === undefined || first === usualReasoningField ? {} : { [reasoningFieldKey]: first }
  }

  read(it: JsonObject, where: string): void {
    noteUnknownFields(it, messageFields, where, this.#losses)
    const role = textField(it, 'role', where)
    if (role === undefined) throw new ConversionError(`${where} has no \`role\``)
    if (role === 'assistant') this.#readAssistant(it, where)
    else if (role === 'tool' || role === 'function') this.#readReply(it, role, where)
    else this.#readOther(it, role, where)
  }

  #readOther(it: JsonObject, role: string, where: string): void {
    this.#isOpen = false
    if (roleOf(role) === undefined) this.#losses.add('role', `${where}: \`${role.slice(0, 40)}\` is no role`)
    const name = textField(it, 'name', where)
    const content = textContent(this.#textIn(it, 'content', where))
    this.messages.push({ role, ...(name && { name }), content, ending: 'end' })
  }

  #readAssistant(it: JsonObject, where: string): void {
    if (this.#isOpen) this.#losses.add('message-boundary', `${where} joins the message before it`)
    const name = textField(it, 'name', where)
    const common = { role: 'assistant', ...(name && { name }) }
    const reasoning = this.#reasoningIn(it, where)
    if (reasoning !== '')
      this.messages.push({ ...common, channel: 'analysis', content: textContent(reasoning), ending: 'end' })
    const calls = this.#callsIn(it, where)
    const refusal = textField(it, 'refusal', where)
    if (refusal) this.#losses.add('content-part', `${where}: a refusal becomes an ordinary answer`)
    const text = this.#textIn(it, 'content', where) + (refusal ?? '')
    if (calls.length > 0) {
      if (text !== '') {
        const said = { channel: 'commentary', intent: preambleIntent, content: textContent(text) }
        this.messages.push({ ...common, ...said, ending: 'end' })
      }
    } else if (text !== '' || reasoning === '') {
      this.messages.push({ ...common, channel: 'final', content: textContent(text), ending: 'end' })
    }
    for (const call of calls) this.messages.push({ ...common, ...call })
    this.#isOpen = calls.length > 0 || (reasoning !== '' && text === '')
  }

  #reasoningIn(it: JsonObject, where: string): string {
    let reasoning = ''
    for (const key of reasoningFields) {
      const text = textField(it, key, where)
      if (text === undefined || text === '' || text === reasoning) continue
      if (reasoning !== '')
        this.#losses.add('reasoning', `${where}: \`${key}\` stands beside other reasoning`)
      else reasoning = text
      this.#usedReasoningFields.add(key)
    }
    return reasoning
  }

  #callsIn(it: JsonObject, where: string): readonly ConversationMessage[] {
    const calls: ConversationMessage[] = []
    for (const item of listField(it, 'tool_calls', where)) {
      const call = objectIn(item, `${where}: a call`)
      const what = field(call, 'function') ?? field(call, 'custom')
      const id = textField(call, 'id', where)
      calls.push(this.#call(objectIn(what, `${where}: \`function\` of a call`), id, where))
    }
    const legacy = field(it, 'function_call')
    if (isObject(legacy)) {
      this.#losses.add('field', `${where}: \`function_call\` becomes a call like any other`)
      calls.push(this.#call(legacy, undefined, where))
    }
    return calls
  }

  #call(call: JsonObject, id: string | undefined, where: string): ConversationMessage {
    const name = textField(call, 'name', where) ?? 'unknown'
    const input = field(call, 'arguments') ?? field(call, 'input') ?? ''
    const to = recipientOf(name)
    if (id) this.#toolById.set(id, to)
    return {
      role: 'assistant',
      channel: 'commentary',
      to,
      ...(id && { callId: id }),
      constraint: 'json',
      content: textContent(typeof input === 'string' ? input : JSON.stringify(input)),
      ending: 'call',
    }
  }

  #readReply(it: JsonObject, role: string, where: string): void {
    this.#isOpen = false
    const id = textField(it, 'tool_call_id', where)
    const name = textField(it, 'name', where)
    const known = id === undefined ? undefined : this.#toolById.get(id)
    const own = name === undefined ? undefined : recipientOf(name)
    if (role === 'function')
      this.#losses.add('field', `${where}: the role \`function\` is written as \`tool\``)
    if (known !== undefined && own !== undefined && own !== known)
      this.#losses.add('name', `${where}: the reply's name is not that of the call`)
    if (known !== undefined && own === known)
      this.#losses.add('name', 'The names of replies are left out: the calls have them')
    const tool = known ?? own
    if (tool === undefined) this.#losses.add('name', `${where}: the reply does not say which tool it is from`)
    this.messages.push({
      role: 'tool',
      to: 'assistant',
      ...(id && { callId: id }),
      name: tool ?? 'functions.unknown',
      channel: 'commentary',
      content: textContent(this.#textIn(it, 'content', where)),
      ending: 'end',
    })
  }

  #textIn(it: JsonObject, key: string, where: string): string {
    const value = field(it, key)
    if (value === undefined || value === null) return ''
    if (typeof value === 'string') return value
    if (!Array.isArray(value))
      throw new ConversionError(`${where}: \`${key}\` is ${nameOf(value)}, not a string`)
    if (value.length !== 1)
      this.#losses.add('content-part', `${where}: the pieces of the content become one text`)
    return value.map((part) => this.#textOfPart(part, where)).join('')
  }

  #textOfPart(value: JsonValue, where: string): string {
    if (typeof value === 'string') return value
    const part = objectIn(value, `${where}: a piece of the content`)
    const type = field(part, 'type')
    const text = field(part, 'text') ?? (type === 'refusal' ? field(part, 'refusal') : undefined)
    if (typeof text === 'string') return text
    this.#losses.add(
      'content-part',
      `${where}: content of the type ${JSON.stringify(type ?? null)} is left out`,
    )
    return ''
  }
}

/** `conversation` as a request: its messages, its tools, and what else the request had. */
export function toMessages(conversation: Conversation, losses: LossList): JsonObject {
  const request = exportRequest(conversation.header)
  const named = conversation.header?.[reasoningFieldKey]
  const reasoningField = reasoningFields.find((it) => it === named) ?? usualReasoningField
  const writer = new MessageWriter(reasoningField, losses)
  const messages = withCallIds(withoutToolMessage(conversation.messages, request, chatTool, losses))
  for (const message of messages) writer.add(message)
  for (const key of Object.keys(conversation.header ?? {})) {
    if (key === 'model' || key === 'version' || key === 'profiles' || key === 'capabilities') continue
    if (key !== requestKey && key !== reasoningFieldKey)
      losses.add('header-key', `A request has no place for \`${key}\` of the header`)
  }
  const model = conversation.header?.model
  return { ...(typeof model === 'string' && { model }), ...request, messages: writer.messages }
}

/** A message under way. */
type ChatMessage = Record<string, JsonValue>

class MessageWriter {
  readonly messages: ChatMessage[] = []
  readonly #losses: LossList
  /** The message of the assistant that may still grow. */
  #open: ChatMessage | undefined

  readonly #reasoningField: string

  constructor(reasoningField: string, losses: LossList) {
    this.#reasoningField = reasoningField
    this.#losses = losses
  }

  add(message: ConversationMessage): void {
    const { role, range, ending, content } = message
    const losses = this.#losses
    if (ending === undefined) losses.add('truncation', 'That a message is cut off is not told', range)
    if (content.some(({ kind }) => kind === 'literal'))
      losses.add('literal-block', 'A literal block becomes ordinary text', range)
    if (message.contentType !== undefined)
      losses.add('content-type', `The hint \`content_type=${message.contentType}\` has no place`, range)
    if (role === 'assistant') this.#addAssistant(message)
    else this.#addOther(message)
  }

  #addOther(message: ConversationMessage): void {
    this.#open = undefined
    const { role, name, channel, to, callId, intent, constraint, range } = message
    const losses = this.#losses
    if (intent !== undefined) losses.add('intent', `\`intent=${intent}\` has no place`, range)
    if (constraint !== undefined) losses.add('content-type', 'The constraint has no place', range)
    if (role === 'tool') {
      if (to !== undefined && to !== 'assistant') losses.add('recipient', `\`to=${to}\` has no place`, range)
      if (channel !== 'commentary' && channel !== undefined)
        losses.add('channel', `The channel \`${channel}\` of a reply has no place`, range)
      if (callId === undefined) losses.add('pairing', 'A reply without a call has no `tool_call_id`', range)
      this.messages.push({
        role,
        ...(callId !== undefined
          ? { tool_call_id: callId }
          : name !== undefined && { name: functionNameOf(name) }),
        content: textOf(message),
      })
      return
    }
    if (to !== undefined) losses.add('recipient', `\`to=${to}\` has no place`, range)
    if (channel !== undefined && channel !== 'final')
      losses.add('channel', `The channel \`${channel}\` of this message has no place`, range)
    if (roleOf(role) === undefined) losses.add('role', `Chat Completions have no role \`${role}\``, range)
    this.messages.push({ role, ...(name !== undefined && { name }), content: textOf(message) })
  }

  #addAssistant(message: ConversationMessage): void {
    const { channel = 'final', name, to, callId, intent, range } = message
    const losses = this.#losses
    const text = textOf(message)
    if (isCallMessage(message)) {
      if (message.constraint !== undefined && message.constraint !== 'json')
        losses.add('content-type', `The constraint \`${message.constraint}\` has no place`, range)
      if (channel !== 'commentary')
        losses.add('channel', `The channel \`${channel}\` of a call has no place`, range)
      const open = this.#messageFor('tool_calls', name)
      const calls = open.tool_calls
      const call = {
        id: callId ?? '',
        type: 'function',
        function: { name: functionNameOf(to ?? ''), arguments: text },
      }
      if (Array.isArray(calls)) (calls as JsonValue[]).push(call)
      else open.tool_calls = [call]
      return
    }
    if (to !== undefined) losses.add('recipient', `\`to=${to}\` has no place`, range)
    if (message.constraint !== undefined) losses.add('content-type', 'The constraint has no place', range)
    if (channel === 'analysis') {
      const open = this.#messageFor('reasoning', name)
      const before = open[this.#reasoningField]
      if (typeof before === 'string')
        losses.add('message-boundary', 'Consecutive reasoning becomes one text', range)
      open[this.#reasoningField] = typeof before === 'string' ? `${before}\n${text}` : text
      return
    }
    const isPreamble = channel === 'commentary' && intent === preambleIntent
    if (channel !== 'final' && !isPreamble) {
      losses.add('hidden-message', 'Commentary that users do not see is left out', range)
      return
    }
    if (isPreamble === false && intent !== undefined)
      losses.add('intent', `\`intent=${intent}\` has no place`, range)
    this.#messageFor('content', name).content = text
    if (!isPreamble) this.#open = undefined
  }

  /** The message that takes `part`: the open one, if that part may follow what it has. */
  #messageFor(part: 'reasoning' | 'content' | 'tool_calls', name: string | undefined): ChatMessage {
    const open = this.#open
    const hasContent = open?.content !== undefined && open.content !== null
    const mayJoin =
      open !== undefined &&
      open.name === name &&
      (part === 'tool_calls' || (open.tool_calls === undefined && !hasContent))
    if (mayJoin) return open
    this.#open = { role: 'assistant', ...(name !== undefined && { name }), content: null }
    this.messages.push(this.#open)
    return this.#open
  }
}
