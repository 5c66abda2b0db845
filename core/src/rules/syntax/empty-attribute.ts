/** An attribute without value. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { bareWords, removal } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** A value is directly after the equals sign (D6). */
export const emptyAttribute: SyntaxRule = {
  name: 'empty-attribute',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'empty-attribute',
  section: '2.2 §15, D6',
  summary: 'An attribute has no value',
  why: 'The grammar requires at least one character directly after the equals sign.\nA space ends the value, so `name= Ann` is an empty name and a stray word.',
  bad: example`
    version: 2.2
    <|start|>user name= Ann<|message|>Hi<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user name=Ann<|message|>Hi<|end|>
  `,
  explain({ span }, { segment }) {
    const { text } = segment
    const message = localize`${quoted(text.slice(span.from, span.to))} is missing a value`
    const { beforeChannel, behindChannel } = bareWords(segment)
    const word = [...beforeChannel, ...behindChannel].find(
      ({ from }) => from >= span.to && text.slice(span.to, from).trim() === '',
    )
    const fix = word
      ? { title: localize`Remove the space`, edits: [{ span: { from: span.to, to: word.from }, text: '' }] }
      : { title: localize`Remove the attribute`, edits: [removal(segment, span)] }
    return { span, message, fixes: [{ ...fix, isSafe: false }] }
  },
}
