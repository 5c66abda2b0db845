/** Reads the raw text of gpt-oss models, whole or after a prompt, as a conversation (HARMONY b, c). */

import {
  type Conversation,
  type ConversationMessage,
  type MessageUnderWay,
  textContent,
} from '../../conversation/conversation.ts'
import { ConversionError, LossList } from '../../conversation/loss.ts'
import { readTranscript } from '../../conversation/read-transcript.ts'
import { spelled } from '../../conversation/spelling.ts'
import { Transcript } from '../../document/transcript.ts'
import type { JsonObject } from '../../embedded/yaml-header.ts'
import { promptBefore } from '../../rules/tokenless-output.ts'
import { factsOfMessage } from '../../semantics/message.ts'
import { kindOf } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { preambleIntent } from '../../vocabulary/attributes.ts'
import { harmony } from '../../vocabulary/harmony-framing.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import type { HarmonyMessage } from './harmony-message.ts'
import { parseHarmony } from './harmony-parser.ts'

/** The header of a transcript that comes from Harmony. */
export const harmonyHeader: JsonObject = { version: 2.2, profiles: { harmony: { enabled: true } } }

/** How Harmony text is read. */
export interface HarmonyReadOptions {
  /** True to refuse text that the reference would refuse. */
  readonly isStrict: boolean
  /** Who speaks first in a completion, whose prompt is not part of the text. */
  readonly role: string
}

/**
 * Reads Harmony text by the rules of the reference; text that does not begin with a message is what a model added to a prompt. Text
 * that the reference would refuse is read as far as it makes sense, and the reason is noted, unless `isStrict`.
 *
 * @throws ConversionError if `isStrict` and the reference would refuse the text
 */
export function fromHarmonyText(
  text: string,
  { isStrict, role }: HarmonyReadOptions,
  losses: LossList,
): Conversation {
  const trimmed = text.trimEnd()
  const isClosed = [spelled.end, spelled.call, spelled.return].some((it) => trimmed.endsWith(it))
  const prompt = isClosed ? undefined : promptAtEnd.exec(trimmed)
  const end = prompt?.index ?? (isClosed && !isStrict ? trimmed.length : text.length) // files end in a line break
  const said = text.slice(0, end)
  const lead = leadOf(said, role)
  const whole = lead + said
  const promptRole = prompt?.[1]
  const inText = (offset: number) => Math.max(0, offset - lead.length)
  const placedInText = ({ start, end }: Range): Range => ({ start: inText(start), end: inText(end) })
  let messages: readonly ConversationMessage[]
  try {
    messages = parseHarmony(whole, { isStrict }).map(conversationMessage)
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    const at = inText(error.offset ?? 0)
    if (isStrict) throw new ConversionError(error.message, at)
    losses.add('malformed-header', localize`Harmony's reference parser rejects this text: ${error.message}`, {
      start: at,
      end: at,
    })
    const inner = new LossList()
    messages = readTranscript(Transcript.parse(whole, { dialect: 'harmony' }), inner).messages.map(asRead)
    for (const { kind, message, range } of inner.all) losses.add(kind, message, range && placedInText(range))
  }
  return {
    header: harmonyHeader,
    messages:
      lead === ''
        ? messages
        : messages.map((it) => (it.range ? { ...it, range: placedInText(it.range) } : it)),
    ...(promptRole !== undefined && { promptRole }),
  }
}

/** What the prompt before `text` ended with; nothing if `text` begins with a message, or is empty. */
function leadOf(text: string, role: string): string {
  const begin = text.search(/[^\s\ufeff]/)
  if (begin === -1 || text.startsWith(spelled.start, begin)) return ''
  const first = firstToken(text)
  return promptBefore(text.slice(begin, first?.end), harmony, role)
}

function firstToken(text: string): { readonly end: number } | undefined {
  const { matcher } = harmony
  for (let at = text.indexOf('<|'); at !== -1; at = text.indexOf('<|', at + 2)) {
    const { kind, length } = matcher.tokenAtOpening(text, at)
    if (kind !== ControlKind.none) return { end: at + length }
  }
  return undefined
}

const promptAtEnd = /<\|start\|>(system|developer|user|assistant|tool)\s*$/

/** A message of Harmony as one of a conversation. */
export function conversationMessage(
  message: HarmonyMessage & { readonly range?: ConversationMessage['range'] },
): ConversationMessage {
  const { role, name, recipient, channel, contentType, content, pieces = [content], ending, range } = message
  const isConstraint = contentType?.startsWith(spelled.constrain)
  const lost = recipient?.startsWith(spelled.constrain) ? recipient : undefined // (P14)
  const constraint = (isConstraint ? contentType : lost)?.slice(spelled.constrain.length).trim()
  const result: MessageUnderWay = { role, content: pieces.flatMap(textContent) }
  if (name) result.name = name
  if (channel !== undefined) result.channel = channel
  if (recipient && lost === undefined) result.to = recipient
  if (contentType && !isConstraint) result.contentType = contentType
  if (constraint) result.constraint = constraint
  if (ending) result.ending = ending
  if (range) result.range = range
  return asRead(result)
}

/** Commentary of the assistant without a recipient is a preamble (D21): how Harmony's own text is read. */
export function asRead(message: ConversationMessage): ConversationMessage {
  const isPreamble = kindOf(factsOfMessage(message)) === 'hidden-commentary' && !message.intent
  return isPreamble ? { ...message, intent: preambleIntent } : message
}
