/**
 * What has to be counted of one message of a transcript: its special tokens, and the texts between them. The sum over a
 * transcript is what {@link countTokens} says of the whole, so that an edit changes the counts of few messages.
 */

import type { ConversationMessage } from '../conversation/conversation.ts'
import { LossList } from '../conversation/loss.ts'
import { messagesIn, promptRoleOf } from '../conversation/read-transcript.ts'
import { spelled } from '../conversation/spelling.ts'
import { toHarmonyPieces } from '../forms/harmony.ts'
import type { Analysis } from '../semantics/analysis.ts'
import type { Segment } from '../syntax/segment.ts'

/** The parts of a message, as gpt-oss models see it. */
export interface TokenParts {
  /** Special tokens, one each. */
  readonly specials: number
  /** Texts of the header, which are encoded one by one. */
  readonly header: readonly string[]
  /** Texts of the body, as above. */
  readonly body: readonly string[]
}

const nothing: TokenParts = { specials: 0, header: [], body: [] }

/**
 * The parts of what `segment` says; `isOpenEnd` if it is the {@link openEnd}. Linear in its text, and the same as long as
 * the text, the settings of the header and `isOpenEnd` are.
 */
export function tokenParts(
  analysis: Analysis,
  segment: Segment,
  { isOpenEnd }: { readonly isOpenEnd: boolean },
): TokenParts {
  const losses = new LossList() // that Harmony does not have everything changes no count
  const promptRole = promptRoleOf(segment, analysis)
  const found = messagesIn(segment, 0, analysis, losses)
  if (found.length === 0 && promptRole === undefined) return nothing
  const messages = isOpenEnd ? found : found.map(closed)
  let specials = 0
  const header: string[] = []
  const body: string[] = []
  const conversation = { messages, ...(promptRole !== undefined && { promptRole }) }
  for (const pieces of toHarmonyPieces(conversation, {}, losses)) {
    let target = header
    for (const { isSpecial, text } of pieces) {
      if (isSpecial) specials++
      else if (text !== '') target.push(text)
      if (isSpecial && text === spelled.message) target = body
    }
  }
  return { specials, header, body }
}

/** Elsewhere than at the end, what follows closes a message that is cut off. */
function closed(message: ConversationMessage): ConversationMessage {
  return message.ending === undefined ? { ...message, ending: 'end' } : message
}

/** The last segment that says anything: only it may be cut off. Undefined if none does. */
export function openEnd(analysis: Analysis): Segment | undefined {
  const { transcript } = analysis
  for (let index = transcript.segmentCount - 1; index >= 0; index--) {
    const { segment } = transcript.segment(index)
    if (promptRoleOf(segment, analysis) !== undefined) return segment
    if (messagesIn(segment, 0, analysis, new LossList()).length > 0) return segment
  }
  return undefined
}
