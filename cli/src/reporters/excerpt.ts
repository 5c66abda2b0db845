/** The line of the source in which a problem starts, cut to the width of the terminal, with carets below. */
import type { Range, Transcript } from '../../../core/src/internal.ts'
import { type Cell, cellsOf, widthOf } from '../terminal/text-width.ts'

/** A line of the source and what marks the problem in it. All three hold no control characters. */
export interface Excerpt {
  /** The line number with a space on either side. */
  readonly gutter: string
  readonly source: string
  readonly carets: string
}

const cut = '…'

/** The excerpt for `range`, such that gutter, a bar, a space and the source fit in `columns`. */
export function excerptOf(transcript: Transcript, range: Range, columns: number): Excerpt {
  const { line } = transcript.positionAt(range.start)
  const lineStart = transcript.offsetAt({ line, character: 0 })
  const lineEnd = transcript.offsetAt({ line, character: Number.MAX_SAFE_INTEGER })
  const gutter = ` ${line + 1} `
  const width = columns - gutter.length - 2
  const from = Math.min(range.start, lineEnd)
  const to = Math.min(Math.max(range.end, from), lineEnd)
  // A line may have millions of characters: only what can be shown is looked at.
  const before = windowCells(transcript, Math.max(lineStart, from - width), from)
  const markedEnd = Math.min(to, from + width)
  const marked = windowCells(transcript, from, markedEnd)
  const after = windowCells(transcript, markedEnd, Math.min(lineEnd, markedEnd + width))
  const lead = takeLast(before, shareBefore(widthOf(before), widthOf(marked), widthOf(after), width))
  const isCutBefore = lead.length < before.length || from - width > lineStart
  const tail = takeFirst([...marked, ...after], width - widthOf(lead) - (isCutBefore ? 1 : 0), lineEnd - from)
  const nCarets = Math.max(1, widthOf(tail.cells.slice(0, marked.length)))
  return {
    gutter,
    source: `${isCutBefore ? cut : ''}${textOf(lead)}${textOf(tail.cells)}${tail.isCut ? cut : ''}`,
    carets: ' '.repeat(widthOf(lead) + (isCutBefore ? 1 : 0)) + '^'.repeat(nCarets),
  }
}

/** The cells of a stretch; half a character at its ends, where the stretch cuts one in two, is left out. */
function windowCells(transcript: Transcript, start: number, end: number): readonly Cell[] {
  if (start >= end) return []
  return cellsOf(transcript.text({ start, end }).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ''))
}

/** How many columns before the mark are shown: all if everything fits, otherwise the room that the rest leaves, at least a third. */
function shareBefore(before: number, marked: number, after: number, width: number): number {
  if (before + marked + after <= width) return before
  return Math.max(Math.floor(width / 3), width - marked - after - 2)
}

function takeLast(cells: readonly Cell[], columns: number): readonly Cell[] {
  let left = columns
  let index = cells.length
  while (index > 0 && left >= (cells[index - 1]?.width ?? 0)) {
    left -= cells[index - 1]?.width ?? 0
    index--
  }
  return cells.slice(index)
}

/** The first cells that fit in `columns`, with room for the sign that some of `length` code units are left out. */
function takeFirst(
  cells: readonly Cell[],
  columns: number,
  length: number,
): { readonly cells: readonly Cell[]; readonly isCut: boolean } {
  const nUnits = cells.reduce((sum, cell) => sum + cell.length, 0)
  if (nUnits >= length && widthOf(cells) <= columns) return { cells, isCut: false }
  let left = columns - 1
  const fits = cells.findIndex((cell) => {
    left -= cell.width
    return left < 0
  })
  return { cells: fits === -1 ? cells : cells.slice(0, fits), isCut: true }
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ shown }) => shown).join('')
}
