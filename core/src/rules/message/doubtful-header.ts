/** A value in a message header that contains part of a token. */
import { headerDoubt } from '../../semantics/header-doubt.ts'
import { localize } from '../../text/localize.ts'
import { doubtFixes } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import { removal } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** What a misspelled token was meant to be is unknown, so the message is hidden (D16). */
export const doubtfulHeader: MessageRule = {
  name: 'doubtful-header',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'message',
  section: '2.2 §6, D16',
  summary: 'A value in a message header contains part of a token',
  why: 'A misspelled `<|channel|>` becomes part of the value before it, and the message is no longer on the channel that its author meant.\nUsers do not see such a message, because it may be private.',
  bad: example`
    version: 2.2
    <|start|>assistant name=Ann<|chanel|>analysis<|message|>We must refuse.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant name=Ann<|channel|>analysis<|message|>We must refuse.<|end|>
  `,
  concerns(facts) {
    return facts.isDoubtful
  },
  check({ segment, view }) {
    const doubt = headerDoubt(segment, view)
    if (!doubt || view.isCut) return undefined
    const { span } = doubt
    const word = segment.text.slice(span.from, span.to)
    if (!view.attributes.some(({ value }) => value && isWithin(span, value.span)) || !word.includes('|'))
      return undefined // the rule for the word reports it
    const title = localize`Remove ${quoted(word)}`
    return {
      span,
      message: localize`${quoted(word)} looks like a misspelled token; the message is hidden`,
      fixes: [...doubtFixes(segment, view, span), { title, edits: [removal(segment, span)], isSafe: false }],
    }
  },
}

function isWithin(inner: { from: number; to: number }, outer: { from: number; to: number }): boolean {
  return outer.from <= inner.from && inner.to <= outer.to
}
