/**
 * The diagnostics of one document, kept from one question to the next: a segment's problems are converted again only
 * if they changed or moved, and nothing is looked at where an edit can have changed neither.
 */
import type { Diagnostic } from 'vscode-languageserver'
import type { Checker, FlaggedSegment, Position, Problem, Range, Segment } from '../../core/src/internal.ts'
import {
  type Anchor,
  type AnchoredPosition,
  anchored,
  type DiagnosticText,
  diagnosticText,
  JsonBytes,
  positionFrom,
} from './diagnostic-text.ts'
import type { MovedLines, OpenDocument } from './open-document.ts'
import { toDiagnostic, toOverflow, toRange } from './to-lsp.ts'

/** Diagnostics under the id by which a client asks whether there are others. */
export interface Report {
  /** The list as JSON, in UTF-8. */
  readonly json: Uint8Array
  /** The same as objects, for transports that take no text; read when they are asked for. */
  readonly items: readonly Diagnostic[]
  readonly resultId: string
}

/** The diagnostics of a segment. */
interface Block {
  readonly mark: object
  /** The segment, then those that its diagnostics point to. */
  readonly anchors: readonly Segment[]
  /** Where they begin now. */
  readonly positions: Position[]
  readonly items: readonly ListedItem[]
}

/** A diagnostic with what it was made from. */
interface ListedItem extends DiagnosticText {
  readonly problem: Problem
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
  readonly #json = new JsonBytes()
  #report: Report
  /** How many diagnostics were made so far, each from its problem: the cost of an edit, for tests. */
  made = 0

  /** `nextId` gives an id that no report had. */
  constructor(document: OpenDocument, documentationBase: string | undefined, nextId: () => string) {
    this.#document = document
    this.#documentationBase = documentationBase
    this.#nextId = nextId
    this.#report = new ListReport(this.#listed(undefined).slice(), nextId())
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
    const json = this.#listed(basis)
    if (!isSame(json, this.#report.json)) this.#report = new ListReport(json.slice(), this.#nextId())
    return this.#report
  }

  /** True if a diagnostic begins, ends or points to a place in `moved`. */
  #touches(moved: MovedLines | undefined): boolean {
    if (!moved) return false
    const { first, last } = moved
    for (const { items, positions: begins } of this.#blocks.values()) {
      for (const { positions } of items) {
        for (const { anchor, line: within } of positions) {
          const line = (begins[anchor]?.line ?? 0) + within
          if (first <= line && line <= last) return true
        }
      }
    }
    return false
  }

  /** The blocks in order of the text, those of `before` as far as they still hold. */
  #convert({ checker, limit }: Basis, before: ReadonlyMap<Segment, Block>): ReadonlyMap<Segment, Block> {
    const blocks = new Map<Segment, Block>()
    const all = checker.flagged(limit)
    let gone: IterableIterator<Block> | undefined
    for (const flagged of all) {
      const known = before.get(flagged.segment)
      const holds = known && known.mark === flagged.mark && this.#follow(known, flagged)
      if (!known) gone ??= blocksWithout(before, all)
      const alike = known ?? gone?.next().value
      blocks.set(flagged.segment, holds ? known : this.#block(flagged, alike))
    }
    return blocks
  }

  /** Takes over where the segments of `block` begin; false if one of them is gone. */
  #follow({ anchors, positions }: Block, flagged: FlaggedSegment): boolean {
    const { transcript } = this.#document
    for (let index = 0; index < anchors.length; index++) {
      const place = index === 0 ? flagged : transcript.locate(anchors[index] as Segment)
      if (!place) return false
      positions[index] = transcript.startPosition(place)
    }
    return true
  }

