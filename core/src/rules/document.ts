/**
 * A transcript, its meaning and its problems as one value that is edited in one place. Problems and counts are made when
 * they are first asked for, and from then on each edit keeps them up to date.
 */

import { type ParseOptions, Transcript } from '../document/transcript.ts'
import { type Analysis, type AnalysisChange, analyze } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import type { Segment } from '../syntax/segment.ts'
import type { TextEdit } from '../text/range.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import { Checker, type CheckerOptions, type ProblemList } from './checker.ts'

/** How a document is read, and by which rules it is judged. */
export interface DocumentOptions extends ParseOptions, CheckerOptions {}

/** An open transcript. An edit costs the edited message, however long the transcript is. */
export class Document {
  /** What the transcript means. Edit it through the document only. */
  readonly analysis: Analysis
  #options: CheckerOptions
  #checker: Checker | undefined
  #visibleMessages: number | undefined

  /** Reads `text`, or takes over a transcript that has been read: then `dialect` has no effect. Never throws; linear. */
  constructor(text: string | Transcript, { dialect = 'auto', ...options }: DocumentOptions = {}) {
    this.analysis = analyze(typeof text === 'string' ? Transcript.parse(text, { dialect }) : text)
    this.#options = options
  }

  /** The text as segments, with lines and positions. */
  get transcript(): Transcript {
    return this.analysis.transcript
  }

  /** The dialect, as forced or recognized. */
  get dialect(): DialectName {
    return this.analysis.dialect
  }

  /** Number of messages. */
  get messages(): number {
    return this.analysis.messageCount
  }

  /** Number of messages that an end user sees (D15). */
  get visibleMessages(): number {
    if (this.#visibleMessages === undefined) {
      let count = 0
      this.transcript.forEachSegment((segment) => {
        if (isSeen(segment)) count++
      })
      this.#visibleMessages = count
    }
    return this.#visibleMessages
  }

  /** What the rules found, segment by segment: for editors, which check in time slices and show only what changed. */
  get checker(): Checker {
    this.#checker ??= new Checker(this.analysis, this.#options)
    return this.#checker
  }

  /**
   * Applies `edits` one after the other, each in the coordinates of the text that the one before it left, and brings
   * meaning, problems, and counts up to date.
   *
   * @throws RangeError if an edit reaches outside the text; nothing is changed then
   */
  edit(edits: readonly TextEdit[]): AnalysisChange {
    const change = this.analysis.edit(edits)
    if (this.#visibleMessages !== undefined) {
      for (const segment of change.removed) if (isSeen(segment)) this.#visibleMessages--
      for (const segment of change.inserted) if (isSeen(segment)) this.#visibleMessages++
    }
    this.#checker?.update(change)
    return change
  }

  /** Judges the document by other rules or settings from now on. */
  configure(options: CheckerOptions): void {
    this.#options = options
    this.#checker = undefined
  }

  /** All problems in order of the text, at most `limit`, and their total number. Checks what has not been checked yet. */
  problems(limit = Number.POSITIVE_INFINITY): ProblemList {
    return this.checker.problems(limit)
  }

  /** The problems found so far, for servers that check in time slices with {@link Checker.advance}. */
  problemsSoFar(limit = Number.POSITIVE_INFINITY): ProblemList {
    return this.checker.problemsSoFar(limit)
  }
}

function isSeen(segment: Segment): boolean {
  const facts = factsOf(segment)
  return facts !== undefined && isVisible(facts)
}
