/** Raw output of a model without the start token that the prompt ended with. */
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { insertion, tokenText } from '../header-parts.ts'
import { rawOutput } from '../preamble-text.ts'
import type { HeaderRule } from '../rule.ts'
import { startingWord } from '../tokenless-output.ts'

/** What a model generates continues a prompt; on its own, its first message has no start (D10). */
export const headlessOutput: HeaderRule = {
  name: 'headless-output',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'header',
  section: '2.2 §6, D1',
  summary: 'Model output stands before the first start token',
  why: 'The prompt ended with `<|start|>assistant`, which is not part of the output.\nWithout it the first message has neither role nor start, and its text is read as a header.',
  bad: 'assistant<|message|>4.<|end|>\n',
  good: '<|start|>assistant<|message|>4.<|end|>\n',
  check(analysis) {
    const span = rawOutput(analysis)
    if (!span) return []
    const { text, framing } = analysis.preamble
    const start = tokenText(framing, ControlKind.start) ?? ''
    const { role } = startingWord(text.slice(span.from, span.to), framing)
    const missing = role === undefined ? `${start}assistant` : start
    return [
      {
        span,
        message: localize`Model output without its start; \`${missing}\` is missing before it`,
        fixes: [
          { title: localize`Insert \`${missing}\``, edits: [insertion(span.from, missing)], isSafe: false },
        ],
      },
    ]
  },
}
