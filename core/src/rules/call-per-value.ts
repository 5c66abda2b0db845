/** A body with several JSON values, which is to be several calls. */

import { trimmedEnd } from '../embedded/embedded-problem.ts'
import { jsonBody } from '../embedded/json-body.ts'
import { freshCallId } from '../semantics/fresh-call-id.ts'
import { isCall } from '../semantics/message-facts.ts'
import { localize } from '../text/localize.ts'
import { attributeNamed } from './message-header-places.ts'
import type { Fix, MessageContext } from './rule.ts'

const valuesAtMost = 20 // of one message

/** Makes each value in the body of a call a call of its own; the second one begins at `second` in the body. */
export function callPerValue(context: MessageContext, second: number): Fix | undefined {
  const { segment, facts, view, analysis } = context
  const { body, terminator } = view
  if (!isCall(facts) || !facts.isPlainBody || !body || !terminator) return undefined
  const text = segment.text.slice(body.from, body.to)
  const starts = startsOfValues(text, second)
  const located = analysis.transcript.locate(segment)
  if (!starts || !located) return undefined
  const end = segment.text.slice(terminator.span.from, terminator.span.to)
  const id = attributeNamed(view, 'call_id')?.value
  const ids = idsBehind(context, located.start + segment.length, starts.length)
  const edits = starts.map((start, index) => {
    const header = id
      ? segment.text.slice(0, id.span.from) + ids[index] + segment.text.slice(id.span.to, body.from)
      : segment.text.slice(0, body.from)
    const gap = { from: body.from + trimmedEnd(text, 0, start), to: body.from + start }
    return { span: gap, text: `${end}\n${header}` }
  })
  return { title: localize`Split into one call per value`, edits, isSafe: false }
}

/** Where the second value and those after it begin; undefined if something else is there. */
function startsOfValues(text: string, second: number): readonly number[] | undefined {
  const starts: number[] = []
  for (let at = second; starts.length < valuesAtMost; ) {
    starts.push(at)
    const { problem } = jsonBody(text.slice(at))
    if (!problem) return starts
    if (problem.kind !== 'second-value') return undefined
    at += problem.range.start
  }
  return undefined
}

function idsBehind({ analysis }: MessageContext, offset: number, count: number): readonly string[] {
  const first = freshCallId(analysis, offset)
  const [, stem = first, digits = '0'] = /^(.*?)(\d{1,9})$/.exec(first) ?? []
  const ids: string[] = []
  for (let number = Number(digits); ids.length < count; number++) {
    const id = `${stem}${number}`
    if (analysis.exchanges.withId(id).length === 0) ids.push(id)
  }
  return ids
}
