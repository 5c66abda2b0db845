/** Arguments that are null because a table has a column for them. */
import type { JsonNode } from '../../embedded/json-tree.ts'
import { localize } from '../../text/localize.ts'
import { findingsOf, isNullMember, type MismatchVerdict, mayCall, spanIn } from '../call-findings.ts'
import { example } from '../example.ts'
import { listed, quoted } from '../quoted.ts'
import type { Finding, MessageRule, SpanEdit } from '../rule.ts'

/** A call gives a tool what it takes (S16). */
export const nullArgument: MessageRule = {
  name: 'null-argument',
  code: 'W-DATA-NULL-ARGUMENTS',
  severity: 'warning',
  scope: 'message',
  group: 'data',
  section: '2.2 §8.2, S16',
  summary: 'A call passes `null` for arguments that do not accept it',
  why: 'Columnar formats give all rows the same fields: a call that was written with one argument gets those of every other tool, as `null`.\nA model that is trained on such calls writes them.',
  bad: example`
    {"messages": [{"role": "user", "content": "Weather in Oslo?"}, {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": {"city": "Oslo", "query": null}}}]}], "tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "Weather in Oslo?"}, {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": {"city": "Oslo"}}}]}], "tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]}
  `,
  concerns: mayCall,
  check(context) {
    return findingsOf(context, 'mismatches', findingsIn)
  },
}

/** One finding and one fix for each object with such members. */
function findingsIn(verdict: MismatchVerdict): readonly Finding[] {
  const byObject = new Map<JsonNode, Set<number>>()
  const { call, tool } = verdict
  for (const mismatch of verdict.mismatches) {
    const object = mismatch.node.parent
    if (!object || !isNullMember(mismatch)) continue
    const offsets = byObject.get(object) ?? new Set()
    byObject.set(object, offsets.add(mismatch.node.offset))
  }
  return [...byObject].flatMap(([object, offsets]) => {
    const members = object.children ?? []
    const nulls = members.filter(({ offset }) => offsets.has(offset))
    const [first] = nulls
    if (!first) return []
    const names = nulls.map(({ children }) => String(children?.[0]?.value))
    const tell = quoted(tool.definition.name)
    return {
      span: spanIn(call, { start: first.offset, end: first.offset + first.length }),
      message: localize`Arguments are \`null\`, which ${tell} does not accept: ${listed(names)}`,
      fixes: [
        {
          title:
            nulls.length === 1
              ? localize`Remove ${quoted(names[0] ?? '')}`
              : localize`Remove the arguments that are \`null\``,
          edits: removals(members, offsets).map((it): SpanEdit => ({ span: spanIn(call, it), text: '' })),
          isSafe: true,
        },
      ],
    }
  })
}

/** The stretches to remove, with the commas that go with them. */
function removals(members: readonly JsonNode[], removed: ReadonlySet<number>) {
  const ranges: { start: number; end: number }[] = []
  let end: number | undefined // of the last member that is kept
  let start: number | undefined // of the first of a run that is removed
  for (const { offset, length } of members) {
    if (removed.has(offset)) {
      start ??= offset
      continue
    }
    if (start !== undefined) ranges.push({ start, end: offset })
    start = undefined
    end = offset + length
  }
  const last = members.at(-1)
  if (start !== undefined && last) ranges.push({ start: end ?? start, end: last.offset + last.length })
  return ranges
}
