/** An argument that a call gives twice. */

import {
  type DuplicateJsonKey,
  duplicateJsonKeys,
  mayRepeatKeys,
} from '../../embedded/duplicate-json-keys.ts'
import { isCall } from '../../semantics/message-facts.ts'
import { callsIn, type ToolCall } from '../../semantics/tool-calls.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { isTruncated } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** Every key occurs once in its object (2.2 §8.2). */
export const duplicateArgument: MessageRule = {
  name: 'duplicate-argument',
  code: 'H-DUPLICATE-ARGUMENT',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §8.2',
  summary: 'A tool call has the same key twice in one object',
  why: 'JSON does not define which value counts: most readers use the last one, and some the first.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"city":"Oslo","city":"Bergen"}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"city":"Bergen"}<|call|>
  `,
  concerns(facts) {
    return isCall(facts) && !isTruncated(facts)
  },
  check({ segment }) {
    // Nothing is made where there is nothing to say: nearly every call is of that kind.
    const calls = callsIn(segment)
    return calls.some(mayRepeat) ? findingsIn(segment, calls) : undefined
  },
}

function mayRepeat({ body, value }: ToolCall): boolean {
  return value !== undefined && mayRepeatKeys(body.text, value)
}

function* findingsIn(segment: Segment, calls: readonly ToolCall[]): IterableIterator<Finding> {
  for (const call of calls) {
    if (!mayRepeat(call)) continue
    for (const duplicate of duplicateJsonKeys(call.body.text)) yield findingOf(segment, call, duplicate)
  }
}

function findingOf(segment: Segment, { body }: ToolCall, { key, range, related }: DuplicateJsonKey): Finding {
  return {
    span: body.spanOf(range),
    message: localize`Duplicate key ${quoted(key)} in this object; the last one is used`,
    related: [{ segment, span: body.spanOf(related.range), message: related.message }],
  }
}
