/**
 * What a model would be sent next (2.2 §7, §12.7; HARMONY a.7), message by message, and which reasoning is left out. What is
 * left out is decided where conversions decide it; here it is reported for the places of a transcript.
 */

import { LossList } from '../conversation/loss.ts'
import { messagesIn, promptRoleOf } from '../conversation/read-transcript.ts'
import { inOrderOfCalls } from '../conversation/reply-order.ts'
import { spelled } from '../conversation/spelling.ts'
import type { Located } from '../document/segment-list.ts'
import {
  answerThatSpends,
  type HarmonyMessage,
  type HarmonyPiece,
  isReasoning,
  type MessageHead,
  messagePieces,
} from '../forms/harmony/harmony-message.ts'
import { asRead } from '../forms/harmony/read-harmony.ts'
import { harmonyMessagesOf } from '../forms/harmony.ts'
import type { Analysis } from '../semantics/analysis.ts'
import type { DocumentSettings } from '../semantics/document-settings.ts'
import { factsOf, isCall, toolNameOf } from '../semantics/message-facts.ts'
import type { Segment } from '../syntax/segment.ts'

export type { HarmonyPiece } from '../forms/harmony/harmony-message.ts'

/**
 * What becomes of a message: `sent`; `dropped`, for reasoning that an answer has spent; `unresolved`, for reasoning that is sent
 * because the assistant's last message is not an answer; `behind-answer`, for reasoning that is sent because only what is before
 * the first answer is dropped.
 */
export type PromptFate = 'sent' | 'dropped' | 'unresolved' | 'behind-answer'

/** A message as the model gets it, or would have got it. */
export interface PromptMessage {
  readonly fate: PromptFate
  /** The role, or the name of a tool. */
  readonly author: string
  readonly channel?: string
  readonly recipient?: string
  /** What the body is said or constrained to be: `json`. */
  readonly contentType?: string
  /** For a reply that is sent in another place: the id of the call whose reply is there. Replies of one tool go in the order of its calls. */
  readonly insteadOf?: string
  /** The body, without escapes and marks of literal blocks. */
  readonly content: string
  /** All of it, as it is made into tokens. */
  readonly pieces: readonly HarmonyPiece[]
}

/** The prompt for the next message of a transcript; another one is needed as soon as the transcript changes. */
export class NextPrompt {
  readonly #analysis: Analysis
  #answer: Head | undefined
  #isDecided = false
  /** Of every reply that was asked for, and of those around it. */
  readonly #moves = new Map<Segment, string | undefined>()

  constructor(analysis: Analysis) {
    this.#analysis = analysis
  }

