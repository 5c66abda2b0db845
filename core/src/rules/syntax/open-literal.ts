/** A literal block that nothing closes. */

import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { example } from '../example.ts'
import { insertion } from '../message-header-places.ts'
import { isTruncated } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { Fix, MessageContext, SyntaxRule } from '../rule.ts'

/** Without a later `<|endliteral|>` the token is text, so that it cannot swallow the messages after it (D9). */
export const openLiteral: SyntaxRule = {
  name: 'open-literal',
  code: 'E-LITERAL-UNTERMINATED',
  severity: 'error',
  scope: 'syntax',
  kind: 'open-literal',
  section: '2.2 §3, D9',
  summary: 'A literal block is missing `<|endliteral|>`',
  why: 'A reader that honors the token reads the rest of the document as the content of the block.\nHere, the token is text, and the following messages keep their structure, so that no hidden text is shown as part of this body.',
  bad: example`
    version: 2.2
    <|start|>user<|message|>Print <|literal|>*bold*<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>Print <|literal|>*bold*<|endliteral|><|end|>
  `,
  explain({ span }, context) {
    if (isTruncated(context.facts)) return undefined
    const { segment } = context
    const token = segment.text.slice(span.from, span.to)
    return {
      span,
      message: localize`Missing \`${segment.framing.endLiteral}\` to close this block, so ${quoted(token)} is plain text`,
      // Whether an earlier block is open depends on the messages before, so the fixes are made when they are asked for.
      get fixes() {
        return fixesOf(context, span)
      },
    }
  },
}

function fixesOf({ segment, view, analysis }: MessageContext, span: Span): readonly Fix[] {
  const { endLiteral, hasEscapes } = segment.framing
  const fixes: Fix[] = []
  // An end would close the first block that is open, with all the messages between as its content.
  const isFirst = analysis.transcript.firstOpenLiteral === segment
  if (endLiteral !== undefined && view.terminator && isFirst) {
    const edits = [insertion(view.terminator.span.from, endLiteral)]
    fixes.push({ title: localize`Close the block at the end of the body`, edits, isSafe: false })
  }
  // Not called safe, though the text stays the same: who types a block does not want its opener escaped on saving.
  if (hasEscapes) {
    const title = localize`Escape ${quoted(segment.text.slice(span.from, span.to))}`
    fixes.push({ title, edits: [insertion(span.from, '<')], isSafe: false })
  }
  return fixes
}
