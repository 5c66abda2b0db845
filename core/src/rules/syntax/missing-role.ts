/** A header without a role. */

import { isBlank } from '../../syntax/role-word.ts'
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { insertion, tokenText } from '../message-header-places.ts'
import type { Fix, SyntaxRule } from '../rule.ts'

/** A message begins with the role of who speaks (2.2 §6). */
export const missingRole: SyntaxRule = {
  name: 'missing-role',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'missing-role',
  section: '2.2 §4, D5',
  summary: 'A message header is missing its role',
  why: 'The role determines who speaks, how much authority the message has, and who may see it.\nA message without a role is hidden.',
  bad: example`
    version: 2.2
    <|start|><|channel|>final<|message|>Hello there.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>Hello there.<|end|>
  `,
  explain({ span }, { segment, view }) {
    const { framing, text } = segment
    const next = text.charCodeAt(span.to)
    const separator = isBlank(next) || next === lessThan ? '' : ' '
    const insert = (role: string): Fix => ({
      title: localize`Insert \`${role}\``,
      edits: [insertion(span.to, role + separator)],
      isSafe: false,
    })
    const fixes = [insert('assistant'), insert('user')]
    return {
      span,
      message: localize`Missing role after \`${tokenText(framing, ControlKind.start)}\``,
      // Who writes a channel is the assistant; a bare message may be anyone's.
      fixes: view.channel ? fixes : fixes.reverse(),
    }
  },
}

const lessThan = 60
