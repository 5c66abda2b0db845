/** Messages as Harmony has them, and how they are written: byte for byte as the reference does (HARMONY a.2, a.7). */

import { spelled } from '../../conversation/spelling.ts'
import { isFinal, isPrivate } from '../../semantics/message-kind.ts'
import { everyone } from '../../vocabulary/attributes.ts'

/** A message of Harmony. */
export interface HarmonyMessage {
  readonly role: string
  /** On `tool`, what is in the place of the role. */
  readonly name?: string
  readonly recipient?: string
  readonly channel?: string
  /** As it stands in the header, a `<|constrain|>` included. */
  readonly contentType?: string
  readonly content: string
  /** The pieces of the content where it has several: the reference encodes each on its own. */
  readonly pieces?: readonly string[]
  /** How the text ends the message; undefined if it does not, or if that is unknown. */
  readonly ending?: 'end' | 'call' | 'return'
}

/** A piece of rendered Harmony: a special token, or text that is encoded as ordinary text whatever it says. */
export interface HarmonyPiece {
  readonly isSpecial: boolean
  readonly text: string
}

/** What a rendering is for (HARMONY a.7). */
export type RenderPurpose = 'training' | 'history' | 'completion'

/** How a conversation is rendered. */
export interface RenderOptions {
  /** True to leave out the reasoning that the reference leaves out once an answer is given. */
  readonly dropsAnalysis: boolean
  readonly purpose: RenderPurpose
  /** Who speaks next, for completion. */
  readonly nextRole?: string
}

/** The pieces of one message, its terminator last. */
export function messagePieces(message: HarmonyMessage): readonly HarmonyPiece[] {
  const { role, name, recipient, channel, contentType, content, pieces: parts = [content] } = message
  const pieces: HarmonyPiece[] = [special(spelled.start)]
  if (role === 'tool') pieces.push(text(name ?? ''))
  else pieces.push(text(name === undefined ? role : `${role}:${name}`))
  if (recipient !== undefined && recipient !== everyone) pieces.push(text(` to=${recipient}`))
  if (channel !== undefined) pieces.push(special(spelled.channel), text(channel))
  if (contentType?.startsWith(spelled.constrain)) {
    pieces.push(text(' '), special(spelled.constrain), text(contentType.slice(spelled.constrain.length)))
  } else if (contentType !== undefined) pieces.push(text(` ${contentType}`))
  pieces.push(special(spelled.message), ...parts.map(text))
  pieces.push(special(spelled[usualEnding(message)]))
  return pieces
}

interface Addressed {
  readonly role: string
  readonly recipient?: string | undefined
}

/** How the reference ends a message: any message of the assistant that has a recipient is a call. */
export function usualEnding({ role, recipient }: Addressed): 'call' | 'end' {
  return role === 'assistant' && recipient !== undefined ? 'call' : 'end'
}

/** The pieces of each message of a conversation in order, then those of the prompt for the next one. */
export function conversationPieces(
  messages: readonly HarmonyMessage[],
  { dropsAnalysis, purpose, nextRole = 'assistant' }: RenderOptions,
): readonly (readonly HarmonyPiece[])[] {
  const kept = dropsAnalysis ? withoutSpentAnalysis(messages) : messages
  const rendered = kept.map(messagePieces)
  const last = kept.at(-1)
  if (purpose === 'training' && last?.role === 'assistant' && isFinal(last)) {
    const pieces = rendered.pop() ?? []
    rendered.push([...pieces.slice(0, -1), special(spelled.return)])
  }
  if (purpose === 'completion') rendered.push([special(spelled.start), text(nextRole)])
  return rendered
}

/** Analysis before the first answer is dropped once the assistant's last message is an answer (HARMONY a.7). */
export function withoutSpentAnalysis<Message extends MessageHead>(
  messages: readonly Message[],
): readonly Message[] {
  const answer = answerThatSpends(messages.toReversed(), messages)
  if (!answer) return messages
  const end = messages.indexOf(answer)
  return messages.filter((message, index) => index >= end || !isReasoning(message))
}

/** The part of a message that decides whether reasoning is dropped. */
export interface MessageHead {
  readonly role: string
  readonly channel?: string
}

/** The answer before which reasoning is dropped; undefined as long as none is. Both lists are read only as far as they must. */
export function answerThatSpends<Message extends MessageHead>(
  fromEnd: Iterable<Message>,
  fromStart: Iterable<Message>,
): Message | undefined {
  for (const message of fromEnd) {
    if (message.role !== 'assistant') continue
    return isFinal(message) ? firstAnswer(fromStart) : undefined
  }
  return undefined
}

function firstAnswer<Message extends MessageHead>(messages: Iterable<Message>): Message | undefined {
  for (const message of messages) if (isFinal(message)) return message
  return undefined
}

/** True for what is dropped where it is spent, regardless of its author. */
export function isReasoning(message: MessageHead): boolean {
  return isPrivate(message)
}

/** The text of pieces. */
export function textOfPieces(pieces: readonly HarmonyPiece[]): string {
  return pieces.map((it) => it.text).join('')
}

function special(spelling: string): HarmonyPiece {
  return { isSpecial: true, text: spelling }
}

function text(it: string): HarmonyPiece {
  return { isSpecial: false, text: it }
}
