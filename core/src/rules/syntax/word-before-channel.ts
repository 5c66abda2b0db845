/** A bare word before the channel. */

import { localize } from '../../text/localize.ts'
import { channelOf } from '../../vocabulary/channels.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { doubtFixes, hidingWord } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import {
  attributeSpan,
  bareWords,
  beforeBlanks,
  removals,
  tokenText,
  withBlanksBefore,
} from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** Only attributes are allowed after the role (D6). */
export const wordBeforeChannel: SyntaxRule = {
  name: 'word-before-channel',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'word-before-channel',
  section: '2.2 §6, D6',
  summary: 'A word that is not an attribute appears before the channel',
  why: 'Only attributes, written `key=value`, are allowed between the role and the channel.\nA value ends at whitespace, even in quotes: `name="Ann Lee"` is a value and a stray word.',
  bad: example`
    version: 2.2
    <|start|>user please<|message|>Help me.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>Help me.<|end|>
  `,
  explain({ span }, { segment, view }) {
    const { text, framing } = segment
    const word = text.slice(span.from, span.to)
    const gap = beforeBlanks(text, span.from)
    // `name= Ann` is one mistake: the empty attribute, whose fix takes the word in.
    if (view.attributes.some((it) => it.value === undefined && attributeSpan(it).to === gap)) return undefined
    const channelToken = tokenText(framing, ControlKind.channel)
    if (channelToken && !view.channel && channelOf(word)) {
      const edits = [{ span: withBlanksBefore(text, span), text: channelToken + word }]
      return {
        span,
        message: localize`\`${channelToken}\` is missing before \`${word}\``,
        fixes: [{ title: localize`Insert \`${channelToken}\``, edits, isSafe: false }],
      }
    }
    const message =
      hidingWord(segment, view, span) ??
      localize`${quoted(word)} does not belong in the header; attributes are written \`key=value\``
    const words = bareWords(segment).beforeChannel
    const title = words.length > 1 ? localize`Remove ${words.length} words` : localize`Remove ${quoted(word)}`
    return {
      span,
      message,
      fixes: [...doubtFixes(segment, view, span), { title, edits: removals(segment, words), isSafe: false }],
    }
  },
}
