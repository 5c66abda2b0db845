/** Markers of private thought where a user would see them. */

import { hiddenReason } from '../../semantics/visibility.ts'
import { renderedPieces } from '../../syntax/body.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { isTruncated } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** Thought belongs in analysis (2.2 §7, D15). */
export const visibleThought: MessageRule = {
  name: 'visible-thought',
  code: 'E-PERM-VISIBILITY',
  severity: 'error',
  scope: 'message',
  section: '2.2 §7, §11, D15',
  summary: 'A marker of hidden reasoning appears in text that users see',
  why: 'The markers belong on `analysis` only; other renderers do not know them and show the reasoning.\nThe block is removed from the text that users see.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|><|start_reason|>Two and two.<|end_reason|>4.<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>4.<|return|>
  `,
  concerns(facts, { hasTurns }) {
    return facts.hasThoughts && !hasTurns && !isTruncated(facts)
  },
  check(context) {
    const { facts, segment } = context
    const reason = hiddenReason(facts)
    if (reason !== undefined && reason !== 'private-blocks') return undefined
    return thoughtsIn(segment)
  },
}

function* thoughtsIn(segment: Segment): IterableIterator<Finding> {
  for (const { kind, span, text } of renderedPieces(segment)) {
    if (kind !== 'thought') continue
    const block = { from: span.from, to: span.from + text.length }
    const isVerbatim = segment.text.startsWith(text, span.from)
    const marker = quoted(segment.text.slice(span.from, span.to))
    const edits = [{ span: block, text: '' }]
    yield {
      span,
      message: localize`${marker} is in text that users see; reasoning belongs on \`analysis\``,
      fixes: isVerbatim ? [{ title: localize`Remove the private block`, edits, isSafe: false }] : [],
    }
  }
}
