/**
 * The few messages that messages far away are judged by: the last one, the first one of the user, and the last one that
 * shows that a turn moved on. An edit that moves one of them determines which messages to check again.
 */

import type { Analysis, AnalysisChange } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { isAnswer } from '../semantics/message-kind.ts'
import type { Segment } from '../syntax/segment.ts'
import { append } from '../text/append.ts'

/** Knows the reference messages of a document, and the messages that were judged by them. */
export class ReferenceMessages {
  readonly #analysis: Analysis
  #last: Segment
  #firstUser: Segment | undefined
  #turnMarker: Segment | undefined
  /** The calls without reply that were judged as still waited for: no turn marker is after them. */
  readonly #openCalls = new Set<Segment>()

  constructor(analysis: Analysis) {
    this.#analysis = analysis
    this.#last = analysis.lastSegment
    this.#firstUser = this.#findFirstUser()
    this.#turnMarker = analysis.transcript.findLastSegment(isTurnMarker)
  }

  /** The last segment of the document. */
  get last(): Segment {
    return this.#last
  }

  /** True if `segment` is after the first message of the user. */
  isBehindFirstUser(segment: Segment): boolean {
    const first = this.#indexOf(this.#firstUser)
    return first !== undefined && first < (this.#indexOf(segment) ?? 0)
  }

  /** True if `call` has no reply though a turn moved on after it; remembers the calls that are still waited for. */
  hasTurnMovedOn(call: Segment, isUnanswered: boolean): boolean {
    const turnMovedOn = isUnanswered && this.#isBeforeTurnMarker(call)
    if (isUnanswered && !turnMovedOn) this.#openCalls.add(call)
    else this.#openCalls.delete(call)
    return turnMovedOn
  }

  /** Takes over an edit; answers the messages that are judged by a reference that moved. */
  update(change: AnalysisChange): readonly Segment[] {
    for (const segment of change.removed) this.#openCalls.delete(segment)
    const toJudge: Segment[] = []
    const { lastSegment } = this.#analysis
    if (this.#last !== lastSegment) {
      if (this.#analysis.transcript.locate(this.#last)) toJudge.push(this.#last)
      toJudge.push(lastSegment)
      this.#last = lastSegment
    }
    if (this.#moveTurnMarker(change)) append(toJudge, this.#callsPassed())
    // System messages are judged by where the first user message is.
    if (this.#moveFirstUser(change)) {
      this.#analysis.transcript.forEachSegment((segment) => {
        if (factsOf(segment)?.role === 'system') toJudge.push(segment)
      })
    }
    return toJudge
  }

  /** Looks for the last message that shows that a turn moved on; true if it is another one than before. */
  #moveTurnMarker({ removed, inserted }: AnalysisChange): boolean {
    const before = this.#turnMarker
    if (before && removed.includes(before)) {
      this.#turnMarker = this.#analysis.transcript.findLastSegment(isTurnMarker)
      return true
    }
    for (const segment of inserted) {
      if (isTurnMarker(segment) && (this.#indexOf(segment) ?? 0) > (this.#indexOf(this.#turnMarker) ?? -1)) {
        this.#turnMarker = segment
      }
    }
    return this.#turnMarker !== before
  }

  /** Looks for the first message of the user; true if it is another one than before. */
  #moveFirstUser({ removed, inserted }: AnalysisChange): boolean {
    const before = this.#firstUser
    if (before && removed.includes(before)) {
      this.#firstUser = this.#findFirstUser()
      return true
    }
    for (const segment of inserted) {
      const first = this.#indexOf(this.#firstUser) ?? Number.POSITIVE_INFINITY
      if (isUserMessage(segment) && (this.#indexOf(segment) ?? first) < first) this.#firstUser = segment
    }
    return this.#firstUser !== before
  }

  /** The calls that the turn marker has passed, forwards or backwards. */
  *#callsPassed(): IterableIterator<Segment> {
    for (const call of this.#openCalls) if (this.#isBeforeTurnMarker(call)) yield call
    const { transcript, exchanges } = this.#analysis
    for (const { segment } of transcript.segments((this.#indexOf(this.#turnMarker) ?? -1) + 1)) {
      if (exchanges.unanswered.has(segment) && !this.#openCalls.has(segment)) yield segment
    }
  }

  #isBeforeTurnMarker(segment: Segment): boolean {
    const marker = this.#indexOf(this.#turnMarker)
    const index = marker === undefined ? undefined : this.#indexOf(segment)
    return marker !== undefined && index !== undefined && index < marker
  }

  #findFirstUser(): Segment | undefined {
    return this.#analysis.transcript.findFirstSegment(isUserMessage)
  }

  #indexOf(segment: Segment | undefined): number | undefined {
    return segment && this.#analysis.transcript.locate(segment)?.index
  }
}

/** A user message or a final answer: a tool that was called before it is not waited for any more (D13). */
function isTurnMarker(segment: Segment): boolean {
  const facts = factsOf(segment)
  if (!facts?.isMessage) return false
  return facts.role === 'user' || isAnswer(facts)
}

function isUserMessage(segment: Segment): boolean {
  const facts = factsOf(segment)
  return facts?.isMessage === true && facts.role === 'user'
}
