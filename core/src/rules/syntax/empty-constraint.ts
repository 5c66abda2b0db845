/** A constraint without a type. */

import { jsonBody } from '../../embedded/json-body.ts'
import { bodyText } from '../../semantics/body-text.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { removal, wordInsertion } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** `<|constrain|>` needs the type that it demands (D7). */
export const emptyConstraint: SyntaxRule = {
  name: 'empty-constraint',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'empty-constraint',
  section: '2.2 §6, D7',
  summary: '`<|constrain|>` is missing a content type',
  why: 'The token announces the type of the body; without a type, nothing can be checked.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|><|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>
  `,
  explain({ span }, { segment, facts }) {
    const body = bodyText(segment, facts)
    const insert = {
      title: localize`Insert \`json\``,
      edits: [wordInsertion(segment, span.to, 'json')],
      isSafe: false,
    }
    const marker = quoted(segment.text.slice(span.from, span.to))
    const remove = { title: localize`Remove ${marker}`, edits: [removal(segment, span)], isSafe: false }
    const isJson = body !== undefined && jsonBody(body.text).ok
    return {
      span,
      message: localize`${marker} is missing a content type`,
      fixes: isJson ? [insert, remove] : [remove, insert],
    }
  },
}
