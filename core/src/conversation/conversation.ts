/** A conversation in memory, between two forms: what the text of a transcript can say, and nothing else. */
import type { RequestTools } from '../document/transcript.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import { isToolCall } from '../semantics/message-facts.ts'
import type { Range } from '../text/range.ts'

/** A piece of a body: text as meant, or the content of a literal block. */
export interface ContentPart {
  readonly kind: 'text' | 'literal'
  readonly text: string
}

/** How a message ends; undefined for one that is cut off. */
export type Ending = 'end' | 'call' | 'return'

/** A value of the JSON that a conversation was read from. */
export interface JsonPlace {
  readonly parent: object
  readonly key: string | number
}

/** Words of a sample: a value, or with `from` and `to` a stretch of a string. UTF-16 code units of the value. */
export interface JsonWords extends JsonPlace {
  readonly from?: number
  readonly to?: number
  /** The stretch with the tags around it, which goes with it. */
  readonly whole?: { readonly from: number; readonly to: number }
}

/** Where in the JSON of a sample a message comes from, so that an edit changes its words and nothing else (F16). */
export interface MessageOrigin {
  /** What its body is, in order: strings joined, or one value as its JSON text. */
  readonly words: readonly JsonWords[]
  /** What says it and nothing else: a field, a part, or a call; undefined if that is its item. */
  readonly unit?: JsonPlace | undefined
  /** The element of a list that it belongs to. */
  readonly item?: JsonPlace | undefined
  /** The same message in other branches (F18). */
  readonly copies?: readonly MessageOrigin[]
}

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
  /** Where it stands in the value it was read from, if that was asked for. */
  readonly origin?: MessageOrigin
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
  /** The tools of the request that it was read from, which one of the messages shows. */
  readonly requestTools?: RequestTools | undefined
  /** The named continuations that the sample has, the first of them shown first; absent if there is one at most (F1). */
  readonly branches?: readonly string[]
  /** Values that the sample has as JSON in a string, by the value: where that string is (F5). */
  readonly embedded?: ReadonlyMap<object, JsonWords>
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
  return isToolCall(role, to)
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
