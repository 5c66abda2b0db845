/** Two constraints in one header. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** A body has one type; the first one counts (D16). */
export const repeatedConstraint: SyntaxRule = {
  name: 'repeated-constraint',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'repeated-constraint',
  section: '2.2 §6, D16',
  summary: 'A message header has a second constraint',
  why: 'The grammar allows at most one constraint, and a body cannot have two types.\nThe first one is used.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|constrain|>json<|constrain|>text<|message|>{}<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|constrain|>json<|message|>{}<|return|>
  `,
  explain({ span }, { segment, view }) {
    const second = quoted(segment.text.slice(span.from, span.to))
    return {
      span,
      message: localize`${second} is a second constraint`,
      fixes: [{ title: localize`Remove ${second}`, edits: [{ span, text: '' }], isSafe: false }],
      related: view.constraint
        ? [{ segment, span: view.constraint.marker, message: localize`The first constraint` }]
        : [],
    }
  },
}
