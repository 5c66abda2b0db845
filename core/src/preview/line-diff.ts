/** Two texts compared line by line, for readers: what went, what came, and a few lines around. */
import { commonEnds } from '../text/common-ends.ts'

/** Cells of the table in which the longest common part is looked for; above that, all lines between the common ends differ. */
const cellsAtMost = 1_000_000

/** Equal lines that are kept before and after a difference. */
const around = 3

/** Stands for equal lines that are left out. */
const leftOut = '⋯'

/** The lines of both texts, each after `-`, `+`, or a space; `⋯` stands for equal lines far from any difference. */
export function lineDiff(before: string, after: string): string {
  return shortened(markedLines(before.split('\n'), after.split('\n'))).join('\n')
}

function markedLines(before: readonly string[], after: readonly string[]): string[] {
  const { head, tail } = commonEnds(before, after)
  const equal = (line: string) => ` ${line}`
  return [
    ...before.slice(0, head).map(equal),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(equal),
  ]
}

/** What differs, by the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): string[] {
  const width = after.length + 1
  const cells = (before.length + 1) * width
  const isTooLarge = cells > cellsAtMost
  // Cell (row, column): how many lines `before` from `row` on and `after` from `column` on have in common.
  const common = new Uint32Array(isTooLarge ? 0 : cells)
  for (let row = isTooLarge ? -1 : before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const at = row * width + column
      common[at] =
        before[row] === after[column]
          ? 1 + (common[at + width + 1] ?? 0)
          : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0)
    }
  }
  const lines: string[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const at = row * width + column
    if (!isTooLarge && row < before.length && before[row] === after[column]) {
      lines.push(` ${before[row]}`)
      row++
      column++
    } else if (
      row < before.length &&
      (isTooLarge || column === after.length || (common[at + width] ?? 0) >= (common[at + 1] ?? 0))
    ) {
      lines.push(`-${before[row++]}`)
    } else {
      lines.push(`+${after[column++]}`)
    }
  }
  return lines
}

function shortened(lines: readonly string[]): string[] {
  const isNear = new Uint8Array(lines.length)
  lines.forEach((line, index) => {
    if (!line.startsWith(' ')) isNear.fill(1, Math.max(0, index - around), index + around + 1)
  })
  const kept: string[] = []
  lines.forEach((line, index) => {
    if (isNear[index] === 1) kept.push(line)
    else if (kept.at(-1) !== leftOut) kept.push(leftOut)
  })
  return kept
}
