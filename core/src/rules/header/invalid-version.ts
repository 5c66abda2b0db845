/** A version that is not valid. */

import { valueAt, versionOf } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import { quoted } from '../quoted.ts'
import type { Fix, HeaderRule } from '../rule.ts'

/** A version is `major.minor` (2.2 §2). */
export const invalidVersion: HeaderRule = {
  name: 'invalid-version',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'header',
  section: '2.2 §2, D2',
  summary: 'The `version` of the YAML header is not `major.minor`',
  why: 'A reader that does not know the version does not know which rules apply.\nA number and a quoted string are both fine: `2.2`, `"2.2"`.',
  bad: example`
    version: v2.2
    <|start|>user<|message|>Which version?<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>Which version?<|end|>
  `,
  check(analysis) {
    if (!hasYamlHeader(analysis)) return []
    const { header } = analysis
    const version = versionOf(header.yaml)
    if (version.kind !== 'invalid' && version.kind !== 'empty') return []
    const value = valueAt(header.yaml, ['version'])?.valueRange ?? version.range
    const source = header.yaml.text.slice(value.start, value.end)
    const replacement = /\d{1,9}\.\d{1,9}/.exec(source)?.[0] ?? '2.2'
    const isGlued = header.yaml.text.charAt(value.start - 1) === ':'
    const fix: Fix = {
      title: localize`Write \`${replacement}\``,
      edits: [{ span: spanOf(value), text: isGlued ? ` ${replacement}` : replacement }],
      isSafe: false,
    }
    const line = source.split(/[\r\n]/, 1)[0] ?? ''
    const message =
      version.kind === 'empty'
        ? localize`\`version\` is missing a value; expected \`major.minor\``
        : localize`Invalid version ${quoted(source)}; expected \`major.minor\``
    const range =
      version.kind === 'empty' ? version.range : { start: value.start, end: value.start + line.length }
    return [{ span: spanOf(range), message, fixes: line === source ? [fix] : [] }]

    function spanOf({ start, end }: { readonly start: number; readonly end: number }) {
      return { from: header.offset + start, to: header.offset + end }
    }
  },
}
