/** Token ids and counts of a conversation as gpt-oss models see it: Harmony text in the vocabulary `o200k_harmony`. */
import { type Conversation, textOf } from '../conversation/conversation.ts'
import { type Loss, LossList, wellFormed } from '../conversation/loss.ts'
import { spelled } from '../conversation/spelling.ts'
import type { HarmonyPiece, RenderPurpose } from '../forms/harmony/harmony-message.ts'
import { toHarmonyPieces } from '../forms/harmony.ts'
import type { Reading } from './convert.ts'

/** Encodes ordinary text. */
export interface TextEncoding {
  /** The ids of `text`; what spells a special token is ordinary text. */
  encode(text: string): readonly number[]
  /** How many ids that are, if there is a faster way to know. */
  count?(text: string): number
}

/** The ids of the special tokens that messages have (HARMONY a.1). */
export const specialTokenIds: ReadonlyMap<string, number> = new Map([
  [spelled.return, 200002],
  [spelled.constrain, 200003],
  [spelled.channel, 200005],
  [spelled.start, 200006],
  [spelled.end, 200007],
  [spelled.message, 200008],
  [spelled.call, 200012],
])

/** The tokens of one message. */
export interface MessageTokens {
  readonly role: string
  readonly channel: string | undefined
  /** Header, body and terminator. */
  readonly count: number
  /** The body alone. */
  readonly bodyCount: number
}

/** The tokens of a conversation. */
export interface TokenCounts {
  readonly total: number
  readonly messages: readonly MessageTokens[]
  readonly byRole: Readonly<Record<string, number>>
  readonly byChannel: Readonly<Record<string, number>>
}

/** The counts of `conversation`; a prompt for the next message counts in the total only. */
export function countTokens(
  conversation: Conversation,
  encoding: TextEncoding,
  purpose?: RenderPurpose,
): TokenCounts {
  const losses = new LossList() // that Harmony does not have everything changes no count
  const pieces = toHarmonyPieces(conversation, { purpose }, losses)
  const byRole: Record<string, number> = Object.create(null)
  const byChannel: Record<string, number> = Object.create(null)
  const messages: MessageTokens[] = []
  let total = 0
  for (const message of pieces) {
    const { count, bodyCount, header } = countOf(message, encoding)
    total += count
    if (!message.some((it) => it.isSpecial && it.text === spelled.message)) continue
    const role = roleOf(header)
    const channel = channelOf(message)
    messages.push({ role, channel, count, bodyCount })
    byRole[role] = (byRole[role] ?? 0) + count
    const key = channel ?? 'none'
    byChannel[key] = (byChannel[key] ?? 0) + count
  }
  return { total, messages, byRole, byChannel }
}

function countOf(
  pieces: readonly HarmonyPiece[],
  encoding: TextEncoding,
): { readonly count: number; readonly bodyCount: number; readonly header: string } {
  let count = 0
  let bodyCount = 0
  let isBody = false
  let header = ''
  for (const { isSpecial, text } of pieces) {
    if (isSpecial) {
      count++
      if (text === spelled.message) isBody = true
      continue
    }
    const own = text === '' ? 0 : (encoding.count?.(text) ?? encoding.encode(text).length)
    count += own
    if (isBody) bodyCount += own
    else header ||= text
  }
  return { count, bodyCount, header }
}

function roleOf(header: string): string {
  const word = /^[^\s:]*/.exec(header)?.[0] ?? ''
  return ['system', 'developer', 'user', 'assistant'].includes(word) ? word : 'tool'
}

function channelOf(pieces: readonly HarmonyPiece[]): string | undefined {
  const at = pieces.findIndex((it) => it.isSpecial && it.text === spelled.channel)
  return at === -1 ? undefined : pieces[at + 1]?.text
}

/** What has no tokens in the bodies of what was read: half a character counts as U+FFFD. */
export function uncountedText({ conversation, places }: Reading<string>): readonly Loss[] {
  const losses = new LossList(places)
  for (const message of conversation.messages) wellFormed(textOf(message), losses)
  return losses.all
}

/** The ids of `conversation`. */
export function tokenIds(
  conversation: Conversation,
  encoding: TextEncoding,
  purpose?: RenderPurpose,
): readonly number[] {
  return idsOfPieces(toHarmonyPieces(conversation, { purpose }, new LossList()).flat(), encoding)
}

/** The ids of `pieces`: special tokens are one each, every text is encoded on its own, as the reference does. */
export function idsOfPieces(pieces: readonly HarmonyPiece[], encoding: TextEncoding): readonly number[] {
  const ids: number[] = []
  for (const { isSpecial, text } of pieces) {
    const special = isSpecial ? specialTokenIds.get(text) : undefined
    if (special !== undefined) ids.push(special)
    else if (text !== '') for (const id of encoding.encode(text)) ids.push(id)
  }
  return ids
}
