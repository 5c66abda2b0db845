/** A 2.x transcript without header. */

import { byteOrderMarkLength } from '../../syntax/preamble-end.ts'
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { insertion, tokenText } from '../message-header-places.ts'
import type { Fix, HeaderRule } from '../rule.ts'

/** Every 2.x transcript begins with a header (2.2 §2); one that uses nothing of 2.x is read as 1.x (D2). */
export const missingHeader: HeaderRule = {
  name: 'missing-header',
  code: 'W-HEADER-MISSING',
  severity: 'warning',
  scope: 'header',
  section: '2.2 §2, D2',
  summary: 'A transcript that uses 2.x features has no header',
  why: 'The header declares the version, which determines the rules that apply: for example, whether calls need an ID.\nA transcript without channels, developer messages, tool calls, and attributes other than `name` does not need a header.',
  bad: example`
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>final<|message|>Hello<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>final<|message|>Hello<|return|>
  `,
  check(analysis) {
    const { preamble, header, usesVersion2, dialect } = analysis
    if (!usesVersion2 || dialect === 'harmony' || preamble.kind !== 'preamble' || header.isPresent) return []
    const at = byteOrderMarkLength(preamble.text)
    const insert = (title: string, text: string): Fix => ({
      title,
      edits: [insertion(at, text)],
      isSafe: false,
    })
    const start = tokenText(preamble.framing, ControlKind.start) ?? ''
    return [
      {
        span: { from: preamble.length, to: preamble.length + start.length },
        message: localize`The transcript uses features of OpenChatML 2 but is missing a YAML header with \`version\``,
        fixes: [
          insert(localize`Insert a header`, 'version: 2.2\n'),
          insert(
            localize`Insert a header with the Harmony profile`,
            'version: 2.2\nprofiles:\n  harmony:\n    enabled: true\n',
          ),
        ],
      },
    ]
  },
}
