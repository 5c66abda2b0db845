/**
 * Where ranges of a text are in what is written from it. Marks are put around the ranges, written along, and taken out again;
 * they count only if the result is, without them, what is written without marks. So it works for every form, and never lies.
 */
import type { Range } from '../text/range.ts'
import { markFor, piecesOf } from './marked-template.ts'

/** A range, found again. */
export interface TracedRange {
  /** The index of the range that was asked for. */
  readonly index: number
  /** In the written text. A range can be in it more than once. */
  readonly range: Range
}

const mostWrites = 12 // for a prompt in which some ranges cannot be traced

/**
 * Where `ranges` of `text` are in `written`, which `write` makes of `text`. Ranges are in order of the text, outer before inner,
 * and do not overlap otherwise. Those that cannot be traced are left out. Never throws.
 */
export function tracedRanges(
  { text, written }: { readonly text: string; readonly written: string },
  ranges: readonly Range[],
  write: (text: string) => string,
): readonly TracedRange[] {
  const mark = markFor([text, written])
  if (mark === undefined) return []
  const tight = ranges.flatMap((range, index) => {
    const found = withoutSpace(text, range)
    return found.start < found.end ? [{ index, range: found }] : []
  })
  // In order of the written text; where part of a prompt cannot be traced, the other parts still can.
  let left = mostWrites
  const found: TracedRange[] = []
  const queue = [tight]
  for (const some of queue) {
    if (some.length === 0 || left-- <= 0) continue
    const traced = tracedAtOnce({ text, written, mark }, some, write)
    if (traced) found.push(...traced)
    else if (some.length > 1) queue.push(some.slice(0, some.length >> 1), some.slice(some.length >> 1))
  }
  return found.sort((one, other) => one.range.start - other.range.start || other.range.end - one.range.end)
}

function tracedAtOnce(
  { text, written, mark }: { readonly text: string; readonly written: string; readonly mark: string },
  ranges: readonly TracedRange[],
  write: (text: string) => string,
): readonly TracedRange[] | undefined {
  let result: string
  try {
    result = write(withMarks(text, ranges, mark))
  } catch {
    return undefined // what is marked is not text to the form
  }
  const pieces = piecesOf(result, mark)
  if (pieces.map((it) => it.text).join('') !== written) return undefined
  const traced: TracedRange[] = []
  let open: { readonly index: number; readonly start: number }[] = []
  let at = 0
  for (const { text: piece, sources } of [...pieces, { text: '', sources: [] }]) {
    let common = 0
    while (common < open.length && open[common]?.index === sources[common]) common++
    for (const { index, start } of open.slice(common)) traced.push({ index, range: { start, end: at } })
    open = [...open.slice(0, common), ...sources.slice(common).map((index) => ({ index, start: at }))]
    at += piece.length
  }
  return traced
}

function withMarks(text: string, ranges: readonly TracedRange[], mark: string): string {
  const pieces: string[] = []
  const ends: number[] = []
  let at = 0
  const closeUpTo = (limit: number) => {
    for (let end = ends.at(-1); end !== undefined && end <= limit; end = ends.at(-1)) {
      pieces.push(text.slice(at, end), mark, mark)
      at = end
      ends.pop()
    }
  }
  for (const { index, range } of ranges) {
    closeUpTo(range.start)
    if (range.end > (ends.at(-1) ?? text.length)) continue
    pieces.push(text.slice(at, range.start), mark, String(index), mark)
    at = range.start
    ends.push(range.end)
  }
  closeUpTo(text.length)
  return `${pieces.join('')}${text.slice(at)}`
}

/** Forms may take white space off the ends of a text. */
function withoutSpace(text: string, { start, end }: Range): Range {
  const inside = text.slice(start, end)
  const leading = inside.length - inside.trimStart().length
  return { start: start + leading, end: start + Math.max(leading, inside.trimEnd().length) }
}
