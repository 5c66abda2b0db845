/** A header without version. */

import { versionOf } from '../../embedded/yaml-header.ts'
import { preambleView } from '../../syntax/preamble-view.ts'
import { isLineBreak, nextLineBreak } from '../../text/line-breaks.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { example } from '../example.ts'
import { insertion } from '../message-header-places.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import type { HeaderContext, HeaderRule } from '../rule.ts'

/** `version` is the one key that a header must have (2.2 §2). */
export const missingVersion: HeaderRule = {
  name: 'missing-version',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'header',
  section: '2.2 §2, D2',
  summary: 'The header declares no `version`',
  why: 'The version determines the rules of the transcript: whether calls need an ID, and which tokens and channels exist.\nIt is the only required key.',
  bad: example`
    model: gpt-oss-120b
    <|start|>user<|message|>Hi<|end|>
  `,
  good: example`
    version: 2.2
    model: gpt-oss-120b
    <|start|>user<|message|>Hi<|end|>
  `,
  check(analysis) {
    if (!hasYamlHeader(analysis) || versionOf(analysis.header.yaml).kind !== 'missing') return []
    const place = insertionPlace(analysis)
    const fix = {
      title: localize`Insert \`version: 2.2\``,
      edits: [insertion(place ?? 0, 'version: 2.2\n')],
      isSafe: false,
    }
    const message = localize`The YAML header is missing \`version\``
    return [{ span: markedSpan(analysis), message, fixes: place === undefined ? [] : [fix] }]
  },
}

/** The first line of the header that says something, or its fence. */
function markedSpan({ preamble, header }: HeaderContext): Span {
  const first = header.yaml.entries[0]
  const fence = preambleView(preamble).fences[0]
  if (!first) return fence ?? { from: 0, to: nextLineBreak(preamble.text, 0, preamble.length) }
  const from = header.offset + first.range.start
  return { from, to: header.offset + (first.keyRange?.end ?? first.range.end) }
}

/** Where a line can be inserted into the mapping: before its first key, or between empty fences. */
function insertionPlace({ preamble, header }: HeaderContext): number | undefined {
  const first = header.yaml.entries[0]
  if (!first) return preambleView(preamble).fences[1]?.from
  const at = header.offset + first.range.start
  const isLineStart = at === 0 || isLineBreak(preamble.text.charCodeAt(at - 1)) || at === header.offset
  return isLineStart ? at : undefined
}
