/** Differences of two texts in the unified format, as `diff -u` and `git apply` know it. */

import { posix } from 'node:path'
import { displayableLine } from '../terminal/displayable.ts'

/** A line of a difference. */
export interface DiffLine {
  readonly kind: 'header' | 'place' | 'same' | 'removed' | 'added'
  /** Without line break, with the mark of its kind. */
  readonly text: string
}

/** Where two texts differ: `[start, end)` of the lines of one is `[newStart, newEnd)` of the other. */
interface Change {
  readonly start: number
  readonly end: number
  readonly newStart: number
  readonly newEnd: number
}

const nContext = 3 // what every tool shows

/** What turns `before` into `after`; empty if they are equal. */
export function unifiedDiff(path: string, before: string, after: string): readonly DiffLine[] {
  if (before === after) return []
  const one = linesOf(before)
  const two = linesOf(after)
  const result: DiffLine[] = [
    { kind: 'header', text: `--- ${nameOf('a', path)}` },
    { kind: 'header', text: `+++ ${nameOf('b', path)}` },
  ]
  for (const hunk of hunksOf(changesOf(one, two))) addHunk(result, hunk, one, two)
  return result
}

/** Absolute paths lose their root, so that the difference applies from there; a tab ends a name with spaces. */
function nameOf(side: 'a' | 'b', path: string): string {
  const name = displayableLine(posix.normalize(path.replaceAll('\\', '/')).replace(/^([A-Za-z]:)?\/+/, ''))
  return `${side}/${name}${name.includes(' ') ? '\t' : ''}`
}

/** Lines with their line feeds; a carriage return is a part of the line. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length; ) {
    const lineFeed = text.indexOf('\n', start)
    const end = lineFeed === -1 ? text.length : lineFeed + 1
    lines.push(text.slice(start, end))
    start = end
  }
  return lines
}

/** Groups of changes that are near each other. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = []
  for (const change of changes) {
    const hunk = hunks.at(-1)
    const previous = hunk?.at(-1)
    if (hunk && previous && change.start - previous.end <= 2 * nContext) hunk.push(change)
    else hunks.push([change])
  }
  return hunks
}

function addHunk(
  result: DiffLine[],
  hunk: readonly Change[],
  one: readonly string[],
  two: readonly string[],
): void {
  const first = hunk[0]
  const last = hunk.at(-1)
  if (!first || !last) return
  const nBefore = Math.min(nContext, first.start)
  const nAfter = Math.min(nContext, one.length - last.end)
  const start = first.start - nBefore
  const place = placeOf(start, last.end + nAfter)
  const newPlace = placeOf(first.newStart - nBefore, last.newEnd + nAfter)
  result.push({ kind: 'place', text: `@@ -${place} +${newPlace} @@` })
  let line = start
  for (const change of hunk) {
    for (; line < change.start; line++) addLine(result, 'same', one[line])
    for (; line < change.end; line++) addLine(result, 'removed', one[line])
    for (let added = change.newStart; added < change.newEnd; added++) addLine(result, 'added', two[added])
  }
  for (; line < last.end + nAfter; line++) addLine(result, 'same', one[line])
}

/** One-based; a place without lines is named by the line before it. */
function placeOf(start: number, end: number): string {
  const count = end - start
  const line = count === 0 ? start : start + 1
  return count === 1 ? `${line}` : `${line},${count}`
}

const marks = { same: ' ', removed: '-', added: '+' } as const

function addLine(result: DiffLine[], kind: keyof typeof marks, line = ''): void {
  const isWhole = line.endsWith('\n')
  result.push({ kind, text: marks[kind] + (isWhole ? line.slice(0, -1) : line) })
  if (!isWhole) result.push({ kind, text: '\\ No newline at end of file' })
}

const furthest = 1000 // lines; who changes more at one place gets one large change

/**
 * The changes in order. Fixes change little at many places, so the texts are read side by side, and after a difference
 * the nearest place is sought where they are the same again. Few changes, not always the fewest.
 */
function changesOf(one: readonly string[], two: readonly string[]): readonly Change[] {
  const changes: Change[] = []
  let at = 0
  let newAt = 0
  while (at < one.length || newAt < two.length) {
    if (one[at] === two[newAt]) {
      at++
      newAt++
      continue
    }
    const change = changeAt(one, two, at, newAt)
    changes.push(change)
    at = change.end
    newAt = change.newEnd
  }
  return changes
}

/** The smallest change that begins here, counting removed and added lines. */
function changeAt(one: readonly string[], two: readonly string[], start: number, newStart: number): Change {
  const isSame = (end: number, newEnd: number) => end < one.length && one[end] === two[newEnd]
  for (let size = 1; size <= furthest; size++) {
    for (let nRemoved = 0; nRemoved <= size; nRemoved++) {
      const end = start + nRemoved
      const newEnd = newStart + size - nRemoved
      const isEnd = end === one.length && newEnd === two.length
      // One line is little evidence where empty lines abound; two in a row are enough.
      const isNext = isSame(end, newEnd) && (isSame(end + 1, newEnd + 1) || end + 1 === one.length)
      if (isEnd || isNext) return { start, end, newStart, newEnd }
    }
  }
  return { start, end: one.length, newStart, newEnd: two.length }
}
