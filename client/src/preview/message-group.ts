/** The groups of hidden messages, and how many messages users do not see in each. */
import {
  type Analysis,
  type Document,
  factsOf,
  hiddenReason,
  isPrivatePiece,
  kindOf,
  messageView,
  renderedPieces,
  type Segment,
} from '../../../core/src/internal.ts'
import type { EverythingGroup, HiddenCounts } from './preview-protocol.ts'

/** The group that the message of `segment` is in, whatever is wrong with it. */
export function groupOf(segment: Segment): Exclude<EverythingGroup, 'problems'> | undefined {
  const facts = factsOf(segment)
  if (!facts?.isMessage) return undefined
  switch (kindOf(facts)) {
    case 'call':
    case 'reply':
      return 'tools'
    case 'reasoning':
      return 'reasoning'
    case 'instructions':
      return 'instructions'
    default:
      return undefined
  }
}

/** True if users do not see the message of `segment` because of a mistake in its header. */
export function isHiddenByError(segment: Segment): boolean {
  const facts = factsOf(segment)
  if (!facts || facts.isPrompt) return false
  const reason = hiddenReason(facts)
  return (
    reason === 'no-message' ||
    reason === 'unknown-role' ||
    reason === 'unknown-channel' ||
    reason === 'doubtful-header'
  )
}

/**
 * True if copying the message at `offset` as a whole would copy what users do not see: private blocks, or text after it that
 * belongs to no message.
 */
export function hasPrivateText({ transcript }: Analysis, offset: number): boolean {
  const { segment } = transcript.segmentAt(offset)
  const facts = factsOf(segment)
  if (!facts || segment.kind !== 'message') return false
  return (
    facts.hasThoughts ||
    messageView(segment).stray !== undefined ||
    renderedPieces(segment).some(({ kind }) => isPrivatePiece(kind, facts.role))
  )
}

/** Counts the messages of a document that users do not see. An edit counts what it replaced. */
export class HiddenCounter {
  #counts: HiddenCounts = { reasoning: 0, tools: 0, instructions: 0, problems: 0 }

  /** Another object as soon as the numbers change. */
  get counts(): HiddenCounts {
    return this.#counts
  }

  /** Counts all messages. */
  read({ transcript }: Document): void {
    const segments: Segment[] = []
    transcript.forEachSegment((segment) => void segments.push(segment))
    this.#counts = { reasoning: 0, tools: 0, instructions: 0, problems: 0 }
    this.update({ inserted: segments, removed: [] })
  }

  /** Takes over an edit. */
  update(change: { readonly inserted: Iterable<Segment>; readonly removed: Iterable<Segment> }): void {
    const counts = { ...this.#counts }
    for (const segment of change.inserted) count(counts, segment, 1)
    for (const segment of change.removed) count(counts, segment, -1)
    const groups = Object.keys(counts) as EverythingGroup[]
    if (groups.some((it) => counts[it] !== this.#counts[it])) this.#counts = counts
  }
}

function count(counts: Record<EverythingGroup, number>, segment: Segment, by: number): void {
  if (isHiddenByError(segment)) {
    counts.problems += by
    return
  }
  const group = groupOf(segment)
  const facts = factsOf(segment)
  // A reply is shown with its call.
  if (!group || !facts || kindOf(facts) === 'reply' || hiddenReason(facts) === undefined) return
  counts[group] += by
}
