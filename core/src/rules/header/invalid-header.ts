/** A header that is not a YAML mapping. */

import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { example } from '../example.ts'
import { decodedOutput, hasYamlHeader } from '../preamble-text.ts'
import type { Finding, HeaderContext, HeaderRule } from '../rule.ts'
import { restoreTokens, withTokensRestored } from '../tokenless-output.ts'

/** The header is one YAML mapping; the messages after a broken one are read all the same (D1, D2). */
export const invalidHeader: HeaderRule = {
  name: 'invalid-header',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'header',
  section: '2.2 §2, D1, D2',
  summary: 'The text before the first message is not a YAML mapping',
  why: 'Version and profiles cannot be read, so defaults apply to the whole transcript.\nText that is not meant as a header belongs in a message.',
  bad: example`
    version: 2.2
    generation_settings: {temperature: 0.7
    <|start|>user<|message|>Hi<|end|>
  `,
  good: example`
    version: 2.2
    generation_settings: {temperature: 0.7}
    <|start|>user<|message|>Hi<|end|>
  `,
  check(analysis) {
    const decoded = decodedOutput(analysis)
    if (decoded) return [decodedProblem(analysis, decoded)]
    if (!hasYamlHeader(analysis)) return []
    const { preamble, header } = analysis
    const isOnTemplate = header.filled.problems.length === 0
    return header.yaml.problems.map(({ range, message, related }) => ({
      span: { from: header.offset + range.start, to: header.offset + range.end },
      message,
      isOnTemplate,
      related: related
        ? [
            {
              segment: preamble,
              span: { from: header.offset + related.range.start, to: header.offset + related.range.end },
              message: related.message,
            },
          ]
        : [],
    }))
  },
}

/** The one problem of a text that has lost its tokens, on its first line. */
function decodedProblem({ preamble }: HeaderContext, span: Span): Finding {
  const text = preamble.text.slice(span.from, span.to)
  const line = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  const restored = withTokensRestored(text, preamble.framing)
  return {
    span: { from: span.from, to: span.from + line.length },
    message: localize`The text is not a YAML header; it looks like Harmony output decoded with special tokens skipped`,
    fixes: restored === undefined ? [] : [restoreTokens(span, restored)],
  }
}
