/**
 * Merge conflicts that Git left in a transcript. Their markers are lines, which end up in bodies, between messages, and in the
 * header, so a conflict can begin in one segment and end in another.
 */
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Span } from '../text/range.ts'
import type { Analysis, AnalysisChange } from './analysis.ts'

/** Which change a text is from: that of the current branch, that of the other one, or what both changed. */
export type ConflictSide = 'current' | 'base' | 'incoming'

/** Where a conflict begins in a segment. */
export interface ConflictStart {
  /** The line of the marker, relative to the segment. */
  readonly span: Span
  /** The names after the markers; empty if there are none. */
  readonly current: string
  readonly incoming: string
  /** True if all of it is in one body: then it may be what the message is about. */
  readonly isInBody: boolean
}

/** What of a segment is in conflicts. */
export interface SegmentConflicts {
  readonly starts: readonly ConflictStart[]
  /** The lines between markers, in order; a marker belongs to none. */
  readonly sides: readonly (Span & { readonly side: ConflictSide })[]
  /** The markers, in order. */
  readonly markers: readonly Span[]
  /** From the first line of a conflict to its last one, without conflicts within one body. */
  readonly covered: readonly Span[]
}

const opening = '<<<<<<<'
// Linear: a match is one line, and its first character selects the alternative.
const marker = /^(?:<{7}(?: .*)?|\|{7}(?: .*)?|={7}|>{7}(?: .*)?)$/gm
const anyMarker = [opening, '|||||||', '=======', '>>>>>>>']

/** The conflicts of a document. Costs a search for the first marker, and nothing more where there is none. */
export class MergeConflicts {
  readonly #analysis: Analysis
  #bySegment: ReadonlyMap<Segment, SegmentConflicts> = new Map()
  #hasMarkers: boolean

  constructor(analysis: Analysis) {
    this.#analysis = analysis
    this.#hasMarkers =
      analysis.transcript.findFirstSegment(({ text }) => text.includes(opening)) !== undefined
    if (this.#hasMarkers) this.#bySegment = this.#find()
  }

  /** True if there are none. */
  get isEmpty(): boolean {
    return this.#bySegment.size === 0
  }

  /** The conflicts in `segment`; undefined if there are none. */
  of(segment: Segment): SegmentConflicts | undefined {
    return this.#bySegment.get(segment)
  }

  /** Takes over an edit; answers the segments whose conflicts are different now. */
  update({ inserted, removed }: AnalysisChange): readonly Segment[] {
    const brings = inserted.some(({ text }) => text.includes(opening))
    if (!this.#hasMarkers && !brings) return []
    if (
      !brings &&
      !inserted.some(hasMarker) &&
      !removed.some(hasMarker) &&
      !removed.some((it) => this.of(it))
    )
      return []
    const before = this.#bySegment
    this.#bySegment = this.#find()
    this.#hasMarkers = true // until the document is read again; an edit of a marker costs a look at all messages
    const changed = new Set([...before.keys(), ...this.#bySegment.keys()])
    return [...changed].filter((it) => !isSame(before.get(it), this.of(it)))
  }

  #find(): ReadonlyMap<Segment, SegmentConflicts> {
    const found = new Map<Segment, SegmentConflictsUnderWay>()
    let open: OpenConflict | undefined
    for (const { segment } of this.#analysis.transcript.segments()) {
      open?.visited.push({ segment, from: 0 })
      if (!hasMarker(segment)) continue
      for (const match of segment.text.matchAll(marker)) {
        const [line] = match
        const span = { from: match.index, to: match.index + line.length }
        const place = { segment, span, name: line.slice(opening.length + 1) }
        if (line.startsWith('<')) {
          open = {
            start: place,
            visited: [{ segment, from: span.from }],
            sides: [],
            markers: [place],
            side: 'current',
            at: span.to,
          }
        } else if (open && line.startsWith('>') && open.side === 'incoming') {
          close(found, open, place)
          open = undefined
        } else if (open && !line.startsWith('>')) {
          const side: ConflictSide = line.startsWith('|') ? 'base' : 'incoming'
          if (open.side === 'incoming' || open.side === side) continue // text of a side that looks like a marker
          endSide(open, place)
          open.side = side
        }
      }
    }
    return found
  }
}

function hasMarker({ text }: Segment): boolean {
  return anyMarker.some((it) => text.includes(it))
}

interface SegmentConflictsUnderWay {
  readonly starts: ConflictStart[]
  readonly sides: (Span & { readonly side: ConflictSide })[]
  readonly markers: Span[]
  readonly covered: Span[]
}

interface MarkerPlace {
  readonly segment: Segment
  readonly span: Span
  readonly name: string
}

interface OpenConflict {
  readonly start: MarkerPlace
  /** The segments that it reaches so far, and where it begins in each. */
  readonly visited: { readonly segment: Segment; readonly from: number }[]
  readonly sides: { readonly segment: Segment; readonly span: Span; readonly side: ConflictSide }[]
  readonly markers: MarkerPlace[]
  side: ConflictSide
  /** Where the side begins, in the segment of its marker. */
  at: number
  /** How many of the visited segments belong to earlier sides. */
  nEnded?: number
}

/** Adds the side that the marker at `place` ends: it may reach over several segments. */
function endSide(open: OpenConflict, marker: MarkerPlace): void {
  const { segment, span } = marker
  const first = open.nEnded ?? 0
  for (let index = first; index < open.visited.length; index++) {
    const visited = open.visited[index]
    if (!visited) continue
    const from = index === first ? open.at : 0
    const to = visited.segment === segment ? span.from : visited.segment.length
    if (from < to) open.sides.push({ segment: visited.segment, span: { from, to }, side: open.side })
  }
  open.markers.push(marker)
  open.nEnded = open.visited.length - 1
  open.at = span.to
}

function close(found: Map<Segment, SegmentConflictsUnderWay>, open: OpenConflict, end: MarkerPlace): void {
  endSide(open, end)
  const { start } = open
  const of = (segment: Segment) => {
    const known = found.get(segment) ?? { starts: [], sides: [], markers: [], covered: [] }
    found.set(segment, known)
    return known
  }
  const isInBody = start.segment === end.segment && isBody(start.segment, start.span, end.span)
  of(start.segment).starts.push({ span: start.span, current: start.name, incoming: end.name, isInBody })
  for (const { segment, span, side } of open.sides) of(segment).sides.push({ ...span, side })
  for (const { segment, span } of open.markers) of(segment).markers.push(span)
  if (isInBody) return
  for (const { segment, from } of open.visited) {
    of(segment).covered.push({ from, to: segment === end.segment ? end.span.to : segment.length })
  }
}

function isBody(segment: Segment, start: Span, end: Span): boolean {
  const body = segment.kind === 'message' ? viewMessage(segment).body : undefined
  return body !== undefined && body.from <= start.from && end.to <= body.to
}

function isSame(one: SegmentConflicts | undefined, other: SegmentConflicts | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
