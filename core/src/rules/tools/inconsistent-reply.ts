/** A reply whose envelope contradicts itself. */

import { jsonValue } from '../../embedded/json-body.ts'
import { type JsonNode, jsonTree } from '../../embedded/json-tree.ts'
import { membersOf } from '../../embedded/tool-json-schema.ts'
import type { SchemaType } from '../../embedded/tool-schema.ts'
import { expectation } from '../../embedded/tool-schema-text.ts'
import { bodyText } from '../../semantics/body-text.ts'
import { isReply } from '../../semantics/message-facts.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { isTruncated } from '../message-states.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** A reply in the recommended envelope says whether the call succeeded, and gives what goes with that (2.2 §8.2). */
export const inconsistentReply: MessageRule = {
  name: 'inconsistent-reply',
  code: 'H-REPLY-ENVELOPE',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §8.2',
  summary: 'The envelope of a reply contradicts itself',
  why: 'The recommended envelope has a boolean `ok`, the `content`, an `error` that is `null` or absent on success, and the `provenance`.\nA reader that trusts `ok` misses what the rest says.\nReplies without `ok` are not checked.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":false,"content":{}}<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":false,"error":"not found"}<|end|>
  `,
  concerns(facts) {
    return isReply(facts) && !isTruncated(facts)
  },
  check({ segment, facts }) {
    if (!segment.text.includes('"ok"')) return undefined
    const body = bodyText(segment, facts)
    if (!body) return undefined
    const { text } = body
    if (isPlainSuccess(text) || !/^\s*\{/.test(text) || isConsistent(text)) return undefined
    const { root } = jsonTree(text)
    return mistakesIn(root).map(({ node, message }): Finding => {
      const { offset, length } = node
      return { span: body.spanOf({ start: offset, end: offset + length }), message }
    })
  },
}

/** True for most envelopes: a success without any word about an error or where the data are from. */
function isPlainSuccess(text: string): boolean {
  const match = success.exec(text)
  if (!match || text.includes('\\')) return false
  return !['"ok"', '"error"', '"provenance"'].some((key) => text.includes(key, match[0].length))
}

const success = /^\s*\{\s*"ok"\s*:\s*true\s*[,}]/

/** True for nearly every envelope, so that places are looked for only where there is something to mark. */
function isConsistent(text: string): boolean {
  const envelope = jsonValue(text) as Readonly<Record<string, unknown>> | undefined
  if (envelope === undefined) return false // the tree tolerates what the engine does not
  const { ok, error, provenance } = envelope
  if (ok === undefined) return true
  const hasError = error !== undefined && error !== null
  const hasSource = provenance === undefined || (typeof provenance === 'object' && !Array.isArray(provenance))
  return typeof ok === 'boolean' && ok !== hasError && hasSource
}

interface Mistake {
  readonly node: JsonNode
  readonly message: string
}

function mistakesIn(root: JsonNode | undefined): readonly Mistake[] {
  const members = membersOf(root)
  const ok = members.get('ok')
  if (!ok) return []
  if (ok.type !== 'boolean') return [{ node: ok, message: wrongType('ok', 'boolean') }]
  const error = members.get('error')
  const hasError = error !== undefined && error.type !== 'null'
  const mistakes: Mistake[] = []
  if (ok.value === false && !hasError) {
    mistakes.push({
      node: ok,
      message: localize`\`ok\` is \`false\`, but \`error\` is missing`,
    })
  }
  if (ok.value === true && hasError) {
    mistakes.push({ node: error, message: localize`\`ok\` is \`true\`, but there is an \`error\`` })
  }
  const provenance = members.get('provenance')
  if (provenance && provenance.type !== 'object' && provenance.type !== 'null') {
    mistakes.push({ node: provenance, message: wrongType('provenance', 'object') })
  }
  return mistakes
}

function wrongType(name: string, type: SchemaType): string {
  return localize`\`${name}\` of a reply must be ${expectation({ range: { start: 0, end: 0 }, types: [type] })}`
}
