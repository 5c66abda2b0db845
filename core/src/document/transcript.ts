/**
 * The document: the one mutable object of the core. It holds immutable segments and replaces those that an edit changes;
 * a keystroke costs the edited message, whatever the size of the file.
 */

import { editedMessage } from '../syntax/edited-message.ts'
import {
  byteOrderMarkLength,
  closedFrontMatter,
  hasLineOpener,
  type PreambleBasis,
  type PreambleEnd,
  preambleEnd,
} from '../syntax/preamble-end.ts'
import { knownRoleFollows, roleLookahead } from '../syntax/role-word.ts'
import { Segment } from '../syntax/segment.ts'
import { split } from '../syntax/split.ts'
import { type LineSummary, lineSummary } from '../text/line-breaks.ts'
import type { Position, Range, TextEdit } from '../text/range.ts'
import { sequenceStart } from '../vocabulary/chatml-framing.ts'
import type { DialectName, Framing } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { type EditedSegment, inheritLineStarts, linesAfter } from './line-starts.ts'
import { type Located, SegmentList } from './segment-list.ts'

/** How a transcript is read. */
export interface ParseOptions {
  /** A dialect that the user forces; by default it is recognised from the text. */
  readonly dialect?: DialectName | 'auto'
}

/** What an edit did. Segments that are in neither list are the same objects as before, with all that is known of them. */
export interface EditResult {
  /** Segments that are gone, in document order per edit. */
  readonly removed: readonly Segment[]
  /** Segments that are new, in document order per edit. */
  readonly inserted: readonly Segment[]
  /** The segments directly after the replaced text, one per edit; none if the document ends there. */
  readonly behind: ReadonlySet<Segment>
  /** How many UTF-16 code units were scanned again: the cost of the edit, for tests. */
  readonly rescanned: number
}

/** Tools of a request, and the message that shows them. */
export interface RequestTools {
  /** The body of that message, as meant. */
  readonly body: string
  /** The tools as the request has them: a list in JSON. */
  readonly json: string
}

/** A text as a list of segments. */
export class Transcript {
  /**
   * The tools of the request that the transcript was made of, if it was: calls are judged by their JSON Schema instead of the
   * TypeScript that shows it. Set it before the transcript is analyzed.
   */
  requestTools: RequestTools | undefined
  readonly #dialect: DialectName | 'auto'
  #segments: SegmentList
  #framing: Framing
  #basis: PreambleBasis
  #version = 0

  private constructor(whole: WholeText, dialect: DialectName | 'auto') {
    this.#dialect = dialect
    this.#segments = new SegmentList(whole.segments)
    this.#framing = whole.framing
    this.#basis = whole.basis
  }

  /** Reads `text`. Any string of UTF-16 code units is a transcript; nothing is ever thrown. Linear. */
  static parse(text: string, { dialect = 'auto' }: ParseOptions = {}): Transcript {
    return new Transcript(readAll(text, dialect), dialect)
  }

  /** How the text is framed, as recognised or forced. */
  get framing(): Framing {
    return this.#framing
  }

  /** The dialect the user forced, or `auto`. */
  get forcedDialect(): DialectName | 'auto' {
    return this.#dialect
  }

  /** What decided where the preamble ends. */
  get preambleBasis(): PreambleBasis {
    return this.#basis
  }

  /** Counts the edits. */
  get version(): number {
    return this.#version
  }

  /** Length in UTF-16 code units. */
  get length(): number {
    return this.#segments.length
  }

  /** Number of lines; an empty document has one. */
  get lineCount(): number {
    return this.#segments.lineBreaks + 1
  }

  /** Number of segments: the preamble and one per message (a file of a sequence and a fill-in task count as one). */
  get segmentCount(): number {
    return this.#segments.count
  }

  /** The last segment, without its place, which is added up first. */
  get lastSegment(): Segment {
    return this.#segments.last
  }

  /**
   * Applies `edits` one after the other, each in the coordinates of the text that the one before it left.
   *
   * @throws RangeError if an edit reaches outside the document; nothing is changed then
   */
  edit(edits: readonly TextEdit[]): EditResult {
    let { length } = this
    for (const { start, end, text } of edits) {
      check({ start, end }, length)
      length += text.length - (end - start)
    }
    const removed: Segment[] = []
    const inserted = new Set<Segment>()
    const behind = new Set<Segment>()
    let rescanned = 0
    for (const edit of edits) {
      const result = this.#apply(edit)
      rescanned += result.rescanned
      for (const segment of result.removed) {
        if (!inserted.delete(segment)) removed.push(segment)
      }
      for (const segment of result.inserted) inserted.add(segment)
      for (const segment of result.behind) behind.add(segment)
    }
    this.#version++
    return { removed, inserted: [...inserted], behind, rescanned }
  }

