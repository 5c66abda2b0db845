/** A reply to begin with, for a call that has none. */
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { toolChannel } from '../vocabulary/channels.ts'
import type { MessageFacts } from './message-facts.ts'
import { headerOfMessage } from './message-header.ts'

/** What is inserted, and where in the segment of the call. */
export interface ReplySkeleton {
  readonly at: number
  /** With `\n` for the line break of the document. */
  readonly text: string
}

/**
 * The reply to the call in `segment`, to be directly after it, with the envelope that 2.2 §8.2 recommends. In raw Harmony
 * text a tool speaks under its own name, and nothing is between messages. Undefined for a call that is not ended.
 */
export function replySkeleton(segment: Segment, { to, callId }: MessageFacts): ReplySkeleton | undefined {
  const { terminator, end: at } = viewMessage(segment)
  if (!terminator || to === undefined) return undefined
  const isHarmony = segment.framing.name === 'harmony'
  const speaker = isHarmony
    ? { role: to }
    : { role: 'tool', name: to, ...(callId !== undefined && { callId }) }
  const header = headerOfMessage({ ...speaker, to: 'assistant', channel: toolChannel })
  return { at, text: `${isHarmony ? '' : '\n'}<|start|>${header}<|message|>{"ok":true,"content":{}}<|end|>` }
}
