/** A terminator that does not fit its message. */

import type { MessageFacts } from '../../semantics/message-facts.ts'
import { rightTerminator } from '../../semantics/terminators.ts'
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { tokenText } from '../message-header-places.ts'
import { hasCompleteHeader } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** `<|call|>` ends calls, `<|return|>` final answers, `<|end|>` everything else (D11). */
export const wrongTerminator: MessageRule = {
  name: 'wrong-terminator',
  code: 'W-TERMINATOR',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §3, §8, D11',
  summary: 'A message ends with the terminator of another kind of message',
  why: '`<|call|>` and `<|return|>` are hard stops: the first hands the message to a tool, the second says that the answer is complete.\nA runtime that relies on them misses a call that ends with `<|end|>`, or stops too early.\nAn earlier `<|return|>` in a stored conversation is fine.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
  `,
  concerns(facts, { hasTurns }) {
    return mistakeIn(facts) !== undefined && hasCompleteHeader(facts) && !hasTurns
  },
  check(context) {
    const { facts, segment } = context
    const mistake = mistakeIn(facts)
    const { terminator, end } = context.view
    const right = mistake && tokenText(segment.framing, mistake.right)
    if (!mistake || !terminator || right === undefined) return undefined
    const wrong = segment.text.slice(terminator.span.from, terminator.span.to)
    // `<|end|>` after `<|call|>` belongs to it and goes with it.
    const edits = [{ span: { from: terminator.span.from, to: end }, text: right }]
    return {
      span: terminator.span,
      message: mistake.explain(wrong),
      fixes: [{ title: localize`Write \`${right}\``, edits, isSafe: true }],
    }
  },
}

interface Mistake {
  readonly right: ControlKind
  explain(wrong: string): string
}

function mistakeIn(facts: MessageFacts): Mistake | undefined {
  const { terminator } = facts
  const right = rightTerminator(facts)
  if (right === terminator) return undefined
  return { right, explain: (wrong) => explanationOf(wrong, right, terminator) }
}

function explanationOf(wrong: string, right: ControlKind, terminator: ControlKind): string {
  if (right === ControlKind.call) return localize`\`${wrong}\` ends a tool call; expected \`<|call|>\``
  if (terminator === ControlKind.call) return localize`\`${wrong}\` ends a message that is not a tool call`
  return localize`\`${wrong}\` ends a message that is not a final answer`
}