  /**
   * The text of `range`, or all of it.
   *
   * @throws RangeError if `range` reaches outside the document
   */
  text(range: Range = { start: 0, end: this.length }): string {
    check(range, this.length)
    if (range.start === range.end) return ''
    const parts: string[] = []
    for (const { segment, start } of this.#segments.from(this.#segments.find(range.start).index)) {
      if (start >= range.end) break
      parts.push(segment.text.slice(Math.max(0, range.start - start), range.end - start))
    }
    return parts.join('')
  }

  /** The position of `offset`, which is clamped to the document; never between `\r` and `\n`. */
  positionAt(offset: number): Position {
    return this.#segments.positionAt(offset)
  }

  /** Where the segment at `located` begins, in less time than {@link positionAt} takes. */
  startPosition(located: Located): Position {
    return this.#segments.startPosition(located)
  }

  /** The offset of `position`, clamped to the line and to the document. */
  offsetAt(position: Position): number {
    return this.#segments.offsetAt(position)
  }

  /**
   * The segment that contains `offset`; at a boundary, the one that starts there; at the end, the last one.
   *
   * @throws RangeError if `offset` is outside `[0, length]`
   */
  segmentAt(offset: number): Located {
    check({ start: offset, end: offset }, this.length)
    return this.#segments.find(offset)
  }

  /** The segment at `index`. @throws RangeError if there is none */
  segment(index: number): Located {
    return this.#segments.at(index)
  }

  /** The first segment in which a literal block is open: the next `<|endliteral|>` after it would close that block. */
  get firstOpenLiteral(): Segment | undefined {
    const index = this.#segments.firstOpenLiteral()
    return index === undefined ? undefined : this.#segments.at(index).segment
  }

  /** Where `segment` is now, or undefined if it is no longer part of the document. */
  locate(segment: Segment): Located | undefined {
    return this.#segments.locate(segment)
  }

  /** The segments in document order from `index` on; do not edit while iterating. */
  segments(index = 0): IterableIterator<Located> {
    return this.#segments.from(index)
  }

  /** Calls `visit` for every segment in document order. */
  forEachSegment(visit: (segment: Segment) => void): void {
    this.#segments.forEach(visit)
  }

  /** The first segment from `index` on for which `test` holds. */
  findFirstSegment(test: (segment: Segment, index: number) => boolean, index?: number): Segment | undefined {
    return this.#segments.findFirst(test, index)
  }

  /** The last segment before `index` for which `test` holds, searched backwards; by default the last one of all. */
  findLastSegment(test: (segment: Segment) => boolean, index?: number): Segment | undefined {
    return this.#segments.findLast(test, index)
  }

