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
import {
  type EverythingCounts,
  type EverythingGroup,
  everythingGroups,
  type HiddenCounts,
} from './preview-protocol.ts'

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

const noneHidden: EverythingCounts = { reasoning: 0, tools: 0, instructions: 0, problems: 0 }

/** Counts the messages of a document that users do not see. An edit counts what it replaced. */
export class HiddenCounter {
  #counts: HiddenCounts = { ...noneHidden, isEmpty: true }
  /** Messages and what was meant as one, whether or not users see them. */
  #messages = 0

  /** Another object as soon as the numbers change. */
  get counts(): HiddenCounts {
    return this.#counts
  }

  /** Counts all messages. */
  read({ transcript }: Document): void {
    const segments: Segment[] = []
    transcript.forEachSegment((segment) => void segments.push(segment))
    this.#counts = { ...noneHidden, isEmpty: true }
    this.#messages = 0
    this.update({ inserted: segments, removed: [] })
  }

  /** Takes over an edit. */
  update(change: { readonly inserted: Iterable<Segment>; readonly removed: Iterable<Segment> }): void {
    const hidden = { ...this.#counts }
    for (const segment of change.inserted) this.#count(hidden, segment, 1)
    for (const segment of change.removed) this.#count(hidden, segment, -1)
    const isEmpty = this.#messages === 0
    const isSame = everythingGroups.every((it) => hidden[it] === this.#counts[it])
    if (!isSame || isEmpty !== this.#counts.isEmpty) this.#counts = { ...hidden, isEmpty }
  }

  #count(hidden: Record<EverythingGroup, number>, segment: Segment, by: number): void {
    if (factsOf(segment)?.isMessage || isHiddenByError(segment)) this.#messages += by
    count(hidden, segment, by)
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
