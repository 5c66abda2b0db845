/** A literal block that nothing closes. */
import { localize } from '../../text/localize.ts'
import { insertion } from '../header-parts.ts'
import { isTruncated } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { Fix, SyntaxRule } from '../rule.ts'

/** Without a later `<|endliteral|>` the token is text, so that it cannot swallow the messages behind it (D9). */
export const openLiteral: SyntaxRule = {
  name: 'open-literal',
  code: 'E-LITERAL-UNTERMINATED',
  severity: 'error',
  scope: 'syntax',
  kind: 'open-literal',
  section: '2.2 §3, D9',
  summary: 'No `<|endliteral|>` closes a literal block',
  why: 'A reader that takes the block seriously reads the rest of the document as its content.\nHere the token is text and the messages behind it keep their structure, so that nothing hidden is shown as part of this body.',
  bad: 'version: 2.2\n<|start|>user<|message|>Print <|literal|>*bold*<|end|>\n',
  good: 'version: 2.2\n<|start|>user<|message|>Print <|literal|>*bold*<|endliteral|><|end|>\n',
  explain({ span }, { segment, view, facts }) {
    if (isTruncated(facts)) return undefined
    const token = segment.text.slice(span.from, span.to)
    const { endLiteral, hasEscapes } = segment.framing
    const fixes: Fix[] = []
    if (endLiteral !== undefined && view.terminator) {
      const edits = [insertion(view.terminator.span.from, endLiteral)]
      fixes.push({ title: localize`Close the block at the end of the body`, edits, isSafe: false })
    }
    // Not called safe, though the text stays the same: who types a block does not want its opener escaped on saving.
    if (hasEscapes) {
      fixes.push({
        title: localize`Escape ${quoted(token)}`,
        edits: [insertion(span.from, '<')],
        isSafe: false,
      })
    }
    return {
      span,
      message: localize`No \`${endLiteral}\` closes this block, so ${quoted(token)} is plain text`,
      fixes,
    }
  },
}
