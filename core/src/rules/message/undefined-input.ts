/** A name in a template that the header does not declare. */

import { isInputName } from '../../semantics/inputs.ts'
import { templateOf } from '../../semantics/template-body.ts'
import { localize } from '../../text/localize.ts'
import { perValue } from '../../text/memo.ts'
import { writingFixes } from '../choice-fixes.ts'
import { closestWordsOfMessage, didYouMean } from '../closest-word.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** Templates are filled with what `inputs` declares, and nothing else. */
export const undefinedInput: MessageRule = {
  name: 'undefined-input',
  code: 'W-INPUT-UNDEFINED',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §2',
  summary: 'A template uses a name that `inputs` does not declare',
  why: 'Jinja writes nothing for a name without a value, so a misspelled name leaves a gap in the prompt that is easy to miss.\nA transcript without `inputs` is not checked, because the program that fills it may provide any name.',
  bad: example`
    version: 2.2
    inputs:
      customer: { type: string }
    <|start|>user<|message|>{{ customer }} is here. Greet {{ custmer }}.<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      customer: { type: string }
    <|start|>user<|message|>{{ customer }} is here. Greet {{ customer }}.<|end|>
  `,
  concerns(_facts, { settings }) {
    return settings.inputs !== undefined
  },
  *check({ segment, analysis }): Iterable<Finding> {
    const inputs = analysis.settings.inputs
    const template = templateOf(segment)
    if (!inputs || !template) return
    const closest = closestWordsOfMessage()
    for (const { name, range } of template.names) {
      if (inputs.includes(name)) continue
      const span = template.source.spanOf(range)
      const meant = closest(name, usable(inputs))
      yield {
        span,
        message: didYouMean(localize`${quoted(name)} is not declared under \`inputs\``, meant),
        fixes: writingFixes(span, meant),
        isOnTemplate: false,
      }
    }
  },
}

/** Names that a template can have. */
const usable = perValue((inputs: readonly string[]) => inputs.filter(isInputName))
