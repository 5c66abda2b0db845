/** More than a content type after the channel. */

import { localize } from '../../text/localize.ts'
import { isContentType } from '../../vocabulary/attributes.ts'
import { doubtFixes, hidingWord } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import { bareWords, removals } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** One bare word is allowed after the channel, and none after the constraint (D7). */
export const extraWord: SyntaxRule = {
  name: 'extra-word',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'extra-word',
  section: '2.2 §6, D7',
  summary: 'Unexpected words follow the channel',
  why: 'One word after the channel is read as the content type; more words are usually reasoning that ran into the header.\nStrict readers reject such a message.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary json please<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary json<|message|>{}<|call|>
  `,
  explain({ span }, { segment, view }) {
    const words = bareWords(segment).behindChannel
    const kept = view.constraint ? undefined : words.find((it) => isContentType(textOf(it.from, it.to)))
    const extra = words.filter((it) => it !== kept)
    const shown = quoted(textOf(span.from, span.to))
    const title =
      extra.length > 1 ? localize`Remove ${extra.length} words` : localize`Remove ${quotedWord(extra[0])}`
    return {
      span,
      message:
        hidingWord(segment, view, span) ??
        (view.constraint
          ? localize`${shown} does not belong in the header; \`<|constrain|>\` already gives the content type`
          : localize`${shown} does not belong in the header; only one word, the content type, may follow the channel`),
      fixes: [...doubtFixes(segment, view, span), { title, edits: removals(segment, extra), isSafe: false }],
    }

    function textOf(from: number, to: number): string {
      return segment.text.slice(from, to)
    }

    function quotedWord(word: { readonly from: number; readonly to: number } | undefined): string {
      return word ? quoted(textOf(word.from, word.to)) : shown
    }
  },
}
