/** Messages of problems for readers who are not to see hidden text. */

import type { Transcript } from '../document/transcript.ts'
import type { Problem } from '../rules/problem.ts'
import { ruleNamed } from '../rules/rule-registry.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import { messageView } from '../syntax/message-view.ts'

/**
 * True unless a problem of `transcript` is in the header of a message or in a message that users see: it may quote hidden words.
 * Text after the end of a message belongs to no message, so it is hidden.
 */
export function mayQuoteHidden(
  { rule, range }: Pick<Problem, 'rule' | 'range'>,
  transcript: Transcript,
): boolean {
  const scope = ruleNamed(rule)?.scope
  if (scope === 'sample' || scope === 'branches' || range.start > transcript.length) return true
  const { segment, start } = transcript.segmentAt(range.start)
  const facts = segment.kind === 'message' ? factsOf(segment) : undefined
  if (!facts) return true // the YAML header, or a text without messages
  const { body, end } = messageView(segment)
  if (range.end - start > end) return true
  return !isVisible(facts) && body !== undefined && range.end - start > body.from
}

/** `text`, a message or a title, with `…` for the words that it quotes. */
export function withoutQuotedWords(text: string): string {
  return text.replace(/`[^`]*`/g, '`…`')
}
