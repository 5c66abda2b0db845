/** A control token in a body that has no effect there. */

import type { MessageView } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { channelOf } from '../../vocabulary/channels.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { insertion, tokenText } from '../message-header-places.ts'
import { isTruncated } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { Fix, SyntaxRule } from '../rule.ts'

/** Control tokens in a body are escaped or are in a literal block (2.2 §3, D10). */
export const tokenInBody: SyntaxRule = {
  name: 'token-in-body',
  code: 'W-TOKEN-IN-BODY',
  severity: 'warning',
  scope: 'syntax',
  kind: 'token-in-body',
  section: '2.2 §3, D8, D10',
  summary: 'A control token appears in a body as plain text',
  why: 'The token is shown verbatim, but other readers may mistake it for structure.\nAt the start of a body, it indicates that a message was wrapped twice, and private reasoning may be shown to the user.',
  bad: example`
    version: 2.2
    <|start|>user<|message|>What is <|channel|> for?<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>What is <<|channel|> for?<|end|>
  `,
  explain({ span }, { segment, view, facts }) {
    if (isTruncated(facts)) return undefined
    const token = segment.text.slice(span.from, span.to)
    return {
      span,
      message: messageOf(quoted(token), segment, view, span),
      fixes: [...fixesOf(segment, span, token), ...innerHeader(segment, view, span)],
    }
  },
}

function messageOf(
  token: string,
  { text, framing }: Segment,
  { body, role }: MessageView,
  span: Span,
): string {
  const plain = localize`${token} is plain text in a body`
  if (!body || text.slice(body.from, span.from).trim() !== '') return plain
  const kind = framing.matcher.tokenAt(text, span.from).kind
  if (kind === ControlKind.constrain)
    return localize`${token} is plain text in a body; it belongs before the token that ends the header`
  if (kind !== ControlKind.channel) return plain
  const isShown = role === 'assistant' || role === 'user'
  return isShown
    ? localize`${token} is plain text in a body; the message seems to be wrapped twice, so hidden text may be shown`
    : plain
}

/** A body that begins with the rest of a header: the message is wrapped twice, and the inner header is the one that was meant. */
function innerHeader({ text, framing }: Segment, view: MessageView, span: Span): readonly Fix[] {
  const { body, role, channel, message } = view
  if (!body || !message || role !== 'assistant' || text.slice(body.from, span.from).trim() !== '') return []
  const separator = tokenText(framing, ControlKind.message)
  if (separator === undefined || framing.matcher.tokenAt(text, span.from).kind !== ControlKind.channel)
    return []
  const end = text.indexOf(separator, span.to)
  const word = text.slice(span.to, end).trim()
  if (end === -1 || end > body.to || channelOf(word) === undefined) return []
  const from = channel?.marker.from ?? message.from
  const edits = [{ span: { from, to: span.from }, text: '' }]
  return [{ title: localize`Make it a message on ${quoted(word)}`, edits, isSafe: false }]
}

function fixesOf({ text, framing }: Segment, span: Span, token: string): readonly Fix[] {
  if (!framing.hasEscapes) return []
  // Both say the same text; but an end of a literal block might close one that is open further up.
  const escaping: Fix = {
    title: localize`Escape ${quoted(token)}`,
    edits: [insertion(span.from, '<')],
    isSafe: true,
  }
  const opener = tokenText(framing, ControlKind.literal)
  if (opener === undefined || framing.endLiteral === undefined) return [escaping]
  if (framing.matcher.tokenAt(text, span.from).kind === ControlKind.endLiteral) return [escaping]
  const edits = [insertion(span.from, opener), insertion(span.to, framing.endLiteral)]
  return [escaping, { title: localize`Wrap in a literal block`, edits, isSafe: false }]
}
