/** A header value that its key does not take. */

import { type HeaderMismatch, headerMismatches } from '../../embedded/header-mismatch.ts'
import { documentHeaderSchema } from '../../semantics/document-header-schema.ts'
import { localizable, localize, localized } from '../../text/localize.ts'
import { choiceFixes } from '../choice-fixes.ts'
import { closestWord, expectedOneOf } from '../closest-word.ts'
import { example, harmonyHeader } from '../example.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import { quoted } from '../quoted.ts'
import type { HeaderRule } from '../rule.ts'

/** Values of known keys have known types (2.2 §2). */
export const unfitHeaderValue: HeaderRule = {
  name: 'unfit-header-value',
  code: 'H-HEADER-VALUE',
  severity: 'hint',
  scope: 'header',
  section: '2.2 §2, §12',
  summary: 'A key of the YAML header has an invalid value',
  why: 'The header is valid YAML, but readers expect a value of another type and ignore this one: `enabled: "true"` does not turn anything on.\nUnknown keys are ignored and not reported.',
  bad: example`
    version: 2.2
    profiles:
      harmony:
        enabled: "true"
    <|start|>user<|message|>Hi<|end|>
  `,
  good: example`
    ${harmonyHeader}
    <|start|>user<|message|>Hi<|end|>
  `,
  check(analysis) {
    if (!hasYamlHeader(analysis)) return []
    const { header } = analysis
    return headerMismatches(header.yaml, documentHeaderSchema).map((mismatch) => {
      const span = { from: header.offset + mismatch.range.start, to: header.offset + mismatch.range.end }
      const fixes = choiceFixes(span, replacementsOf(mismatch, header.yaml.text))
      return { span, message: messageOf(mismatch), fixes }
    })
  },
}

function messageOf(mismatch: HeaderMismatch): string {
  const key = quoted(mismatch.path.join('.'))
  if (mismatch.kind === 'type') {
    const wanted = mismatch.expected.map((type) => localized(typeNames[type] ?? type)).join(localize` or `)
    return localize`${key} must be ${wanted}, not ${localized(typeNames[mismatch.actual] ?? mismatch.actual)}`
  }
  if (mismatch.kind === 'minimum')
    return localize`${key} must be at least ${mismatch.minimum}, not ${mismatch.actual}`
  const suggestion = closestWord(mismatch.actual, mismatch.allowed)
  const message = localize`${key} does not accept ${quoted(mismatch.actual)}`
  return expectedOneOf(message, suggestion, mismatch.allowed)
}

const typeNames: Readonly<Record<string, string>> = {
  object: localizable`a mapping`,
  array: localizable`a list`,
  string: localizable`a string`,
  number: localizable`a number`,
  boolean: localizable`\`true\` or \`false\``,
}

/** A number or a truth value in quotes, without them; or the allowed values that may be meant. */
function replacementsOf(mismatch: HeaderMismatch, text: string): readonly string[] {
  if (mismatch.kind === 'minimum') return []
  if (mismatch.kind === 'value') {
    const suggestion = closestWord(mismatch.actual, mismatch.allowed)
    return suggestion === undefined ? mismatch.allowed : [suggestion]
  }
  const source = text.slice(mismatch.range.start, mismatch.range.end)
  const quote = source.charAt(0)
  const isQuoted = (quote === '"' || quote === "'") && source.length > 1 && source.endsWith(quote)
  if (!isQuoted || mismatch.actual !== 'string') return []
  const bare = source.slice(1, -1)
  if (mismatch.expected.includes('boolean') && /^(true|false)$/.test(bare)) return [bare]
  return mismatch.expected.includes('number') && /^-?\d+(\.\d+)?$/.test(bare) ? [bare] : []
}
