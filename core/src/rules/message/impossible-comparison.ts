/** A template compares an input with a text that it never has. */

import { declaredInputs } from '../../semantics/input-places.ts'
import { type Input, isPlainString, misfitOf, stringsOf } from '../../semantics/inputs.ts'
import { templateOf } from '../../semantics/template-body.ts'
import { localize } from '../../text/localize.ts'
import { perValue } from '../../text/memo.ts'
import { writingFixes } from '../choice-fixes.ts'
import { closestWordsOfMessage, didYouMean } from '../closest-word.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** The type and the values of an input say which comparisons are always false. */
export const impossibleComparison: MessageRule = {
  name: 'impossible-comparison',
  code: 'W-INPUT-COMPARISON',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §2',
  summary: 'A template compares an input with a text that it can never be',
  why: 'A condition with a misspelled value is never true, or with `!=` always, so the text that depends on it is missing from every filled prompt, or is in all of them.\nOnly inputs that declare `values` or a `type` are checked, and only where they are compared as they are, with `==`, `!=`, or `in`.',
  bad: example`
    version: 2.2
    inputs:
      tier: { values: [free, pro] }
    <|start|>system<|message|>Be helpful.{% if tier == "por" %} Answer within an hour.{% endif %}<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      tier: { values: [free, pro] }
    <|start|>system<|message|>Be helpful.{% if tier == "pro" %} Answer within an hour.{% endif %}<|end|>
  `,
  concerns(_facts, { settings }) {
    return settings.inputs !== undefined
  },
  *check({ segment, analysis }): Iterable<Finding> {
    const inputs = declaredInputs(analysis)
    const template = templateOf(segment)
    if (!inputs || !template) return
    const closest = closestWordsOfMessage()
    for (const { name, comparedWith } of template.names) {
      const input = comparedWith.length > 0 ? byName(inputs).get(name) : undefined
      if (!input) continue
      for (const { value, range } of comparedWith) {
        const misfit = misfitOf(input, value, localize`A text that ${quoted(name)} is compared with`)
        if (misfit === undefined) continue
        const span = template.source.spanOf(range)
        const word = closest(value, stringsOf(input))
        const meant = word !== undefined && isPlainString(word) ? word : undefined
        yield {
          span,
          message: didYouMean(misfit, meant),
          fixes: writingFixes(span, meant),
          isOnTemplate: false,
        }
      }
    }
  },
}

const byName = perValue((inputs: readonly Input[]) => new Map(inputs.map((it) => [it.name, it])))
