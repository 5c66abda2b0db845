/** A JSON answer that does not fit the response format that the developer asked for. */

import { jsonValue } from '../../embedded/json-body.ts'
import { jsonTree } from '../../embedded/json-tree.ts'
import { type SchemaMismatch, schemaMismatches } from '../../embedded/tool-mismatch.ts'
import { validatorOf } from '../../embedded/tool-validator.ts'
import { bodyText } from '../../semantics/body-text.ts'
import { isAnswer } from '../../semantics/message-kind.ts'
import type { DeclaredFormat } from '../../semantics/tool-index.ts'
import { localize } from '../../text/localize.ts'
import { nameAt } from '../call-findings.ts'
import { example } from '../example.ts'
import { isTruncated } from '../message-states.ts'
import { listed, quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** An answer in JSON fits one of the formats under `# Response Formats` (Harmony's structured output). */
export const unexpectedAnswer: MessageRule = {
  name: 'unexpected-answer',
  code: 'H-RESPONSE-FORMAT',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §12',
  summary: 'A JSON answer does not match the requested response format',
  why: 'Programs that asked for a format cannot read the answer.\nThe schemas under `# Response Formats` in the last developer message before the answer apply; answers that are not JSON are ignored.',
  bad: example`
    version: 2.2
    <|start|>developer<|message|># Response Formats

    ## shopping_list

    {"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}}},"required":["items"]}<|end|>
    <|start|>user<|message|>I need coffee.<|end|>
    <|start|>assistant<|channel|>final<|message|>{"items":"coffee"}<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>developer<|message|># Response Formats

    ## shopping_list

    {"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}}},"required":["items"]}<|end|>
    <|start|>user<|message|>I need coffee.<|end|>
    <|start|>assistant<|channel|>final<|message|>{"items":["coffee"]}<|return|>
  `,
  concerns(facts) {
    return facts.isMessage && isAnswer(facts) && !isTruncated(facts)
  },
  check({ analysis, segment, facts }) {
    if (analysis.tools.isEmpty) return undefined
    const formats = analysis.tools.formats(segment)
    if (formats.length === 0) return undefined
    const body = bodyText(segment, facts)
    if (!body || !/^\s*[[{]/.test(body.text)) return undefined
    const value = jsonValue(body.text) // undefined for prose, which may begin with a bracket
    if (value === undefined || formats.some(({ format }) => validatorOf(format.schema)(value)))
      return undefined
    const { root } = jsonTree(body.text)
    if (!root) return undefined
    const candidates = formats.map((it) => ({
      format: it,
      mismatches: schemaMismatches(root, it.format.schema, body.text),
    }))
    candidates.sort((one, other) => one.mismatches.length - other.mismatches.length)
    const [best] = candidates
    if (!best) return undefined
    return best.mismatches.map((it) => ({
      span: body.spanOf(it.range),
      message: explained(it, best.format),
      related: [relatedTo(best.format)],
    }))
  },
}

function explained(
  { kind, path, names, expected, found }: SchemaMismatch,
  { format }: DeclaredFormat,
): string {
  const name = nameAt(path)
  const what = name === undefined ? localize`The answer` : quoted(name)
  const which =
    format.name === '' ? localize`the response format` : localize`the response format ${quoted(format.name)}`
  switch (kind) {
    case 'missing':
      return localize`${what} is missing ${listed(names)}, which ${which} requires`
    case 'unexpected':
      return localize`${listed(names)} is not part of ${which}`
    case 'value':
      return localize`${what} must be ${expected} according to ${which}, but is ${found}`
    default:
      return kind satisfies never
  }
}

function relatedTo({ format, segment, source }: DeclaredFormat): NonNullable<Finding['related']>[number] {
  const range = format.name === '' ? format.range : format.nameRange
  return { segment, span: source.spanOf(range), message: localize`The format is requested here` }
}
