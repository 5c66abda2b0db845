/**
 * Where Markdown has items of lists that take several lines (CommonMark §5.2), and regions between comments as editors know
 * them: what can be folded besides sections and code. One pass over the lines.
 */
import { afterLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import type { Range } from '../text/range.ts'

/** An item with all that is indented below it, or a region with both of its comments. */
export interface MarkdownGroup extends Range {
  readonly kind: 'item' | 'region'
}

interface OpenItem {
  readonly start: number
  /** Where its first line ends. */
  readonly firstEnd: number
  /** The columns before its mark. */
  readonly indent: number
}

/** What {@link markdownGroups} looks at. */
export interface MarkdownGroupLimits {
  /** It ends when so many are found. */
  readonly groups: number
}

/** The groups of `text`, in no order; `fences` is its fenced code, in which there are none. */
export function markdownGroups(
  text: string,
  fences: readonly Range[],
  limits: MarkdownGroupLimits,
): readonly MarkdownGroup[] {
  const groups: MarkdownGroup[] = []
  const items: OpenItem[] = []
  const regions: number[] = []
  let end = 0 // of the last line that is not empty
  const close = (indent: number) => {
    for (let last = items.at(-1); last && last.indent >= indent; last = items.at(-1)) {
      if (last.firstEnd < end) groups.push({ kind: 'item', start: last.start, end })
      items.pop()
    }
  }
  let fence = 0
  for (let start = 0; start < text.length && groups.length < limits.groups; ) {
    const lineEnd = nextLineBreak(text, start)
    while ((fences[fence]?.end ?? start) < start) fence++
    const isCode = (fences[fence]?.start ?? lineEnd) < start
    const { indent, from } = indentOf(text, start, lineEnd)
    if (from < lineEnd) {
      if (!isCode) close(indent)
      const head = isCode ? '' : text.slice(from, Math.min(lineEnd, from + headAtMost))
      if (itemMark.test(head) && (indent < 4 || items.length > 0)) {
        items.push({ start, firstEnd: lineEnd, indent })
      }
      const region = regionMark.exec(head)
      const opened = region?.[1] === undefined ? undefined : regions.pop()
      if (region && region[1] === undefined) regions.push(start)
      if (opened !== undefined) groups.push({ kind: 'region', start: opened, end: lineEnd })
      end = lineEnd
    }
    start = lineEnd < text.length ? afterLineBreak(text, lineEnd) : lineEnd
  }
  close(0)
  return groups
}

const headAtMost = 32 // code units that tell what a line begins
const itemMark = /^(?:[-+*]|\d{1,9}[.)])[ \t]/
const regionMark = /^<!--\s*#?(end)?region\b/

function indentOf(
  text: string,
  start: number,
  end: number,
): { readonly indent: number; readonly from: number } {
  let indent = 0
  for (let at = start; at < end; at++) {
    const character = text.charAt(at)
    if (character === ' ') indent++
    else if (character === '\t') indent += 4 - (indent % 4)
    else return { indent, from: at }
  }
  return { indent, from: end }
}