  /**
   * True if `edit` after the preamble could make a line begin with an opener in a document that had no such line: messages before
   * that line would become part of the preamble (D1).
   */
  mayMovePreamble(edit: TextEdit): boolean {
    if (this.#basis === 'fence' || this.#basis === 'line') return false
    if (beginsFence(this.#segments.at(0).segment.text)) return true
    const before = this.text({ start: Math.max(0, edit.start - roleLookahead), end: edit.start })
    const after = this.text({ start: edit.end, end: Math.min(this.length, edit.end + roleLookahead) })
    const context = `${edit.start > roleLookahead ? ' ' : ''}${before}${edit.text}${after}`
    return hasLineOpener(context, 0, context.length)
  }

  #apply(edit: TextEdit): EditResult {
    if (this.mayMovePreamble(edit)) return this.#reread(edit)
    const list = this.#segments
    let first = list.find(edit.start)
    if (first.start === edit.start && first.index > 0) first = list.at(first.index - 1)
    const end = list.find(edit.end)
    // A segment that begins where the edit ends stays as it is, unless it no longer begins there.
    let last = end.start === edit.end && end.index > first.index ? end.index - 1 : end.index
    while (first.index > 0 && !this.#stillBegins(first, edit)) first = list.at(first.index - 1)
    let region = this.#region(first, last, edit)
    let inside = first.index === last ? insideOf(first, edit, region) : undefined
    const edited = inside && editedMessage(first.segment, { ...inside, lines: linesAfter(inside) })
    if (inside && edited) {
      inheritLineStarts(inside, edited.segment)
      return { ...this.#replace(last, last, [edited.segment]), rescanned: edited.scanned }
    }
    const open = list.firstOpenLiteral()
    const { endLiteral } = this.#framing
    if (open !== undefined && open < first.index && endLiteral && region.includes(endLiteral)) {
      first = list.at(open)
      region = this.#region(first, last, edit)
      inside = undefined
    }
    let rescanned = 0
    for (let more = 1; ; more *= 2) {
      rescanned += region.length
      const result = this.#resplit(region, first.index, last, inside && linesAfter(inside))
      if (result === 'reread') return this.#reread(edit)
      if (result.isSynchronized) {
        const [fresh] = result.segments
        if (inside && fresh?.length === region.length) inheritLineStarts(inside, fresh)
        return { ...this.#replace(first.index, last, result.segments), rescanned }
      }
      inside = undefined
      const reach = result.needsEndLiteral ? list.firstEndLiteral(last + 1) : last + more
      last = Math.min(reach ?? list.count - 1, list.count - 1)
      region = this.#region(first, last, edit)
    }
  }

  /** True if the first segment of the region still begins a message after the edit (I3), and the preamble still ends there. */
  #stillBegins(first: Located, edit: TextEdit): boolean {
    const untouched = edit.start - first.start
    if (untouched >= roleLookahead) return true
    if (this.#framing.headerEnd === 'line-break') return false
    if (this.#basis === 'anywhere' && first.index === 1) return false
    const head =
      this.text({ start: first.start, end: edit.start }) +
      edit.text +
      this.#textAfter(edit.end, roleLookahead)
    const { matcher, hasEscapes } = this.#framing
    const { kind, length: tokenEnd } = matcher.tokenAt(head, 0)
    if (kind !== ControlKind.start) return false
    const previous = this.#segments.at(first.index - 1).segment
    if (!previous.endsInBody) return true
    if (hasEscapes && previous.text.endsWith('<')) return false
    return knownRoleFollows(head, tokenEnd, this.#framing)
  }

  #textAfter(offset: number, length: number): string {
    return this.text({ start: offset, end: Math.min(this.length, offset + length) })
  }

  /** The text of the segments from `first` to index `last` after the edit. */
  #region(first: Located, last: number, edit: TextEdit): string {
    const { segment, start } = this.#segments.at(last)
    return (
      this.text({ start: first.start, end: edit.start }) +
      edit.text +
      this.text({ start: edit.end, end: start + segment.length })
    )
  }

  /** `lines` are those of the region, if they are known. */
  #resplit(region: string, firstIndex: number, lastIndex: number, lines: LineSummary | undefined) {
    const list = this.#segments
    const isLast = lastIndex === list.count - 1
    const lookahead = isLast ? '' : list.at(lastIndex + 1).segment.text.slice(0, roleLookahead)
    const text = region + lookahead
    const options = {
      framing: this.#framing,
      hasLaterEndLiteral: !isLast && list.firstEndLiteral(lastIndex + 1) !== undefined,
    }
    if (firstIndex > 0) return split(text, 0, region.length, { ...options, lines })
    const preamble = preambleEnd(text, this.#dialect)
    if (preamble.framing !== this.#framing || !(isLast || this.#isSettled(preamble, text))) return 'reread'
    if (preamble.end > region.length) return { segments: [], isSynchronized: false, needsEndLiteral: false }
    this.#basis = preamble.basis
    const result = split(text, preamble.end, region.length, options)
    const isWhole = preamble.end === region.length
    const segment = preambleSegment(text, preamble.end, this.#framing, isWhole ? lines : undefined)
    return { ...result, segments: [segment, ...result.segments] }
  }

  /**
   * True if `preamble`, found in the beginning of the document, is that of the whole. One that ends at an opener anywhere is if it
   * did before: then no line of the rest begins with one, see {@link mayMovePreamble}.
   */
  #isSettled({ basis }: PreambleEnd, text: string): boolean {
    if (basis !== 'anywhere') return basis !== 'none'
    return this.#basis === 'anywhere' && !beginsFence(text)
  }

  /** Looks for the end of the preamble in the whole text again; the messages after it and the edit stay as they are. */
  #reread(edit: TextEdit): EditResult {
    const text =
      this.text({ start: 0, end: edit.start }) + edit.text + this.text({ start: edit.end, end: this.length })
    const preamble = preambleEnd(text, this.#dialect)
    this.#basis = preamble.basis
    if (preamble.framing === this.#framing) return this.#rereadBeginning(edit, text, preamble.end)
    this.#framing = preamble.framing
    const segments = readFrom(text, preamble)
    return { ...this.#replace(0, this.#segments.count - 1, segments), rescanned: text.length }
  }

  /** Splits `text`, which is the whole after `edit`, from its start to the first message that begins where it began before. */
  #rereadBeginning(edit: TextEdit, text: string, preambleEnd: number): EditResult {
    const list = this.#segments
    const shift = edit.text.length - (edit.end - edit.start)
    const preamble = preambleSegment(text, preambleEnd, this.#framing)
    let next = list.find(Math.min(Math.max(edit.end, preambleEnd - shift), this.length)).index
    for (let more = 1; ; more *= 2) {
      next = Math.min(next + more, list.count)
      const limit = next < list.count ? list.at(next).start + shift : text.length
      const hasLaterEndLiteral = next < list.count && list.firstEndLiteral(next) !== undefined
      const result = split(text, preambleEnd, limit, { framing: this.#framing, hasLaterEndLiteral })
      if (result.isSynchronized)
        return { ...this.#replace(0, next - 1, [preamble, ...result.segments]), rescanned: text.length }
      if (result.needsEndLiteral) next = list.firstEndLiteral(next) ?? next
    }
  }

  /** Puts `segments` in place of those from `firstIndex` to `lastIndex`, and keeps the old objects where nothing changed. */
  #replace(firstIndex: number, lastIndex: number, segments: readonly Segment[]) {
    const list = this.#segments
    let first = firstIndex
    let last = lastIndex
    let start = 0
    let end = segments.length
    while (first <= last && start < end && isSame(list.at(first).segment, segments[start])) {
      first++
      start++
    }
    while (first <= last && start < end && isSame(list.at(last).segment, segments[end - 1])) {
      last--
      end--
    }
    const removed: Segment[] = []
    if (first <= last) {
      for (const { segment, index } of list.from(first)) {
        if (index > last) break
        removed.push(segment)
      }
    }
    const inserted = segments.slice(start, end)
    if (removed.length > 0 || inserted.length > 0) list.splice(first, removed.length, inserted)
    const next = first + inserted.length
    return { removed, inserted, behind: new Set(next < list.count ? [list.at(next).segment] : []) }
  }
}

/** An edit in the segment at `located` as one of its own text, which is `text` after it. */
function insideOf({ segment, start }: Located, edit: TextEdit, text: string): EditedSegment {
  const replaced = { from: edit.start - start, to: edit.end - start }
  return { old: segment, replaced, length: edit.text.length, text }
}

/** True if two segments are interchangeable: same text, same summary. */
function isSame(old: Segment, fresh: Segment | undefined): boolean {
  return (
    fresh !== undefined &&
    old.length === fresh.length &&
    old.kind === fresh.kind &&
    old.framing === fresh.framing &&
    old.hasOpenLiteral === fresh.hasOpenLiteral &&
    old.endsInBody === fresh.endsInBody &&
    old.text === fresh.text
  )
}

/** True if `text` may begin front matter, whose closing line may be anywhere. */
function beginsFence(text: string): boolean {
  return text.trimStart().startsWith('---')
}

function readAll(text: string, dialect: DialectName | 'auto'): WholeText {
  const preamble = preambleEnd(text, dialect)
  const { framing, basis } = preamble
  return { segments: readFrom(text, preamble), framing, basis }
}

/** The segments of `text` with such a preamble. */
function readFrom(text: string, { end, framing }: PreambleEnd): readonly Segment[] {
  const { segments } = split(text, end, text.length, { framing, hasLaterEndLiteral: false })
  return [preambleSegment(text, end, framing), ...segments]
}

interface WholeText {
  readonly segments: readonly Segment[]
  readonly framing: Framing
  readonly basis: PreambleBasis
}

/** The first segment; `lines` are its own, if they are known. In 0.1, text before the first file separator is the first file (D3). */
function preambleSegment(text: string, end: number, framing: Framing, lines?: LineSummary): Segment {
  const isFile =
    framing.name === 'chatml' &&
    framing.matcher.tokenAt(text, end).kind === ControlKind.fileSeparator &&
    hasContent(text, end)
  const preamble = text.slice(0, end)
  return new Segment(preamble, {
    kind: isFile ? 'file' : 'preamble',
    framing,
    ...(lines ?? lineSummary(preamble)),
    endLiterals: 0, // there is nothing before the preamble that one could close
    hasOpenLiteral: false,
    endsInBody: false,
    plainBodyStart: 0,
    plainBodyEnd: 0,
  })
}

/** True if there is more than white space, front matter, and the mark of a sequence before `end`, so that the separator there is not a leading one. */
function hasContent(text: string, end: number): boolean {
  const from = closedFrontMatter(text, end)?.closeEnd ?? byteOrderMarkLength(text)
  return text.slice(from, end).replaceAll(sequenceStart, '').trim() !== ''
}

function check({ start, end }: Range, length: number): void {
  if (!(start >= 0 && start <= end && end <= length)) {
    throw new RangeError(`Invalid range ${start}-${end} in document of length ${length}`)
  }
}
