/** Text outside messages. */

import { isBlank } from '../../syntax/role-word.ts'
import type { Segment } from '../../syntax/segment.ts'
import { isLineBreak } from '../../text/line-breaks.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { channelOf } from '../../vocabulary/channels.ts'
import type { Framing } from '../../vocabulary/framing.ts'
import { ControlKind, isTerminator } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { insertion, tokenText } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { Fix, SyntaxRule } from '../rule.ts'
import { looksDecoded, restoreTokens, startingWord, withTokensRestored } from '../tokenless-output.ts'

/** Between messages there is only white space (D10). */
export const strayText: SyntaxRule = {
  name: 'stray-text',
  code: 'E-STRAY-TEXT',
  severity: 'error',
  scope: 'syntax',
  kind: 'stray-text',
  section: '2.2 §6, D10',
  summary: 'Text appears outside messages',
  why: 'After the terminator of a message, only whitespace is allowed before the next message.\nUsually a start token was lost, or a model continued after its stop token. Such text is never shown, and strict readers stop at it.',
  bad: example`
    version: 2.2
    <|start|>user<|message|>Hi<|end|>
    assistant<|channel|>final<|message|>Hello<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>final<|message|>Hello<|return|>
  `,
  // In the preamble there is no message: only the segment and the span are used.
  explain({ span }, { segment }) {
    const { message, fix } = explanationOf(segment, span)
    const remove: Fix = { title: localize`Remove the stray text`, edits: [{ span, text: '' }], isSafe: false }
    const isSame = fix?.edits.length === 1 && fix.edits[0]?.text === ''
    return { span, message, fixes: fix ? (isSame ? [fix] : [fix, remove]) : [remove] }
  },
}

interface Explanation {
  readonly message: string
  readonly fix?: Fix
}

function explanationOf({ text, framing }: Segment, span: Span): Explanation {
  const { kind, length } = framing.matcher.tokenAt(text, span.from)
  if (isTerminator(kind)) {
    const token = quoted(text.slice(span.from, span.from + length))
    const message = localize`${token} outside a message; the previous message has already ended`
    return isOnlyTerminators(text, framing, span)
      ? {
          message,
          fix: {
            title: localize`Remove ${token}`,
            edits: [{ span, text: '' }],
            isSafe: !movesToLineStart(text, span),
          },
        }
      : { message }
  }
  const stray = text.slice(span.from, Math.min(span.to, span.from + lookedAt))
  const start = tokenText(framing, ControlKind.start)
  const channel = tokenText(framing, ControlKind.channel)
  const restored = withTokensRestored(text.slice(span.from, span.to), framing)
  if (restored !== undefined) return { message: decodedMessage(), fix: restoreTokens(span, restored) }
  const { role, word } = startingWord(stray, framing)
  if (kind === ControlKind.channel) return missingBefore(span, `${start}assistant`, stray)
  if (role !== undefined && stray.length > role.length && isHeaderBehind(stray.slice(role.length), framing)) {
    return missingBefore(span, `${start}`, role)
  }
  if (channel && channelOf(word) && isHeaderBehind(stray.slice(word.length), framing)) {
    return missingBefore(span, `${start}assistant${channel}`, word)
  }
  if (looksDecoded(stray)) return { message: decodedMessage() }
  return { message: localize`Text outside a message` }
}

function decodedMessage(): string {
  return localize`Text outside a message; it looks like Harmony output decoded with special tokens skipped`
}

const lookedAt = 256 // a header begins within the first words, if there is one

function missingBefore(span: Span, tokens: string, word: string): Explanation {
  return {
    message: localize`Text outside a message; \`${tokens}\` is missing before ${quoted(word)}`,
    fix: { title: localize`Insert \`${tokens}\``, edits: [insertion(span.from, tokens)], isSafe: false },
  }
}

/** True if a header goes on after a role or channel word: with a token, an attribute, or in 0.1 the line's end. */
function isHeaderBehind(rest: string, framing: Framing): boolean {
  if (framing.headerEnd === 'line-break') return /^[ \t]*(name=\S*[ \t]*)?[\r\n]/.test(rest)
  if (rest.startsWith('<|')) return framing.matcher.tokenAt(rest, 0).kind !== ControlKind.none
  return /^\s+[a-z_]+=\S/.test(rest) || /^\s*<\|/.test(rest)
}

/** True if what follows `span` would begin a line without it, which determines where the header ends (D1). */
function movesToLineStart(text: string, { from, to }: Span): boolean {
  return to === text.length && isLineBreak(text.charCodeAt(from - 1))
}

function isOnlyTerminators(text: string, { matcher }: Framing, { from, to }: Span): boolean {
  for (let at = from; at < to; ) {
    const { kind, length } = matcher.tokenAt(text, at)
    if (isBlank(text.charCodeAt(at))) at++
    else if (isTerminator(kind)) at += length
    else return false
  }
  return true
}
