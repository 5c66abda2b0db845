/** A header that is no YAML mapping. */

import { preambleView } from '../../syntax/preamble-view.ts'
import { localize } from '../../text/localize.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import type { HeaderRule } from '../rule.ts'
import { looksDecoded } from '../tokenless-output.ts'

/** The header is one YAML mapping; the messages behind a broken one are read all the same (D1, D2). */
export const invalidHeader: HeaderRule = {
  name: 'invalid-header',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'header',
  section: '2.2 §2, D1, D2',
  summary: 'The text before the first message is no YAML mapping',
  why: 'Version and profiles cannot be read, so defaults apply to everything behind.\nText that was never meant as a header belongs into a message.',
  bad: 'version: 2.2\ngeneration_settings: {temperature: 0.7\n<|start|>user<|message|>Hi<|end|>\n',
  good: 'version: 2.2\ngeneration_settings: {temperature: 0.7}\n<|start|>user<|message|>Hi<|end|>\n',
  check(analysis) {
    if (!hasYamlHeader(analysis)) return []
    const { preamble, header } = analysis
    const { yaml } = preambleView(preamble)
    const text = yaml ? preamble.text.slice(yaml.from, yaml.to).trimStart() : ''
    const isOnTemplate = header.filled.problems.length === 0
    return header.yaml.problems.map(({ kind, range, message, related }) => ({
      span: { from: header.offset + range.start, to: header.offset + range.end },
      message:
        kind === 'not-a-mapping' && looksDecoded(text)
          ? localize`The text is no header; it looks like Harmony output decoded with special tokens skipped`
          : message,
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