  /** What one segment puts into the prompt, or would have put: usually one message. */
  messagesOf(located: Located): readonly PromptMessage[] {
    const messages = harmonyIn(this.#analysis, located)
    const heads = headsOf(this.#analysis, located, messages)
    const insteadOf = isReplies(heads) ? this.#moveOf(located) : undefined
    return messages.map((message, index) => {
      const head = heads[index]
      const { role, name, channel, recipient, contentType, content } = message
      return {
        fate: head ? this.#fateOf(head, located) : 'sent',
        author: role === 'tool' ? (name ?? role) : role,
        ...(channel !== undefined && { channel }),
        ...(recipient !== undefined && { recipient }),
        ...(contentType !== undefined && { contentType: contentType.replace(spelled.constrain, '') }),
        ...(insteadOf !== undefined && { insteadOf }),
        content,
        pieces: messagePieces(message),
      }
    })
  }

  /** What becomes of the messages of a segment, without reading them again. */
  fatesOf(located: Located): readonly PromptFate[] {
    return headsOf(this.#analysis, located).map((head) => this.#fateOf(head, located))
  }

  /** With what the next message begins. */
  get start(): readonly HarmonyPiece[] {
    const { lastSegment } = this.#analysis
    const role = promptRoleOf(lastSegment, this.#analysis) ?? 'assistant'
    return [
      { isSpecial: true, text: spelled.start },
      { isSpecial: false, text: role },
    ]
  }

  #fateOf(head: Head, { start }: Located): PromptFate {
    if (!isReasoning(head)) return 'sent'
    const answer = this.#answerThatSpends()
    if (!answer) return 'unresolved'
    const answerStart = this.#analysis.transcript.locate(answer.segment)?.start ?? 0
    const isBefore = start < answerStart || (start === answerStart && head.index < answer.index)
    return isBefore ? 'dropped' : 'behind-answer'
  }

  #moveOf({ segment, index }: Located): string | undefined {
    if (!this.#moves.has(segment)) this.#orderRun(index)
    return this.#moves.get(segment)
  }

  /** Finds out where the replies around that of the segment at `index` are sent. */
  #orderRun(index: number): void {
    const { transcript } = this.#analysis
    const run: Segment[] = []
    const isAdded = (at: number) => {
      const located = transcript.segment(at)
      const heads = headsOf(this.#analysis, located)
      if (isReplies(heads)) run.push(located.segment)
      return heads.length === 0 || isReplies(heads)
    }
    let first = index
    while (0 < first && isAdded(first - 1)) first--
    run.reverse()
    for (let at = index; at < transcript.segmentCount && isAdded(at); at++);
    const calls = new Map<string, number | undefined>()
    const replies = run.map((segment) => {
      const facts = factsOf(segment)
      const { callId } = facts ?? {}
      if (callId !== undefined && !calls.has(callId)) calls.set(callId, this.#callBefore(first, callId))
      const call = callId === undefined ? undefined : calls.get(callId)
      return { tool: (facts && toolNameOf(facts)) ?? '', callId, call }
    })
    for (const segment of run) this.#moves.set(segment, undefined)
    inOrderOfCalls(replies).forEach((source, place) => {
      const segment = run[source]
      if (segment && source !== place) this.#moves.set(segment, replies[place]?.callId)
    })
  }

  /** Index of the last call with this id before the segment at `index`. */
  #callBefore(index: number, callId: string): number | undefined {
    const { exchanges, transcript } = this.#analysis
    const segments = exchanges.withId(callId)
    for (let at = segments.length - 1; 0 <= at; at--) {
      const segment = segments[at]
      const facts = segment && factsOf(segment)
      if (!facts || !isCall(facts)) continue
      const call = transcript.locate(segment)?.index
      if (call !== undefined && call < index) return call
    }
    return undefined
  }

  #answerThatSpends(): Head | undefined {
    if (!this.#isDecided) {
      this.#isDecided = true
      this.#answer = answerThatSpends(this.#fromEnd(), this.#fromStart())
    }
    return this.#answer
  }

  *#fromStart(): IterableIterator<Head> {
    for (const located of this.#analysis.transcript.segments()) yield* headsOf(this.#analysis, located)
  }

  *#fromEnd(): IterableIterator<Head> {
    const { transcript } = this.#analysis
    let offset = transcript.length
    for (;;) {
      const located = transcript.segmentAt(Math.max(0, offset - 1))
      yield* headsOf(this.#analysis, located).toReversed()
      if (located.start === 0) return
      offset = located.start
    }
  }
}

/** What decides of a message, and its place. */
interface Head extends MessageHead {
  readonly segment: Segment
  /** Among the messages of its segment. */
  readonly index: number
}

/** True for what a tool says, and nothing else. */
function isReplies(heads: readonly Head[]): boolean {
  return heads.length > 0 && heads.every(({ role }) => role === 'tool')
}

interface KnownHeads {
  readonly settings: DocumentSettings
  readonly isLast: boolean
  readonly heads: readonly Head[]
}

const known = new WeakMap<Segment, KnownHeads>()

/** The heads of the messages of a segment. They depend on its text, on the settings of the document, and on being the last. */
function headsOf(
  analysis: Analysis,
  located: Located,
  messages?: readonly HarmonyMessage[],
): readonly Head[] {
  const { segment } = located
  const { settings } = analysis
  const isLast = segment === analysis.lastSegment
  const before = known.get(segment)
  if (before && before.settings === settings && before.isLast === isLast) return before.heads
  const heads = (messages ?? harmonyIn(analysis, located)).map(({ role, channel }, index) => ({
    role,
    ...(channel !== undefined && { channel }),
    segment,
    index,
  }))
  known.set(segment, { settings, isLast, heads })
  return heads
}

function harmonyIn(analysis: Analysis, { segment, start }: Located): readonly HarmonyMessage[] {
  const losses = new LossList() // what Harmony cannot say is reported by conversions
  const messages = messagesIn(segment, start, analysis, losses)
  const read = analysis.dialect === 'harmony' ? messages.map(asRead) : messages
  return read.flatMap((message) => harmonyMessagesOf(message, losses))
}
