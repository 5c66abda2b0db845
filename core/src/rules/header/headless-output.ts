/** Raw output of a model without the start token that the prompt ended with. */
import { localize } from '../../text/localize.ts'
import { channelOf } from '../../vocabulary/channels.ts'
import type { Framing } from '../../vocabulary/framing.ts'
import { ControlKind, isTerminator } from '../../vocabulary/tokens.ts'
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
    const missing = missingBefore(text.slice(span.from, span.to), framing)
    return [
      {
        span,
        message: localize`Model output without its start; \`${missing.trim()}\` is missing before it`,
        fixes: [
          {
            title: localize`Insert \`${missing.trim()}\``,
            edits: [insertion(span.from, missing)],
            isSafe: false,
          },
        ],
      },
    ]
  },
}

/** What stood before `output`, which ends with its first token. Text alone may be reasoning: in doubt it stays hidden. */
function missingBefore(output: string, framing: Framing): string {
  const [start, channel, message] = [ControlKind.start, ControlKind.channel, ControlKind.message].map(
    (kind) => tokenText(framing, kind) ?? '',
  )
  const { role, word } = startingWord(output, framing)
  if (word === '') return `${start}assistant`
  if (channelOf(word)) return `${start}assistant${channel}`
  if (/^[a-z_]+=/.test(word)) return `${start}assistant `
  const isText = role === undefined && isTerminator(framing.matcher.kindAt(output, output.lastIndexOf('<|')))
  return isText ? `${start}assistant${channel}analysis${message}` : `${start}`
}
