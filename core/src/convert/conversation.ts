/** A conversation in memory, between two forms: what the text of a transcript can say, and nothing else. */
import type { JsonObject } from '../embedded/yaml-header.ts'
import type { Range } from '../text/range.ts'
import { isToolRecipient } from '../vocabulary/attributes.ts'
import { withoutFunctionPrefix } from '../vocabulary/roles.ts'

/** A piece of a body: text as meant, or the content of a literal block. */
export interface ContentPart {
  readonly kind: 'text' | 'literal'
  readonly text: string
}

/** How a message ends; undefined for one that is cut off. */
export type Ending = 'end' | 'call' | 'return'

/** A message. Words are as written; undefined means not present. */
export interface ConversationMessage {
  /** One of the five roles, or an unknown one as written; legacy reply roles are `tool`. */
  readonly role: string
  /** Display alias; on `tool`, the tool's name. */
  readonly name?: string
  readonly channel?: string
  readonly to?: string
  readonly callId?: string
  readonly intent?: string
  readonly contentType?: string
  readonly constraint?: string
  readonly content: readonly ContentPart[]
  readonly ending?: Ending
  /** Where it stands in the source, if that is text. */
  readonly range?: Range
}

/** A message that is being made: its object is filled, not copied, because files have many. */
export type MessageUnderWay = { -readonly [Key in keyof ConversationMessage]: ConversationMessage[Key] }

/** A conversation. */
export interface Conversation {
  /** The YAML header as data. */
  readonly header?: JsonObject
  /** The preamble of the text verbatim, if the source has one. */
  readonly headerText?: string
  readonly messages: readonly ConversationMessage[]
  /** The role that a trailing generation prompt asks for. */
  readonly promptRole?: string
}

/** The body as one text. */
export function textOf({ content }: Pick<ConversationMessage, 'content'>): string {
  return content.length === 1 ? (content[0]?.text ?? '') : content.map(({ text }) => text).join('')
}

/** Content that says `text`. */
export function textContent(text: string): readonly ContentPart[] {
  return text === '' ? [] : [{ kind: 'text', text }]
}

/** True for a message of the assistant to a tool. */
export function isCallMessage({ role, to }: ConversationMessage): boolean {
  return role === 'assistant' && to !== undefined && isToolRecipient(to)
}

/** True if the message ends as messages of its kind do, which needs no words. */
export function endsAsUsual(message: ConversationMessage): boolean {
  return message.ending === (isCallMessage(message) ? 'call' : 'end')
}

/** The message without what is undefined in `changes`. */
export function changed(
  message: ConversationMessage,
  changes: { readonly [Key in keyof ConversationMessage]?: ConversationMessage[Key] | undefined },
): ConversationMessage {
  const result: Record<string, unknown> = { ...message, ...changes }
  for (const [key, value] of Object.entries(changes)) if (value === undefined) delete result[key]
  return result as unknown as ConversationMessage // keys and values are those of a message
}

/**
 * The messages with an id on every call and reply: new ids count up, and a reply without id takes that of the oldest
 * call of its tool that no other reply answers (D12); it stays without if there is none.
 */
export function withCallIds(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  if (!messages.some(lacksId)) return messages
  const used = new Set<string>()
  for (const { callId } of messages) if (callId !== undefined) used.add(callId)
  let last = 0
  const newId = () => {
    do last++
    while (used.has(`call_${last}`))
    return `call_${last}`
  }
  const answered = answeredById(messages)
  const open = new OpenCalls()
  return messages.map((message) => {
    if (isCallMessage(message)) {
      const callId = message.callId ?? newId()
      if (!answered.has(callId)) open.add(message.to ?? '', callId)
      return message.callId === undefined ? { ...message, callId } : message
    }
    if (message.role !== 'tool' || message.callId !== undefined) return message
    const callId = open.take(message.name)
    return callId === undefined ? message : { ...message, callId }
  })
}

function lacksId(message: ConversationMessage): boolean {
  return message.callId === undefined && (message.role === 'tool' || isCallMessage(message))
}

/** The ids of calls with a reply behind them that names its call: it counts, wherever another one without id stands. */
function answeredById(messages: readonly ConversationMessage[]): ReadonlySet<string> {
  const calls = new Set<string>()
  const answered = new Set<string>()
  for (const message of messages) {
    const { callId, role } = message
    if (callId === undefined) continue
    if (isCallMessage(message)) calls.add(callId)
    else if (role === 'tool' && calls.has(callId)) answered.add(callId)
  }
  return answered
}

/** The calls that wait for a reply: by tool, oldest first. */
class OpenCalls {
  readonly #byTool = new Map<string, { readonly ids: string[]; next: number }>()
  readonly #ids = new Set<string>()

  /** An id that two calls share waits for one reply. */
  add(tool: string, id: string): void {
    if (this.#ids.has(id)) return
    this.#ids.add(id)
    const key = withoutFunctionPrefix(tool)
    const known = this.#byTool.get(key)
    if (known) known.ids.push(id)
    else this.#byTool.set(key, { ids: [id], next: 0 })
  }

  take(tool: string | undefined): string | undefined {
    const queue = tool === undefined ? undefined : this.#byTool.get(withoutFunctionPrefix(tool))
    if (!queue || queue.next === queue.ids.length) return undefined
    return queue.ids[queue.next++]
  }
}
