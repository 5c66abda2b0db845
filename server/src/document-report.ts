/**
 * The diagnostics of one document, kept from one question to the next: a segment's problems are converted again only
 * if they changed or moved, and nothing is looked at where an edit can have changed neither.
 */
import type { Diagnostic, Position } from 'vscode-languageserver'
import type { Checker, FlaggedSegment, Segment } from '../../core/src/internal.ts'
import type { MovedLines, OpenDocument } from './open-document.ts'
import { toDiagnostic, toOverflow } from './to-lsp.ts'

/** Diagnostics under the id by which a client asks whether there are others. */
export interface Report {
  readonly items: readonly Diagnostic[]
  readonly resultId: string
}

/** The diagnostics of a segment. */
interface Block {
  readonly mark: object
  readonly start: Position
  readonly items: readonly Diagnostic[]
  /** True if a diagnostic points to another segment, which may move by itself. */
  readonly pointsElsewhere: boolean
}

/** What the blocks were made from. */
interface Basis {
  readonly checker: Checker
  readonly revision: number
  readonly total: number
  readonly limit: number
}

/** Makes the diagnostics of one document. */
export class DocumentReport {
  readonly #document: OpenDocument
  readonly #documentationBase: string | undefined
  readonly #nextId: () => string
  #basis: Basis | undefined
  #blocks: ReadonlyMap<Segment, Block> = new Map()
  #report: Report

  /** `nextId` gives an id that no report had. */
  constructor(document: OpenDocument, documentationBase: string | undefined, nextId: () => string) {
    this.#document = document
    this.#documentationBase = documentationBase
    this.#nextId = nextId
    this.#report = { items: [], resultId: nextId() }
  }

  /** What the document has now; complete only when no check is pending. Equal diagnostics keep their id. */
  current(): Report {
    const { checker, settings } = this.#document
    const before = this.#basis
    const { revision, totalSoFar: total } = checker
    const basis = { checker, revision, total, limit: settings.maxProblems }
    const moved = this.#document.takeMovedLines()
    if (before && isEqual(before, basis) && !this.#touches(moved)) return this.#report
    this.#basis = basis
    const blocksBefore = before && isComparable(before, basis) ? this.#blocks : new Map<Segment, Block>()
    this.#blocks = this.#convert(basis, blocksBefore)
    const items = this.#items(basis)
    const isSame =
      before?.total === total && before.limit === basis.limit && isSameText(items, this.#report.items)
    this.#report = { items, resultId: isSame ? this.#report.resultId : this.#nextId() }
    return this.#report
  }

  /** True if a diagnostic begins, ends or points to a place in `moved`. */
  #touches(moved: MovedLines | undefined): boolean {
    if (!moved) return false
    const isMoved = ({ range: { start, end } }: { readonly range: Diagnostic['range'] }) =>
      (moved.first <= start.line && start.line <= moved.last) ||
      (moved.first <= end.line && end.line <= moved.last)
    return this.#report.items.some(
      (it) => isMoved(it) || it.relatedInformation?.some(({ location }) => isMoved(location)),
    )
  }

  /** The blocks in order of the text, those of `before` as far as they still hold. */
  #convert({ checker, limit }: Basis, before: ReadonlyMap<Segment, Block>): ReadonlyMap<Segment, Block> {
    const blocks = new Map<Segment, Block>()
    for (const flagged of checker.flagged(limit)) {
      const start = this.#document.transcript.positionAt(flagged.start)
      const known = before.get(flagged.segment)
      const holds = known && known.mark === flagged.mark && isAt(known.start, start) && !known.pointsElsewhere
      blocks.set(flagged.segment, holds ? known : this.#block(flagged, start))
    }
    return blocks
  }

  #block(flagged: FlaggedSegment, start: Position): Block {
    const { checker, settings } = this.#document
    const problems = checker.problemsOf(flagged, settings.maxProblems)
    const items = problems.map((it) => toDiagnostic(this.#document, it, this.#documentationBase))
    const end = flagged.start + flagged.segment.length
    const pointsElsewhere = problems.some(({ related }) =>
      related.some(({ range }) => range.start < flagged.start || range.end > end),
    )
    return { mark: flagged.mark, start, items, pointsElsewhere }
  }

  /** At most as many as the settings allow; if there are more, the last entry says how many. */
  #items({ total, limit }: Basis): readonly Diagnostic[] {
    const nShown = total > limit ? limit - 1 : limit
    const items: Diagnostic[] = []
    for (const block of this.#blocks.values()) {
      for (const item of block.items) {
        if (items.length < nShown) items.push(item)
      }
    }
    if (total <= limit) return items
    const position = items.at(-1)?.range.end ?? { line: 0, character: 0 }
    items.push(toOverflow({ start: position, end: position }, total - items.length, limit))
    return items
  }
}

function isEqual(one: Basis, other: Basis): boolean {
  return isComparable(one, other) && one.revision === other.revision
}

/** True if the marks of segments can be compared, and if as much of each was converted. */
function isComparable(one: Basis, other: Basis): boolean {
  return one.checker === other.checker && one.limit === other.limit
}

function isAt(one: Position, other: Position): boolean {
  return one.line === other.line && one.character === other.character
}

/** Compares as clients would; what is the same object needs no look. */
function isSameText(items: readonly Diagnostic[], before: readonly Diagnostic[]): boolean {
  if (items.length !== before.length) return false
  return items.every(
    (it, index) => it === before[index] || JSON.stringify(it) === JSON.stringify(before[index]),
  )
}
