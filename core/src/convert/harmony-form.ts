/** Between conversations and Harmony's messages (HARMONY c). */

import { Transcript } from '../document/transcript.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import { isToolRecipient, preambleIntent } from '../vocabulary/attributes.ts'
import { harmony } from '../vocabulary/harmony.ts'
import { roleOf, withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { coreTokens } from '../vocabulary/tokens.ts'
import {
  type Conversation,
  type ConversationMessage,
  isCallMessage,
  type MessageUnderWay,
  textContent,
  textOf,
  withCallIds,
} from './conversation.ts'
import {
  conversationPieces,
  type HarmonyMessage,
  type HarmonyPiece,
  type RenderPurpose,
  textOfPieces,
} from './harmony-message.ts'
import { parseHarmony } from './harmony-parser.ts'
import { ConversionError, type LossList, wellFormed } from './loss.ts'
import { noteHeader } from './note-header.ts'
import { hidingChannel } from './note-hidden.ts'
import { readTranscript } from './read-ocm.ts'
import { spelled } from './spelling.ts'

/** The header of a transcript that comes from Harmony. */
export const harmonyHeader: JsonObject = { version: 2.2, profiles: { harmony: { enabled: true } } }

/** How Harmony text is written. Without a purpose nothing is dropped, and a last `<|return|>` stays. */
export interface HarmonyOptions {
  readonly purpose?: RenderPurpose | undefined
}

/**
 * Reads Harmony text by the rules of the reference. Text that it would refuse is read as far as it makes sense, and the
 * reason is noted, unless `isStrict`.
 *
 * @throws ConversionError if `isStrict` and the reference would refuse the text
 */
export function fromHarmonyText(text: string, isStrict: boolean, losses: LossList): Conversation {
  const trimmed = text.trimEnd()
  const isClosed = [spelled.end, spelled.call, spelled.return].some((it) => trimmed.endsWith(it))
  const prompt = isClosed ? undefined : promptAtEnd.exec(trimmed)
  const end = prompt?.index ?? (isClosed && !isStrict ? trimmed.length : text.length) // files end in a line break
  const whole = text.slice(0, end)
  const promptRole = prompt?.[1]
  let messages: readonly ConversationMessage[]
  try {
    const role = samplingOutput.test(whole) ? 'assistant' : undefined
    messages = parseHarmony(whole, { isStrict, ...(role && { role }) }).map(conversationMessage)
  } catch (error) {
    if (!(error instanceof ConversionError) || isStrict) throw error
    const at = error.offset ?? 0
    losses.add('malformed-header', localize`The reference refuses this text: ${error.message}`, {
      start: at,
      end: at,
    })
    messages = readTranscript(Transcript.parse(whole, { dialect: 'harmony' }), losses).messages.map(asRead)
  }
  return {
    header: harmonyHeader,
    messages: withCallIds(messages),
    ...(promptRole !== undefined && { promptRole }),
  }
}

/** What a model writes behind the prompt `<|start|>assistant`. */
const samplingOutput = /^<\|(?:channel|message|constrain)\|>/

const promptAtEnd = /<\|start\|>(system|developer|user|assistant|tool)\s*$/

/** A message of Harmony as one of a conversation. */
export function conversationMessage(
  message: HarmonyMessage & { readonly range?: ConversationMessage['range'] },
): ConversationMessage {
  const { role, name, recipient, channel, contentType, content, ending, range } = message
  const isConstraint = contentType?.startsWith(spelled.constrain)
  const lost = recipient?.startsWith(spelled.constrain) ? recipient : undefined // (P14)
  const constraint = (isConstraint ? contentType : lost)?.slice(spelled.constrain.length).trim()
  const result: MessageUnderWay = { role, content: textContent(content) }
  if (name) result.name = name
  if (channel !== undefined) result.channel = channel
  if (recipient && lost === undefined) result.to = recipient
  if (contentType && !isConstraint) result.contentType = contentType
  if (constraint) result.constraint = constraint
  if (ending) result.ending = ending
  if (range) result.range = range
  return asRead(result)
}

/** Commentary of the assistant to nobody is a preamble (D21): how Harmony's own text is read. */
export function asRead(message: ConversationMessage): ConversationMessage {
  const { role, channel, to, intent } = message
  const isPreamble =
    role === 'assistant' && channel === 'commentary' && (to === undefined || !isToolRecipient(to)) && !intent
  return isPreamble ? { ...message, intent: preambleIntent } : message
}

/** The messages of Harmony that say what `conversation` says. */
export function harmonyMessages(conversation: Conversation, losses: LossList): readonly HarmonyMessage[] {
  noteHeader(conversation.header, ['chat_reasoning_field'], noPlaceInHarmony, losses)
  return inCallOrder(conversation.messages, losses).map((message) => harmonyMessage(message, losses))
}

/** What Harmony says for one message of a conversation. */
export function harmonyMessage(message: ConversationMessage, losses: LossList): HarmonyMessage {
  const { name, to, callId, constraint, contentType, content, ending, range } = message
  const isCall = isCallMessage(message)
  const isTool = message.role === 'tool'
  if (callId !== undefined) losses.add('call-id', localize`Harmony has no call ids`, range)
  if (content.some(({ kind }) => kind === 'literal'))
    losses.add('literal-block', localize`Harmony has no literal blocks`, range)
  if (name !== undefined && !isTool)
    losses.add('name', localize`A name makes a header that the reference cannot read`, range)
  if (roleOf(message.role) === undefined)
    losses.add('role', localize`Harmony has no role \`${message.role}\``, range)
  if (isTool && name === undefined)
    losses.add('name', localize`A reply does not say which tool it is from`, range)
  const recipient = to ?? (isTool ? 'assistant' : undefined)
  const hint = constraint === undefined && recipient !== undefined ? contentType : undefined
  if (contentType !== undefined && hint === undefined)
    losses.add('content-type', localize`The hint \`content_type=${contentType}\` has no place`, range)
  const type = constraint === undefined ? hint : spelled.constrain + word(constraint)
  const usual = message.role === 'assistant' && recipient !== undefined ? 'call' : 'end'
  if (ending !== undefined && ending !== usual && ending !== 'return')
    losses.add('terminator', localize`Harmony ends this message with \`${spelled[usual]}\``, range)
  if (isCall && ending === 'return')
    losses.add('terminator', localize`Harmony ends a call with \`${spelled.call}\``, range)
  const result: { -readonly [Key in keyof HarmonyMessage]: HarmonyMessage[Key] } = {
    role: word(message.role),
    content: textOf(message),
  }
  if (isTool) result.name = word(name ?? 'functions.unknown')
  if (recipient !== undefined) result.recipient = word(recipient)
  const channel = channelFor(message, losses)
  if (channel !== undefined) result.channel = channel
  if (type !== undefined) result.contentType = constraint === undefined ? word(type) : type
  if (ending) result.ending = ending
  return result
}

/** The channel: answers name theirs, and what is neither for users nor a call is kept from passing for a preamble. */
function channelFor(message: ConversationMessage, losses: LossList): string | undefined {
  const { role, intent, to, range } = message
  const channel = hidingChannel(message, true, losses)
  const isCommentary = role === 'assistant' && channel === 'commentary' && !isCallMessage(message)
  if (intent === preambleIntent && isCommentary && to === undefined) return 'commentary'
  if (intent !== undefined) losses.add('intent', localize`Harmony has no \`intent=${intent}\``, range)
  if (isCommentary && (intent === undefined || intent !== preambleIntent)) {
    losses.add(
      'channel',
      localize`Commentary that users do not see goes to \`analysis\`: Harmony shows commentary`,
      range,
    )
    return 'analysis'
  }
  if (channel !== undefined) return word(channel)
  return role === 'assistant' ? 'final' : undefined
}

/** Harmony pairs replies by tool and order: those of one tool that follow one another go in the order of its calls. */
function inCallOrder(
  messages: readonly ConversationMessage[],
  losses: LossList,
): readonly ConversationMessage[] {
  const places = new Map<string, number>()
  const result = [...messages]
  for (let from = 0; from < result.length; ) {
    let to = from
    while (result[to]?.role === 'tool') to++
    const first = result[from]
    if (first && isCallMessage(first) && first.callId !== undefined) places.set(first.callId, from)
    if (to - from > 1) sortReplies(result, from, to, places, losses)
    from = Math.max(to, from + 1)
  }
  return result
}

/** Sorts the replies of each tool between `from` and `to` among their own places. */
function sortReplies(
  messages: ConversationMessage[],
  from: number,
  to: number,
  callPlaces: ReadonlyMap<string, number>,
  losses: LossList,
): void {
  const replies = messages.slice(from, to)
  const order = inOrderOfCalls(
    replies.map(({ name = '', callId = '' }) => ({ tool: name, call: callPlaces.get(callId) })),
  )
  order.forEach((source, place) => {
    const reply = replies[source]
    if (!reply || source === place) return
    losses.add('order', localize`Replies are put in the order of their calls`, messages[from]?.range)
    messages[from + place] = reply
  })
}

/** A reply among those that follow one another. */
interface ReplyInRun {
  /** As written. */
  readonly tool: string
  /** Where its call stands; undefined if it has none. */
  readonly call: number | undefined
}

/** For each place among replies that follow one another, which of them goes there: those of one tool change places among themselves. */
export function inOrderOfCalls(replies: readonly ReplyInRun[]): readonly number[] {
  const order = replies.map((_, index) => index)
  const byTool = new Map<string, { readonly index: number; readonly call: number }[]>()
  for (const [index, { tool, call }] of replies.entries()) {
    if (call === undefined) continue
    const key = withoutFunctionPrefix(tool)
    const known = byTool.get(key)
    if (known) known.push({ index, call })
    else byTool.set(key, [{ index, call }])
  }
  for (const ofTool of byTool.values()) {
    const sorted = ofTool.toSorted((one, other) => one.call - other.call)
    ofTool.forEach(({ index }, place) => {
      order[index] = sorted[place]?.index ?? index
    })
  }
  return order
}

function noPlaceInHarmony(key: string): string {
  return localize`Harmony has no place for \`${key}\` of the header`
}

const unfit = /\s|<\|/

/** `text` as a word of a header: nothing in it may become structure. */
function word(text: string): string {
  if (!unfit.test(text)) return text
  return text.replace(/\s+/g, '_').replaceAll('<|', '_')
}

const structural = harmony.tokens
  .filter(({ kind }) => coreTokens.some((it) => it.kind === kind))
  .map(({ text }) => text)

/**
 * The pieces of `conversation`, message by message. As token ids they are safe whatever the bodies say.
 * A conversation that ends in a prompt keeps it.
 */
export function toHarmonyPieces(
  conversation: Conversation,
  { purpose }: HarmonyOptions,
  losses: LossList,
): readonly (readonly HarmonyPiece[])[] {
  const messages = harmonyMessages(conversation, losses)
  const { promptRole } = conversation
  const nextRole = promptRole ?? 'assistant'
  if (purpose !== undefined) {
    noteCuts(conversation.messages, losses)
    return conversationPieces(messages, { dropsAnalysis: true, purpose, nextRole })
  }
  const isPrompt = promptRole !== undefined
  const last = conversation.messages.at(-1)
  const endsSampling = last?.ending === 'return' && !isPrompt
  const pieces = conversationPieces(messages, {
    dropsAnalysis: false,
    purpose: isPrompt ? 'completion' : endsSampling ? 'training' : 'history',
    nextRole,
  })
  const closed = isPrompt ? conversation.messages : conversation.messages.slice(0, -1)
  noteReturns(closed, losses)
  noteCuts(closed, losses)
  if (!last || last.ending !== undefined || isPrompt) return pieces
  return [...pieces.slice(0, -1), (pieces.at(-1) ?? []).slice(0, -1)] // cut off, and it stays so
}

function noteReturns(messages: readonly ConversationMessage[], losses: LossList): void {
  for (const { ending, range } of messages) {
    if (ending === 'return')
      losses.add('terminator', localize`Only the last message can end with \`${spelled.return}\``, range)
  }
}

function noteCuts(messages: readonly ConversationMessage[], losses: LossList): void {
  for (const { ending, range } of messages) {
    if (ending === undefined) losses.add('truncation', localize`A message that is cut off is closed`, range)
  }
}

/**
 * The text of `conversation`.
 *
 * @throws ConversionError if a body spells a control token: in text nobody could tell it from a real one
 */
export function toHarmonyText(conversation: Conversation, options: HarmonyOptions, losses: LossList): string {
  const pieces = toHarmonyPieces(conversation, options, losses)
  for (const message of pieces) {
    for (const { isSpecial, text } of message) {
      if (isSpecial || !text.includes('<|')) continue
      const token = structural.find((it) => text.includes(it))
      if (token === undefined) continue
      const speaker = conversation.messages.find((it) => textOf(it).includes(token))
      throw new ConversionError(
        localize`A body says \`${token}\`, which Harmony text cannot hold; write token ids instead (\`ocm tokens --ids\`)`,
        speaker?.range?.start,
      )
    }
  }
  return wellFormed(pieces.map(textOfPieces).join(''), losses)
}