  /** The block of a segment; what is as it was in `alike`, which may be that of the segment before an edit, is taken from there. */
  #block(flagged: FlaggedSegment, alike: Block | undefined): Block {
    const { segment, start, mark } = flagged
    const { checker, settings, transcript } = this.#document
    const anchors = [segment]
    const positions = [transcript.startPosition(flagged)]
    const indexes = new Map([[segment, 0]])
    const isInside = (place: Range) => start <= place.start && place.end <= start + segment.length
    const anchorOf = (place: Range): Anchor => {
      const other = isInside(place) ? flagged : transcript.segmentAt(place.start)
      let anchor = indexes.get(other.segment)
      if (anchor === undefined) {
        anchor = anchors.push(other.segment) - 1
        indexes.set(other.segment, anchor)
        positions.push(transcript.startPosition(other))
      }
      return { anchor, position: positions[anchor] as Position }
    }
    const items = checker.problemsOf({ segment, start }, settings.maxProblems).map((problem, index) => {
      const known = alike?.items[index]
      if (known && isInside(problem.range) && this.#isShownAlike(known, problem, anchorOf(problem.range)))
        return { ...known, problem }
      this.made++
      const diagnostic = toDiagnostic(this.#document, problem, this.#documentationBase)
      return { ...diagnosticText(diagnostic, problem, anchorOf), problem }
    })
    return { mark, anchors, positions, items }
  }

  /** True if a diagnostic without other places shows `problem` as well: they differ in their fixes at most. */
  #isShownAlike({ problem: one, positions }: ListedItem, other: Problem, anchor: Anchor): boolean {
    const isAlike =
      one.related.length === 0 &&
      other.related.length === 0 &&
      one.rule === other.rule &&
      one.code === other.code &&
      one.severity === other.severity &&
      one.tag === other.tag &&
      one.message === other.message
    if (!isAlike) return false
    const { start, end } = toRange(this.#document, other.range)
    return [start, end].every((it, index) => isSamePosition(anchored(it, anchor), positions[index]))
  }

  /** The list as JSON: at most as many as the settings allow; if there are more, the last entry says how many. Holds until the next one. */
  #listed(basis: Basis | undefined): Uint8Array {
    const { total, limit } = basis ?? { total: 0, limit: 0 }
    const nShown = total > limit ? limit - 1 : limit
    const json = this.#json
    json.clear()
    json.addText('[')
    let nListed = 0
    let last: ListedItem | undefined
    let begins: readonly Position[] = []
    for (const { items, positions } of this.#blocks.values()) {
      for (const item of items) {
        if (nListed >= nShown) break
        if (nListed++ > 0) json.addComma()
        json.addDiagnostic(item, positions)
        last = item
        begins = positions
      }
    }
    if (total > limit) {
      const place = last?.positions[1]
      const begin = place && begins[place.anchor]
      const end = begin ? positionFrom(begin, place) : { line: 0, character: 0 }
      const overflow = toOverflow({ start: end, end }, total - nListed, limit)
      json.addText(`${nListed === 0 ? '' : ','}${JSON.stringify(overflow)}`)
    }
    json.addText(']')
    return json.written
  }
}

/** The blocks of `before` whose segments are not among `flagged`: an edit has put others in their place. */
function* blocksWithout(
  before: ReadonlyMap<Segment, Block>,
  flagged: readonly FlaggedSegment[],
): IterableIterator<Block> {
  const kept = new Set(flagged.map(({ segment }) => segment))
  for (const [segment, block] of before) if (!kept.has(segment)) yield block
}

function isSamePosition(one: AnchoredPosition, other: AnchoredPosition | undefined): boolean {
  return one.anchor === other?.anchor && one.line === other.line && one.character === other.character
}

class ListReport implements Report {
  readonly json: Uint8Array
  readonly resultId: string
  #items: readonly Diagnostic[] | undefined

  constructor(json: Uint8Array, resultId: string) {
    this.json = json
    this.resultId = resultId
  }

  get items(): readonly Diagnostic[] {
    this.#items ??= JSON.parse(new TextDecoder().decode(this.json)) as readonly Diagnostic[]
    return this.#items
  }
}

/** Compares four bytes at a time, since every keystroke that moves problems compares all of them. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  const whole = one.length >> 2
  const [words, others] = [one, other].map(({ buffer }) => new Uint32Array(buffer, 0, whole)) as [
    Uint32Array,
    Uint32Array,
  ]
  for (let index = 0; index < whole; index++) if (words[index] !== others[index]) return false
  for (let index = whole << 2; index < one.length; index++) if (one[index] !== other[index]) return false
  return true
}

function isEqual(one: Basis, other: Basis): boolean {
  return isComparable(one, other) && one.revision === other.revision
}

/** True if the marks of segments can be compared, and if as much of each was converted. */
function isComparable(one: Basis, other: Basis): boolean {
  return one.checker === other.checker && one.limit === other.limit
}
