/** The outcome of each call, shown after it: where it is answered, or that it is not. */

import type { Analysis } from '../semantics/analysis.ts'
import { factsOf, isCall } from '../semantics/message-facts.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'

/** A note after a call. */
export interface InlayHint {
  /** Offset in the document. */
  readonly offset: number
  /** `reply: line 12`. */
  readonly label: string
  /** The reply; undefined while there is none. */
  readonly target: Range | undefined
}

/** The hints for the calls in `range`, in document order, made one by one. */
export function* inlayHints(analysis: Analysis, range: Range): IterableIterator<InlayHint> {
  const { transcript } = analysis
  const first = transcript.segmentAt(Math.max(0, Math.min(range.start, transcript.length)))
  for (const { segment, start } of transcript.segments(first.index)) {
    if (start > range.end) return
    const facts = factsOf(segment)
    const exchange = facts && isCall(facts) ? analysis.exchanges.exchange(segment) : undefined
    const { terminator } = exchange ? viewMessage(segment) : {}
    if (!exchange || !terminator) continue
    const reply = exchange.partner && transcript.locate(exchange.partner)
    const offset = start + terminator.span.to
    if (!reply) {
      yield { offset, label: localize`no reply`, target: undefined }
      continue
    }
    const line = transcript.positionAt(reply.start).line + 1
    const time = elapsed(segment, reply.segment)
    yield {
      offset,
      label:
        time === undefined ? localize`reply: line ${line}` : localize`reply: line ${line} · ${time} later`,
      target: { start: reply.start, end: reply.start + viewMessage(reply.segment).end },
    }
  }
}

const timestamp = /"timestamp"\s*:\s*"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))"/

/** The time between call and reply where both carry a time stamp (2.2 §8.2); undefined otherwise. */
function elapsed(call: Segment, reply: Segment): string | undefined {
  const from = timeOf(call)
  const to = timeOf(reply)
  if (from === undefined || to === undefined || to < from) return undefined
  const milliseconds = to - from
  return milliseconds < 10_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`
}

function timeOf({ text }: Segment): number | undefined {
  if (!text.includes('"timestamp"')) return undefined
  const time = Date.parse(timestamp.exec(text)?.[1] ?? '')
  return Number.isNaN(time) ? undefined : time
}
