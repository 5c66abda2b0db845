/** The payload of a 0.1 tool call that cannot be read as a call. */

import { jsonBody } from '../../embedded/json-body.ts'
import { type JsonNode, jsonTree } from '../../embedded/json-tree.ts'
import { renderedPieces } from '../../syntax/body.ts'
import { localize } from '../../text/localize.ts'
import type { Range, Span } from '../../text/range.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { tokenText } from '../message-header-places.ts'
import { isTruncated } from '../message-states.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** `<|function_call|>` introduces an object with a name and arguments (0.1 §8.2, D3). */
export const malformedFunctionCall: MessageRule = {
  name: 'malformed-function-call',
  code: 'E-CALL-SCHEMA',
  severity: 'error',
  scope: 'message',
  section: '0.1 §8.2, D3',
  summary: 'The payload of `<|function_call|>` is not an object with `name` and `arguments`',
  why: 'A runtime finds the tool by the string `name` and hands it the object `arguments`.\nOnly assistant messages are checked: elsewhere, the token may be part of prose.',
  bad: example`
    <|im_start|>assistant
    <|function_call|>
    {"name": "f"}
    <|im_end|>
  `,
  good: example`
    <|im_start|>assistant
    <|function_call|>
    {"name": "f", "arguments": {}}
    <|im_end|>
  `,
  concerns(facts, { hasTurns }) {
    return (
      hasTurns && facts.role === 'assistant' && facts.isMessage && !facts.isPlainBody && !isTruncated(facts)
    )
  },
  check(context) {
    const { segment } = context
    const marker = tokenText(segment.framing, ControlKind.functionCall)
    if (marker === undefined) return undefined
    const findings: Finding[] = []
    for (const { kind, span, text } of renderedPieces(segment)) {
      if (kind !== 'function' || !text.startsWith(marker)) continue
      const payload = text.slice(marker.length)
      const mistake = mistakeIn(payload)
      if (mistake) findings.push({ span: spanOf(span, mistake.range), message: mistake.message })
    }
    return findings
  },
}

interface Mistake {
  readonly range: Range
  readonly message: string
}

function mistakeIn(payload: string): Mistake | undefined {
  const { problem } = jsonBody(payload)
  if (problem)
    return {
      range: problem.range,
      message: problem.message.includes('JSON')
        ? problem.message
        : localize`The call is not valid JSON: ${problem.message}`,
    }
  const root = jsonTree(payload).root
  if (!root) return undefined
  if (root.type !== 'object')
    return {
      range: rangeOf(root),
      message: localize`A call must be an object with \`name\` and \`arguments\``,
    }
  return propertyMistake(root, 'name', 'string') ?? propertyMistake(root, 'arguments', 'object')
}

function propertyMistake(root: JsonNode, key: string, type: 'string' | 'object'): Mistake | undefined {
  const property = root.children?.find(({ children }) => children?.[0]?.value === key)
  const value = property?.children?.[1]
  const what = type === 'string' ? localize`a string` : localize`an object`
  if (!value) {
    const range = { start: root.offset, end: root.offset + 1 }
    return { range, message: localize`The call is missing \`${key}\`, which must be ${what}` }
  }
  if (value.type === type) return undefined
  return { range: rangeOf(value), message: localize`\`${key}\` of a call must be ${what}` }
}

function rangeOf({ offset, length }: JsonNode): Range {
  return { start: offset, end: offset + length }
}

/** The span of `range` in the payload after `marker`; an empty one, where there is no payload, is the marker. */
function spanOf(marker: Span, { start, end }: Range): Span {
  return start === end ? marker : { from: marker.to + start, to: marker.to + end }
}
