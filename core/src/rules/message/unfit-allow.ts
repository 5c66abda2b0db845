/** An `allow` that allows nothing, or gives no reason. */

import { example } from '../example.ts'
import type { MessageRule } from '../rule.ts'

/** Reported by the checker, which knows what the other rules found: see `allowed-findings.ts`. */
export const unfitAllow: MessageRule = {
  name: 'unfit-allow',
  code: 'H-ALLOW',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §6, D6',
  summary: 'An `allow` attribute names an unknown rule, has no effect, or gives no reason',
  why: 'The header of a message can allow problems: `allow=token-in-body:quotes_the_log` names rules or codes, separated by commas, and after a colon the reason, with `_` for spaces.\nThe problems of these rules are then not reported in this message, in editors or by `ocm check`; who sees the message does not change.\nOther readers ignore the attribute, as they ignore every attribute that they do not know.\nA misspelled name allows nothing, and a name that no longer has an effect would hide the next problem of its rule.',
  bad: example`
    version: 2.2
    <|start|>user allow=token-in-body,unknown-value:quotes_the_log<|message|>What is <|channel|>?<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user allow=token-in-body:quotes_the_log<|message|>What is <|channel|>?<|end|>
  `,
  concerns: () => false,
  check: () => undefined,
}
