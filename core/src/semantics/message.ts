/** A message apart from any text: what every form is read as and written from, and the facts that decide what it is. */
import type { Range } from '../text/range.ts'
import { channelOf, defaultChannel } from '../vocabulary/channels.ts'
import { roleOf } from '../vocabulary/roles.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import type { MessageFacts } from './facts-record.ts'

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
  /** Words that the form puts between others, and that the sample has nowhere. */
  readonly fixed?: string
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
  /** For the answer of a pair that is one element of a list: the pair, which also has the question. */
  readonly pair?: JsonPlace | undefined
  /** The same message in other branches (F18). */
  readonly copies?: readonly MessageOrigin[]
}

/** A message. Words are as written; undefined means not present. */
export interface Message {
  /** One of the five roles, or an unknown one as written; legacy reply roles are `tool`. */
  readonly role: string
  /** Display alias; on `tool`, the tool's name. */
  readonly name?: string
  readonly channel?: string
  readonly to?: string
  readonly callId?: string
  readonly intent?: string
  readonly contentType?: string
  /** Rules that do not report problems in it, with the reason: the attribute as written. */
  readonly allow?: string
  readonly constraint?: string
  readonly content: readonly ContentPart[]
  readonly ending?: Ending
  /** Where it is in the source, if that is text. */
  readonly range?: Range
  /** Where it is in the value it was read from, if that was asked for. */
  readonly origin?: MessageOrigin
}

/** The facts that decide what a message is, with whom it is paired, and how it should end: its words, not its body. */
export type DecidingFacts = Pick<
  MessageFacts,
  | 'isMessage'
  | 'role'
  | 'roleWord'
  | 'channel'
  | 'isDoubtful'
  | 'to'
  | 'hasRecipient'
  | 'callId'
  | 'name'
  | 'intent'
  | 'terminator'
>

/** The facts of `message`: those that its segment has in the transcript that says the same. */
export function factsOfMessage({ role, name, channel, to, callId, intent, ending }: Message): DecidingFacts {
  return {
    isMessage: true,
    role: roleOf(role),
    roleWord: role,
    channel: channelOf(channel ?? defaultChannel),
    isDoubtful: false, // the reader has put such a message on `analysis`
    to,
    hasRecipient: to !== undefined,
    callId,
    name,
    intent,
    terminator: ending === undefined ? ControlKind.none : ControlKind[ending],
  }
}
