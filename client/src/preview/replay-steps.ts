/** A conversation as it streamed: which visible text was there after each delta of the streaming parser (2.2 §9). */
import {
  type Analysis,
  type StreamEvent,
  StreamingParser,
  type VisibleMessage,
  visibleMessages,
} from '../../../core/src/internal.ts'
import { pageMessage } from './page-view.ts'
import type { PageMessage, Replay, ReplayStep } from './preview-protocol.ts'

/** How much is replayed at once: messages, and UTF-16 code units of them together. */
const limits = { messages: 100, text: 200_000 }

/** How many messages before the reader's are replayed too. */
const before = 20

/** About what a model says at once: a control token, or the start of a word with the white space before it. */
const token = /<\|[^|<>]*\|>|\s*[^\s<]{1,6}|\s+|</g

/** The replay of the messages around the one at `offset`. It has visible messages only, because it is made of them. */
export function replayOf(analysis: Analysis, offset: number): Replay {
  const { chosen, isCut } = messagesAround(analysis, offset)
  const first = chosen[0]
  if (!first) return { messages: [], steps: [], start: 0, isTruncated: false, isCut }
  const messages = chosen.map((message, index) => pageMessage(`replay-${index}`, message, limits.text))
  const end = isCut ? chosen.at(-1)?.offset : undefined
  const steps = stepsOf(analysis, chosen, messages, end)
  const current = chosen.findLastIndex((message) => message.offset <= offset)
  const start = steps.findIndex(({ message }) => message === current)
  return {
    messages,
    steps,
    start: Math.max(0, start),
    isTruncated: messages.at(-1)?.isTruncated === true,
    isCut,
  }
}

function messagesAround(analysis: Analysis, offset: number) {
  const chosen: VisibleMessage[] = []
  let earlier: VisibleMessage[] = []
  let text = 0
  for (const message of visibleMessages(analysis)) {
    if (message.offset <= offset) {
      earlier.push(message)
      if (earlier.length > 2 * before) earlier = earlier.slice(-before)
      continue
    }
    text += lengthOf(message)
    if (chosen.length + before >= limits.messages || text > limits.text) {
      return { chosen: [...earlier.slice(-before), ...chosen], isCut: true }
    }
    chosen.push(message)
  }
  return { chosen: [...earlier.slice(-before), ...chosen], isCut: false }
}

/** The steps of `chosen`, read as a stream that begins with the first of them. */
function stepsOf(
  { transcript, dialect }: Analysis,
  chosen: readonly VisibleMessage[],
  messages: readonly PageMessage[],
  lastStart: number | undefined,
): ReplayStep[] {
  const origin = chosen[0]?.offset ?? 0
  const places = new Map(chosen.map((message, index) => [message.offset, index]))
  const indexes = new Map<number, number>()
  const lengths = messages.map(() => 0)
  const steps: ReplayStep[] = []
  const take = (events: readonly StreamEvent[]) => {
    for (const event of events) {
      if (event.type === 'message.start') {
        const place = places.get(event.offset + origin)
        if (place !== undefined) indexes.set(event.index, place)
      } else if (event.type === 'response.delta') {
        const message = indexes.get(event.messageIndex)
        if (message === undefined) continue
        const length = (lengths[message] ?? 0) + event.text.length
        lengths[message] = length
        steps.push({ message, length })
      }
    }
  }
  // After the header, its dialect is no longer to be recognised.
  const parser = new StreamingParser({ dialect })
  const last = transcript.segmentAt(lastStart ?? Math.max(0, transcript.length - 1))
  const source = transcript.text({ start: origin, end: last.start + last.segment.text.length })
  for (const [chunk] of source.matchAll(token)) take(parser.push(chunk))
  take(parser.end())
  return steps
}

function lengthOf({ parts }: VisibleMessage): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0)
}
