/** A document that ends inside a header. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { roleSpan } from '../message-header-places.ts'
import type { MessageRule } from '../rule.ts'

/** Only a bare start token and role may end a document: they ask for the next message (D18). */
export const unfinishedHeader: MessageRule = {
  name: 'unfinished-header',
  code: 'E-STREAM-TRUNCATED',
  severity: 'error',
  scope: 'message',
  section: '2.2 §9, D18',
  summary: 'The document ends inside a header',
  why: 'The stream broke off before the message had a body.\nA start token that is followed only by a role is a generation prompt, and is not reported.',
  bad: example`
    version: 2.2
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>ana`,
  good: example`
    version: 2.2
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant`,
  concerns(facts) {
    return !facts.isMessage && !facts.isPrompt
  },
  check(context) {
    if (!context.isLast) return undefined
    return {
      span: { from: context.view.start.from, to: roleSpan(context.view).to },
      message: localize`Incomplete message header: the document ends before a body`,
    }
  },
}
