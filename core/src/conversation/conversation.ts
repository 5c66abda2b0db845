/** A conversation in memory, between two forms: what the text of a transcript can say, and nothing else. */
import type { RequestTools } from '../document/transcript.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import type { ContentPart, Message as ConversationMessage, JsonWords } from '../semantics/message.ts'

export type {
  ContentPart,
  Ending,
  JsonPlace,
  JsonWords,
  Message as ConversationMessage,
  MessageOrigin,
} from '../semantics/message.ts'
export { isCall as isCallMessage } from '../semantics/message-facts.ts'
export { isPrivate as isPrivateMessage } from '../semantics/message-kind.ts'
export { textOf } from '../semantics/parted-body.ts'

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
  /** How many of the messages are the prompt, where the sample says so and more than answers of the assistant follow. */
  readonly promptLength?: number
  /** The tools of the request that it was read from, which one of the messages shows. */
  readonly requestTools?: RequestTools | undefined
  /** The named continuations that the sample has, the first of them shown first; absent if there is one at most (F1). */
  readonly branches?: readonly string[]
  /** The branch that the messages end with, if there are several. */
  readonly branch?: string
  /** Values that the sample has as JSON in a string, by the value: where that string is (F5). */
  readonly embedded?: ReadonlyMap<object, JsonWords>
  /** True if columns that can be texts, such as the prompt and the answers, are lists of messages. */
  readonly isConversational?: boolean
  /** True if its messages are in a text with the control tokens of a model, which is read only (F19). */
  readonly isFramed?: boolean
}

/** Content that says `text`. */
export function textContent(text: string): readonly ContentPart[] {
  return text === '' ? [] : [{ kind: 'text', text }]
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
