/** What an end user sees of a transcript, as data. Nothing hidden can be in it: it is made of visible pieces only (D15). */

import type { Located } from '../document/segment-list.ts'
import { jsonBody } from '../embedded/json-body.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { editableText } from '../semantics/editable-text.ts'
import type { ConflictSide, SegmentConflicts } from '../semantics/merge-conflicts.ts'
import type { ContentPart } from '../semantics/message.ts'
import { factsOf, type MessageFacts } from '../semantics/message-facts.ts'
import { isShownAsPreamble } from '../semantics/message-kind.ts'
import { isVisible, visiblePieces } from '../semantics/visibility.ts'
import type { Segment } from '../syntax/segment.ts'
import { preambleIntent } from '../vocabulary/attributes.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { type ConflictStretch, visibleSides } from './conflict-sides.ts'

/** A piece of a visible message: Markdown, or the verbatim content of a literal block. */
export interface VisiblePart {
  readonly kind: 'markdown' | 'literal'
  readonly text: string
}

/** Part of a message with merge conflicts: from one side of a conflict, or what both have. */
export interface MessageSide {
  readonly side?: ConflictSide
  /** Absent for a side that can't be read without the other one. */
  readonly parts?: readonly VisiblePart[]
  /** Its first line in the message, zero-based. */
  readonly line: number
}

/** A message that an end user may see. */
export interface VisibleMessage {
  /** Stable while the message is unchanged, whatever is edited elsewhere; unique in the session. */
  readonly key: string
  readonly role: 'user' | 'assistant'
  /** Display alias. */
  readonly name?: string
  /** Set on commentary that its intent makes visible. */
  readonly intent?: 'preamble'
  /** Set for JSON: its header says so, or it is an answer that is one JSON object or array. */
  readonly isJson?: true
  /** Escapes resolved, private blocks cut out. */
  readonly parts: readonly VisiblePart[]
  /** The same by the sides of merge conflicts, without their markers; absent without conflicts, or if they were not asked for. */
  readonly sides?: readonly MessageSide[]
  /** Set if the text can be edited in its source only: the body has more than text. */
  readonly isSourceOnly?: true
  /** True if the message has no terminator: it is still streaming, or was cut off. */
  readonly truncated: boolean
  /** UTF-16 offset of the message in the document. */
  readonly offset: number
}

/** The visible messages in document order, made one by one. */
export function* visibleMessages(
  analysis: Pick<Analysis, 'transcript' | 'lastSegment'>,
): IterableIterator<VisibleMessage> {
  for (const located of analysis.transcript.segments()) {
    const message = visibleMessageOf(analysis, located)
    if (message) yield message
  }
}

/**
 * The message of one segment as an end user sees it, or undefined if it is hidden or no message.
 *
 * @param conflicts the merge conflicts that reach into the segment, to get their sides apart
 */
export function visibleMessageOf(
  analysis: Pick<Analysis, 'lastSegment'>,
  { segment, start }: Located,
  conflicts?: SegmentConflicts,
): VisibleMessage | undefined {
  const facts = shownFacts(analysis, segment)
  const message = facts && visibleMessage(segment, facts, start)
  const sides = message && conflicts && visibleSides(segment, conflicts)
  if (!sides) return message
  return { ...message, sides: sides.map(messageSide) }
}

/** A stretch of a message as a side of it. */
export function messageSide({ parts, ...rest }: ConflictStretch): MessageSide {
  return { ...rest, ...(parts && { parts: parts.map(visiblePart) }) }
}

/** The texts that an end user sees, in document order. */
export function visibleTexts(analysis: Pick<Analysis, 'transcript' | 'lastSegment'>): readonly string[] {
  const texts: string[] = []
  for (const { segment } of analysis.transcript.segments()) {
    if (shownFacts(analysis, segment)) texts.push(joinedText(visiblePieces(segment)))
  }
  return texts
}

/** The facts of a message that an end user sees something of; undefined for all other segments. */
function shownFacts(
  { lastSegment }: Pick<Analysis, 'lastSegment'>,
  segment: Segment,
): ShownFacts | undefined {
  const facts = factsOf(segment)
  if (!facts || !isVisible(facts) || (facts.isPrompt && segment === lastSegment)) return undefined
  return isOfSpeaker(facts) ? facts : undefined
}

type ShownFacts = MessageFacts & Pick<VisibleMessage, 'role'>

function isOfSpeaker(facts: MessageFacts): facts is ShownFacts {
  return facts.role === 'user' || facts.role === 'assistant'
}

function joinedText(parts: readonly Pick<ContentPart, 'text'>[]): string {
  return parts.map(({ text }) => text).join('')
}

function visibleMessage(segment: Segment, facts: ShownFacts, offset: number): VisibleMessage {
  const { role, name } = facts
  const parts = visiblePieces(segment).map(visiblePart)
  return {
    key: keyOf(segment),
    role,
    ...(name !== undefined && { name }),
    ...(isShownAsPreamble(facts) && { intent: preambleIntent }),
    ...(isJson(facts, parts) && { isJson: true }),
    parts,
    ...(editableText(segment) === undefined && { isSourceOnly: true }),
    truncated: facts.terminator === ControlKind.none,
    offset,
  }
}

function visiblePart({ kind, text }: ContentPart): VisiblePart {
  return { kind: kind === 'literal' ? 'literal' : 'markdown', text }
}

/** Longer answers are taken for text if their header does not say what they are, in UTF-16 code units. */
const longestJson = 100_000 // what the page formats at most

function isJson(facts: MessageFacts, parts: readonly VisiblePart[]): boolean {
  const type = facts.constraint ?? facts.contentType
  if (type !== undefined || facts.role !== 'assistant') return type === 'json'
  let length = 0
  for (const { text } of parts) length += text.length
  if (length > longestJson) return false
  const text = joinedText(parts).trim()
  const isBracketed = /^(?:\{.*\}|\[.*\])$/s.test(text)
  return isBracketed && jsonBody(text).ok
}

const keys = new WeakMap<Segment, string>()
let lastKey = 0

/** A segment that survives an edit is the same object, so its key survives too. */
function keyOf(segment: Segment): string {
  const known = keys.get(segment)
  if (known) return known
  lastKey++
  const key = `m${lastKey}`
  keys.set(segment, key)
  return key
}
