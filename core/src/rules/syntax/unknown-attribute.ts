/** An attribute that the format does not know. */

import { localize } from '../../text/localize.ts'
import type { AttributeName } from '../../vocabulary/attributes.ts'
import { closestWord, didYouMean } from '../closest-word.ts'
import { doubtAt, doubtFixes } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import { attributeAt, attributeSpan, firstAttribute, removal } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { Fix, SyntaxRule } from '../rule.ts'

/** Unknown attributes are ignored, which is seldom what their writer wants (D6). */
export const unknownAttribute: SyntaxRule = {
  name: 'unknown-attribute',
  code: 'W-ATTR-UNKNOWN',
  severity: 'warning',
  scope: 'syntax',
  kind: 'unknown-attribute',
  section: '2.2 §6, D6',
  summary: 'A message header has an unknown attribute',
  why: 'Readers ignore unknown attributes, so a mistyped `call_id` has no effect.\nAn attribute that may say who the message is for, such as `visible=false` or `chanel=analysis`, hides the message.\nIn OpenChatML 0.1, `name` is the only attribute.',
  bad: example`
    version: 2.2
    <|start|>user nmae=Ann<|message|>I am Ann.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user name=Ann<|message|>I am Ann.<|end|>
  `,
  explain({ span }, { segment, view }) {
    const word = segment.text.slice(span.from, span.to)
    const known = segment.framing.attributes
    const meant = otherNames.get(word.toLowerCase()) ?? closestWord(word, known)
    const isFree = firstAttribute(view, meant) === undefined
    const suggestion = meant !== undefined && isFree && known.some((it) => it === meant) ? meant : undefined
    const attribute = attributeAt(view, span.from)
    const fixes: Fix[] = [...doubtFixes(segment, view, span)]
    if (suggestion) {
      const edits = [{ span, text: suggestion }]
      fixes.push({ title: localize`Rename to \`${suggestion}\``, edits, isSafe: false })
    }
    if (attribute) {
      const edits = [removal(segment, attributeSpan(attribute))]
      fixes.push({ title: localize`Remove ${quoted(word)}`, edits, isSafe: false })
    }
    const message = doubtAt(segment, view, span)
      ? localize`Unknown attribute ${quoted(word)} may say who the message is for, so the message is hidden`
      : localize`Unknown attribute ${quoted(word)} is ignored`
    const [only = ''] = known
    const advised =
      known.length === 1 && !suggestion
        ? localize`${message}; expected ${quoted(only)}`
        : didYouMean(message, suggestion)
    return { span, message: advised, fixes }
  },
}

/** What other formats call the attributes. */
const otherNames: ReadonlyMap<string, AttributeName> = new Map([
  ['id', 'call_id'],
  ['callid', 'call_id'],
  ['call-id', 'call_id'],
  ['tool_call_id', 'call_id'],
  ['recipient', 'to'],
  ['type', 'content_type'],
  ['ctype', 'content_type'],
  ['content-type', 'content_type'],
  ['contenttype', 'content_type'],
])
