/**
 * What a message is, by its role, channel, and recipient: the only place that asks for a channel by its name. Rules,
 * features, and forms ask for the kind.
 */
import { preambleIntent } from '../vocabulary/attributes.ts'
import { answerChannel, type Channel, reasoningChannel, toolChannel } from '../vocabulary/channels.ts'
import { functionPrefix, isBuiltin } from '../vocabulary/roles.ts'
import type { DecidingFacts, Message } from './message.ts'
import { type Addressed, isCall } from './message-facts.ts'

/** What a message is. */
export type MessageKind =
  /** Of the system or the developer. */
  | 'instructions'
  | 'user'
  /** Of a tool. */
  | 'reply'
  /** Of the assistant to a tool. */
  | 'call'
  /** Of the assistant on `analysis`. */
  | 'reasoning'
  /** Commentary of the assistant that users see (2.2 §5). */
  | 'preamble'
  /** Other commentary of the assistant. */
  | 'hidden-commentary'
  /** Of the assistant on `final`. */
  | 'answer'
  /** Of an unknown role, or of the assistant on an unknown channel. */
  | 'unknown'

/** What decides what a message is. */
export type KindFacts = Pick<DecidingFacts, 'role' | 'channel' | 'to' | 'intent'>

/** What the message with these facts is. */
export function kindOf(facts: KindFacts): MessageKind {
  switch (facts.role) {
    case undefined:
      return 'unknown'
    case 'assistant':
      return isCall(facts) ? 'call' : kindOnChannel(facts)
    case 'user':
      return 'user'
    case 'tool':
      return 'reply'
    default:
      return 'instructions'
  }
}

function kindOnChannel({ channel, intent }: KindFacts): MessageKind {
  switch (channel) {
    case undefined:
      return 'unknown'
    case 'analysis':
      return 'reasoning'
    case 'commentary':
      return intent === preambleIntent ? 'preamble' : 'hidden-commentary'
    default:
      return 'answer'
  }
}

/** True for an answer of the assistant to the user. */
export function isAnswer(facts: KindFacts): boolean {
  return kindOf(facts) === 'answer'
}

/** True for commentary of the assistant, whether users see it or not. */
export function isCommentary(facts: KindFacts): boolean {
  const kind = kindOf(facts)
  return kind === 'hidden-commentary' || kind === 'preamble'
}

/** True on the channel that is private regardless of its author (D15). */
export function isPrivate({ channel }: { readonly channel?: string | undefined }): boolean {
  return channel === reasoningChannel
}

/** True on the channel of answers, regardless of its author and its recipient. */
export function isFinal({ channel }: { readonly channel?: string | undefined }): boolean {
  return channel === answerChannel
}

/** True on the channel of calls and replies, where commentary is as well. */
export function isOnToolChannel({ channel }: Pick<KindFacts, 'channel'>): boolean {
  return channel === toolChannel
}

/** True for commentary that asks to be seen, regardless of its author (2.2 §5). */
export function isShownAsPreamble({ channel, intent }: Pick<KindFacts, 'channel' | 'intent'>): boolean {
  return isOnToolChannel({ channel }) && intent === preambleIntent
}

/** True for a message that asks to be seen as a preamble and is never shown that way: of another role, or private (D15). */
export function isForbiddenPreamble({ role, channel, intent }: KindFacts): boolean {
  if (intent !== preambleIntent || role === undefined || channel === undefined) return false
  return role !== 'assistant' || channel === reasoningChannel
}

/** True for a call on a channel where a router looks for calls of that tool; a name without prefix may be built in (D14). */
export function isWellPlacedCall(
  { channel, to }: Pick<KindFacts, 'channel' | 'to'>,
  builtinTools: ReadonlySet<string> | undefined,
): boolean {
  if (isOnToolChannel({ channel })) return true
  if (channel !== reasoningChannel || to === undefined) return false
  return !to.startsWith(functionPrefix) || isBuiltin(to, builtinTools)
}

/** The channel that messages of this kind are usually on: calls and replies have one of their own. */
export function usualChannel(facts: Addressed): Channel {
  return facts.role === 'tool' || isCall(facts) ? toolChannel : answerChannel
}

/** The effective channel of `message` where it is not the usual one of its kind; undefined where it is. */
export function unusualChannelOf(message: Pick<Message, 'role' | 'channel' | 'to'>): string | undefined {
  const usual = usualChannel(message)
  const channel = message.channel ?? (message.role === 'tool' ? usual : answerChannel)
  return channel === usual ? undefined : channel
}

/** The recipient of `reply` where it is not the usual one; undefined where it is. */
export function unusualRecipientOf({ to }: Pick<Message, 'to'>): string | undefined {
  return to === 'assistant' ? undefined : to
}
