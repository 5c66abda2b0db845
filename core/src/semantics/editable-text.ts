/** The text of a message where it is nothing but text, so that it can be edited without its source. */
import { renderedBody, renderedPieces } from '../syntax/body.ts'
import { bodySpan } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { factsOf } from './message-facts.ts'
import { isVisible, visiblePieces } from './visibility.ts'

/**
 * The body of a message, with its escapes resolved; undefined if it has more than text (literal blocks, private blocks), or no
 * body.
 */
export function editableText(segment: Segment): string | undefined {
  const facts = factsOf(segment)
  if (!facts?.isMessage || !bodySpan(segment)) return undefined
  // In a message that users see, what is private depends on who speaks.
  const pieces = isVisible(facts) ? visiblePieces(segment) : renderedPieces(segment)
  if (!pieces.every(({ kind }) => kind === 'text')) return undefined
  const text = pieces.map((it) => it.text).join('')
  return facts.isPlainBody || text === renderedBody(segment) ? text : undefined
}
