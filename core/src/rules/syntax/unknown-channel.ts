/** A channel that does not exist. */

import type { MessageView } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import { channelOf, channels } from '../../vocabulary/channels.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { choiceFixes } from '../choice-fixes.ts'
import { closestWord, expectedOneOf } from '../closest-word.ts'
import { example } from '../example.ts'
import { insertion, startHeaderEnd, tokenText } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { Fix, SyntaxRule } from '../rule.ts'

/** There are three channels (2.2 §5). */
export const unknownChannel: SyntaxRule = {
  name: 'unknown-channel',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'unknown-channel',
  section: '2.2 §5, D16',
  summary: 'The channel of a message is unknown',
  why: 'The channel determines who sees a message, so a message on an unknown channel is hidden.\nA mistyped `final` hides the answer; the text after a mistyped `analysis` is private reasoning.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>finalx<|message|>4.<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>4.<|return|>
  `,
  explain({ span }, { segment, view, facts }) {
    const names = channels.map(({ name }) => name)
    const word = segment.text.slice(span.from, span.to)
    const isToolName =
      !facts.hasRecipient && (view.hasConflictingChannels || facts.terminator === ControlKind.call)
    if (isToolName) {
      return {
        span,
        message: localize`Unknown channel ${quoted(word)}; name the tool of a call before the channel, as ${quoted(`to=functions.${word}`)}`,
        fixes: recipientFixes(segment, view, word),
      }
    }
    const suggestion = closestWord(word, names)
    return {
      span,
      message: expectedOneOf(localize`Unknown channel ${quoted(word)}`, suggestion, names),
      fixes: choiceFixes(span, suggestion ? [suggestion] : names),
    }
  },
}

/** `<|channel|>bash<|channel|>commentary`: the tool's name is where the channel belongs. */
function recipientFixes({ text, framing }: Segment, view: MessageView, word: string): readonly Fix[] {
  const token = tokenText(framing, ControlKind.channel)
  const value = view.channel?.value
  if (!view.channel || !value || token === undefined || !text.startsWith(token, value.span.to)) return []
  const behind = /^[a-z]+/.exec(text.slice(value.span.to + token.length, value.span.to + token.length + 16))
  if (!behind || channelOf(behind[0]) === undefined) return []
  const recipient = `to=functions.${word}`
  const edits = [
    insertion(startHeaderEnd(view), ` ${recipient}`),
    { span: { from: view.channel.marker.from, to: value.span.to }, text: '' },
  ]
  return [{ title: localize`Write ${quoted(recipient)} before the channel`, edits, isSafe: false }]
}
