/** A version of the future. */

import { versionOf } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import type { HeaderRule } from '../rule.ts'

/** A later major version may mean anything by the same words (D2). */
export const unsupportedVersion: HeaderRule = {
  name: 'unsupported-version',
  code: 'W-VERSION-UNSUPPORTED',
  severity: 'warning',
  scope: 'header',
  section: '2.2 §2, D2',
  summary: 'The header declares a version that does not exist yet',
  why: 'The transcript is read by the rules of 2.2, which may not be the rules it was written for.',
  bad: example`
    version: 3.0
    <|start|>user<|message|>What is new?<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>What is new?<|end|>
  `,
  check(analysis) {
    if (!hasYamlHeader(analysis)) return []
    const { header } = analysis
    const version = versionOf(header.yaml)
    if (version.kind !== 'known' || version.major <= 2) return []
    const span = { from: header.offset + version.range.start, to: header.offset + version.range.end }
    return [
      {
        span,
        message: localize`Unknown version ${version.major}.${version.minor}; the transcript is read as 2.2`,
        fixes: [{ title: localize`Write \`2.2\``, edits: [{ span, text: '2.2' }], isSafe: false }],
      },
    ]
  },
}
