/** Private text, word for word, in a message that the user sees. */

import { bodyText } from '../../semantics/body-text.ts'
import { factsOf } from '../../semantics/message-facts.ts'
import { localize } from '../../text/localize.ts'
import { reasoningChannel } from '../../vocabulary/channels.ts'
import { commonRun } from '../common-run.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'
import { isSeen } from '../unseen-before.ts'

const least = 80 // UTF-16 code units: a sentence; shorter runs are names, titles and phrases

/** Reasoning is not for the user (2.2 §5, §11). */
export const repeatedThought: MessageRule = {
  name: 'repeated-thought',
  code: 'H-LEAK-REPEAT',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §5, §11',
  summary: 'Visible text repeats a hidden assistant message verbatim',
  why: 'Text on `analysis` is private, and may be wrong, offensive, or confidential.\nA run of 80 or more characters that is also in an answer is a leak, or an answer that was drafted on `analysis`.\nOnly hidden messages after the last message that the user wrote or saw are compared.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>analysis<|message|>The user sounds upset about the delay, so I should apologise before I explain how refunds work.<|end|>
    <|start|>assistant<|channel|>final<|message|>The user sounds upset about the delay, so I should apologise before I explain how refunds work. Sorry!<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>analysis<|message|>The user sounds upset about the delay, so I should apologise before I explain how refunds work.<|end|>
    <|start|>assistant<|channel|>final<|message|>Sorry for the delay!<|return|>
  `,
  concerns(facts) {
    return isSeen(facts)
  },
  check(context) {
    const { facts, segment } = context
    if (segment.length < least) return undefined
    const unseen = context.unseenBefore
    if (unseen.length === 0) return undefined
    const body = bodyText(segment, facts)
    if (!body || body.text.length < least) return undefined
    const sources = unseen.map((it) => ({ segment: it, body: bodyOf(it) }))
    const run = commonRun(
      body.text.slice(0, comparedAtMost),
      sources.map((it) => it.body?.text ?? ''),
      least,
    )
    const source = run && sources[run.source]
    if (!run || !source?.body) return undefined
    const channel = factsOf(source.segment)?.channel ?? reasoningChannel
    return {
      span: body.spanOf(run.range),
      message: localize`Repeats hidden ${quoted(channel)} text verbatim`,
      related: [
        {
          segment: source.segment,
          span: source.body.spanOf(run.sourceRange),
          message: localize`The hidden text`,
        },
      ],
    }
  },
}

/** Code units of a message that are compared: a keystroke in a hidden message compares all messages after it. */
const comparedAtMost = 1_000_000

function bodyOf(segment: Parameters<typeof factsOf>[0]) {
  const facts = factsOf(segment)
  return facts && bodyText(segment, facts)
}
