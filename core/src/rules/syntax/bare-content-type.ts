/** A content type without its key on a message that has no recipient. */

import { localize } from '../../text/localize.ts'
import { isContentType } from '../../vocabulary/attributes.ts'
import { doubtFixes, hidingWord } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import { attributeNamed, removal } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** Without a recipient, readers of Harmony take a bare word for the recipient (D7). */
export const bareContentType: SyntaxRule = {
  name: 'bare-content-type',
  code: 'W-BAREWORD',
  severity: 'warning',
  scope: 'syntax',
  kind: 'bare-content-type',
  section: '2.2 §6, D7',
  summary: 'A content type follows the channel without `<|constrain|>` in a message without a recipient',
  why: "A single word after the channel is a content type.\nHarmony writes calls this way; without a recipient, Harmony's reference parser mistakes the word for the recipient.",
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>final markdown<|message|>**Hi**<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final content_type=markdown<|message|>**Hi**<|return|>
  `,
  explain({ span }, { segment, view }) {
    const word = segment.text.slice(span.from, span.to)
    const message =
      hidingWord(segment, view, span) ??
      localize`${quoted(word)} follows the channel without \`<|constrain|>\`; other readers mistake it for the recipient`
    if (attributeNamed(view, 'content_type')) {
      const title = localize`Remove ${quoted(word)}`
      return { span, message, fixes: [{ title, edits: [removal(segment, span)], isSafe: false }] }
    }
    const title = localize`Write ${quoted(`content_type=${word}`)}`
    const edits = [{ span, text: `content_type=${word}` }]
    const fixes = [...doubtFixes(segment, view, span), { title, edits, isSafe: isContentType(word) }]
    return { span, message, fixes }
  },
}
