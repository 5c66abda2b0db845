/** Between conversations and Harmony's messages (HARMONY c). */

import {
  type Conversation,
  type ConversationMessage,
  isCallMessage,
  textOf,
} from '../conversation/conversation.ts'
import { ConversionError, LossList, wellFormed } from '../conversation/loss.ts'
import { withHiddenApart } from '../conversation/message-visibility.ts'
import { noteTranscriptAttributes } from '../conversation/note-attributes.ts'
import { inCallOrder } from '../conversation/reply-order.ts'
import { spelled } from '../conversation/spelling.ts'
import { readableForm } from '../semantics/look-alikes.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { kindOf } from '../semantics/message-kind.ts'
import { localizable, localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { defaultChannel, reasoningChannel } from '../vocabulary/channels.ts'
import { harmony as dialect } from '../vocabulary/harmony-framing.ts'
import { functionPrefix, roleOf, roles } from '../vocabulary/roles.ts'
import { coreTokens } from '../vocabulary/tokens.ts'
import { noteHeaderAndKept } from './chat/note-kept.ts'
import { defineForm } from './form.ts'
import {
  conversationPieces,
  type HarmonyMessage,
  type HarmonyPiece,
  isReasoning,
  type RenderPurpose,
  textOfPieces,
  usualEnding,
  withoutSpentAnalysis,
} from './harmony/harmony-message.ts'
import { isHarmonyText } from './harmony/looks-like-harmony.ts'
import { fromHarmonyText } from './harmony/read-harmony.ts'

/** The form. */
export const harmony = defineForm({
  name: 'harmony',
  title: 'Harmony',
  summary: localizable`The raw text of gpt-oss models`,
  documentation: 'the raw text of gpt-oss models',
  language: 'openchatml',
  holds: 'text',
  hasEndings: true,
  dialect: 'harmony',
  options: ['purpose'],
  recognizedBy: { output: isHarmonyText },
  read: (text, { isStrict, role, losses }) => fromHarmonyText(text, { isStrict, role }, losses),
  write: (conversation, { purpose, losses }) => toHarmonyText(conversation, { purpose }, losses),
})

/** How Harmony text is written. Without a purpose nothing is dropped, and a last `<|return|>` stays. */
export interface HarmonyOptions {
  readonly purpose?: RenderPurpose | undefined
}

/** The messages of Harmony that say what `conversation` says. */
export function harmonyMessages(conversation: Conversation, losses: LossList): readonly HarmonyMessage[] {
  noteHeaderAndKept(conversation.header, ['chat_reasoning_field'], noPlaceInHarmony, losses)
  return inCallOrder(conversation.messages, losses).flatMap((it) => harmonyMessagesOf(it, losses))
}

/** A message as it is rendered for training. */
export interface TrainedPieces {
  readonly pieces: readonly HarmonyPiece[]
  /** The message of the conversation that it says; undefined if it is known by no other. */
  readonly source: ConversationMessage | undefined
}

/** What a model is trained on, message by message: reasoning that a later answer has spent is left out. */
export function piecesForTraining(conversation: Conversation): readonly TrainedPieces[] {
  const losses = new LossList()
  const sources = new Map<HarmonyMessage, ConversationMessage>()
  const messages = inCallOrder(conversation.messages, losses).flatMap((it) => {
    const own = harmonyMessagesOf(it, losses)
    for (const message of own) sources.set(message, it)
    return own
  })
  const kept = withoutSpentAnalysis(messages)
  const rendered = conversationPieces(kept, { dropsAnalysis: false, purpose: 'training' })
  return rendered.map((pieces, index) => ({ pieces, source: sources.get(kept[index] ?? noMessage) }))
}

const noMessage: HarmonyMessage = { role: '', content: '' }

/** What Harmony says for one message of a conversation; its private blocks are a message of their own. */
export function harmonyMessagesOf(message: ConversationMessage, losses: LossList): readonly HarmonyMessage[] {
  return withHiddenApart(message, { hasRecipients: true }, losses).map((it) => harmonyMessage(it, losses))
}

function harmonyMessage(message: ConversationMessage, losses: LossList): HarmonyMessage {
  const { name, to, callId, constraint, contentType, content, ending, range } = message
  const isCall = isCallMessage(message)
  const isUnknown = roleOf(message.role) === undefined
  const isTool = message.role === 'tool' || isUnknown
  if (callId !== undefined) losses.add('call-id', localize`Harmony has no call IDs`, range)
  if (content.some(({ kind }) => kind === 'literal'))
    losses.add('literal-block', localize`Harmony has no literal blocks`, range)
  if (name !== undefined && message.role !== 'tool')
    losses.add(
      'name',
      localize`Harmony's reference parser cannot read a message header with this name`,
      range,
    )
  noteTranscriptAttributes(message, losses)
  if (isUnknown)
    losses.add(
      'role',
      localize`Harmony has no role \`${message.role}\`; the message becomes a tool reply`,
      range,
    )
  if (message.role === 'tool' && name === undefined)
    losses.add('name', localize`A reply does not say which tool it is from`, range)
  const recipient = to ?? (isTool ? 'assistant' : undefined)
  const hint = constraint === undefined && recipient !== undefined ? contentType : undefined
  if (contentType !== undefined && hint === undefined)
    losses.add(
      'content-type',
      localize`The hint \`content_type=${contentType}\` cannot be represented`,
      range,
    )
  const type = constraint === undefined ? hint : spelled.constrain + word(constraint)
  const usual = usualEnding({ role: message.role, recipient })
  if (ending !== undefined && ending !== usual && ending !== 'return')
    losses.add('terminator', localize`Harmony ends this message with \`${spelled[usual]}\``, range)
  if (isCall && ending === 'return')
    losses.add('terminator', localize`Harmony ends a call with \`${spelled.call}\``, range)
  const result: { -readonly [Key in keyof HarmonyMessage]: HarmonyMessage[Key] } = {
    role: isTool ? 'tool' : word(message.role),
    content: textOf(message),
  }
  if (content.length > 1 && content.every(({ kind }) => kind === 'text'))
    result.pieces = content.map(({ text }) => text)
  if (isUnknown) result.name = functionPrefix + word(message.role)
  else if (isTool) result.name = toolName(name ?? 'functions.unknown', range, losses)
  if (recipient !== undefined) result.recipient = word(recipient)
  const channel = channelFor(message, losses)
  if (channel !== undefined) result.channel = channel
  if (type !== undefined) result.contentType = constraint === undefined ? word(type) : type
  if (ending) result.ending = ending
  return result
}

/** The channel: answers name theirs, and what is neither for users nor a call is kept from passing for a preamble. */
function channelFor(message: ConversationMessage, losses: LossList): string | undefined {
  const { role, channel, intent, to, range } = message
  const kind = kindOf(factsOfMessage(message))
  if (kind === 'preamble' && to === undefined) return channel
  if (intent !== undefined) losses.add('intent', localize`Harmony has no \`intent=${intent}\``, range)
  if (kind === 'hidden-commentary') {
    losses.add(
      'channel',
      localize`Hidden commentary is moved to \`analysis\`, because Harmony shows commentary`,
      range,
    )
    return reasoningChannel
  }
  if (channel !== undefined) return word(channel)
  return role === 'assistant' ? defaultChannel : undefined
}

function noPlaceInHarmony(key: string): string {
  return localize`Harmony cannot represent \`${key}\` of the YAML header`
}

/** A name as Harmony writes it, in the place of the role: one that reads as another role would speak with its authority. */
function toolName(name: string, range: Range | undefined, losses: LossList): string {
  const written = word(name)
  const [speaker = ''] = written.split(':', 1)
  if (!authorities.has(readableForm(speaker))) return written
  const changed = functionPrefix + written
  losses.add(
    'name',
    localize`The tool \`${name}\` becomes \`${changed}\`: Harmony reads that name as a role`,
    range,
  )
  return changed
}

const authorities: ReadonlySet<string> = new Set(
  roles.map(({ name }) => name).filter((name) => name !== 'tool'),
)

const unfit = /\s|<\|/

/** `text` as a word of a header: nothing in it may become structure. */
function word(text: string): string {
  if (!unfit.test(text)) return text
  return text.replace(/\s+/g, '_').replaceAll('<|', '_')
}

const structural = dialect.tokens
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
    // A model learns from reasoning; in a prompt, it is left out on purpose.
    if (purpose === 'training' && withoutSpentAnalysis(messages).length < messages.length)
      losses.add(
        'reasoning',
        localize`Reasoning before the first answer is left out, as the reference implementation of Harmony does`,
        conversation.messages.find(isReasoning)?.range,
      )
    return conversationPieces(messages, { dropsAnalysis: true, purpose, nextRole })
  }
  const isPrompt = promptRole !== undefined
  const last = conversation.messages.at(-1)
  const pieces = conversationPieces(messages, {
    dropsAnalysis: false,
    purpose: isPrompt ? 'completion' : 'history',
    nextRole,
  })
  const closed = isPrompt ? conversation.messages : conversation.messages.slice(0, -1)
  noteReturns(closed, losses)
  noteCuts(closed, losses)
  if (!last || isPrompt) return pieces
  const endsSampling = last.ending === 'return' && !isCallMessage(last)
  if (last.ending !== undefined && !endsSampling) return pieces
  const unended = (pieces.at(-1) ?? []).slice(0, -1) // what is cut off stays so
  return [...pieces.slice(0, -1), endsSampling ? [...unended, returnPiece] : unended]
}

const returnPiece: HarmonyPiece = { isSpecial: true, text: spelled.return }

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
 * @throws ConversionError if a body spells a control token: in text, it could not be distinguished from a real one
 */
function toHarmonyText(conversation: Conversation, options: HarmonyOptions, losses: LossList): string {
  const pieces = toHarmonyPieces(conversation, options, losses)
  for (const message of pieces) {
    for (const { isSpecial, text } of message) {
      if (isSpecial || !text.includes('<|')) continue
      const token = structural.find((it) => text.includes(it))
      if (token === undefined) continue
      const speaker = conversation.messages.find((it) => textOf(it).includes(token))
      throw new ConversionError(
        localize`A body contains \`${token}\`, which Harmony text cannot represent; write token IDs instead (\`ocm tokens --ids\`)`,
        speaker?.range?.start,
      )
    }
  }
  return wellFormed(pieces.map(textOfPieces).join(''), losses)
}
