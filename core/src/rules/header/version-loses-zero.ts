/** A version that YAML reads as another one. */

import { versionOf } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import type { HeaderRule } from '../rule.ts'

/** To YAML, `2.10` is the number 2.1 (D2). */
export const versionLosesZero: HeaderRule = {
  name: 'version-loses-zero',
  code: 'H-VERSION-ZERO',
  severity: 'hint',
  scope: 'header',
  section: '2.2 §2, D2',
  summary: 'An unquoted version ends in a zero that YAML drops',
  why: 'YAML reads `2.10` as the number 2.1.\nIn quotes, it stays unchanged.',
  bad: example`
    version: 2.10
    <|start|>user<|message|>Hi<|end|>
  `,
  good: example`
    version: "2.10"
    <|start|>user<|message|>Hi<|end|>
  `,
  check(analysis) {
    if (!hasYamlHeader(analysis)) return []
    const { preamble, header } = analysis
    const version = versionOf(header.yaml)
    if (version.kind !== 'known' || !version.losesZero) return []
    const span = { from: header.offset + version.range.start, to: header.offset + version.range.end }
    const source = preamble.text.slice(span.from, span.to)
    return [
      {
        span,
        message: localize`YAML reads \`${source}\` as ${version.major}.${version.minor}`,
        fixes: [
          { title: localize`Quote the version`, edits: [{ span, text: `"${source}"` }], isSafe: false },
        ],
      },
    ]
  },
}
