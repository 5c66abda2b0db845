/** The shape of facts: what they are apart from the words in them. A large document has a handful of shapes. */
import { isToolRecipient } from '../vocabulary/attributes.ts'
import type { FactsRecord, MessageFacts } from './facts-record.ts'
import { isVisible } from './visibility.ts'

/**
 * Facts of the same shape have the same role, channel, terminator and flags, and words in the same places; calls are
 * calls in all of them, and users see all of them or none.
 */
export function shapeOf(facts: MessageFacts): number {
  let shape = (facts as FactsRecord).flags
  shape |= facts.terminator << 13
  shape |= places[facts.role ?? 'none'] << 18
  shape |= places[facts.channel ?? 'none'] << 21
  if (facts.to !== undefined) shape |= isToolRecipient(facts.to) ? 3 << 23 : 1 << 23
  if (facts.callId !== undefined) shape |= 1 << 25
  if (facts.name !== undefined) shape |= 1 << 26
  if (facts.intent !== undefined) shape |= 1 << 27
  if (facts.contentType !== undefined) shape |= 1 << 28
  if (facts.constraint !== undefined) shape |= 1 << 29
  if (isVisible(facts)) shape |= 1 << 30
  return shape
}

const places = {
  none: 0,
  system: 1,
  developer: 2,
  user: 3,
  assistant: 4,
  tool: 5,
  analysis: 1,
  commentary: 2,
  final: 3,
} as const
