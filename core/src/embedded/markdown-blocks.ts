/**
 * Where Markdown has headings and fenced code (CommonMark §4.2, §4.3, §4.5): what an outline shows and what can be folded.
 * Blocks inside lists and quotes are not looked for. One pass over the lines.
 */
import { afterLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import type { Range } from '../text/range.ts'

/** A heading with all that is under it, up to the next heading of its level or above. */
export interface MarkdownSection extends Range {
  /** From 1 to 6. */
  readonly level: number
  /** The words of the heading, as they are written. */
  readonly title: string
  /** Where the line of the title ends. */
  readonly titleEnd: number
}

/** Headings and fences of a text, in its order. */
export interface MarkdownBlocks {
  readonly sections: readonly MarkdownSection[]
  /** Fenced code with both fences; without its end, up to the end of the text. */
  readonly fences: readonly Range[]
}

/** What {@link markdownBlocks} looks at. */
export interface MarkdownLimits {
  /** Headings beyond that are left out. */
  readonly sections: number
}

/** The blocks of `text`. */
export function markdownBlocks(text: string, limits: MarkdownLimits): MarkdownBlocks {
  const headings: { level: number; title: string; start: number; titleEnd: number }[] = []
  const fences: Range[] = []
  let fence: { readonly start: number; readonly mark: string; readonly length: number } | undefined
  let paragraph: Paragraph = outside
  for (let start = 0; start < text.length; ) {
    const end = nextLineBreak(text, start)
    const next = end < text.length ? afterLineBreak(text, end) : end
    const from = indentEnd(text, start, end)
    const isCode = from - start > 3 || text.charCodeAt(from) === tab
    const mark = isCode ? undefined : fenceAt(text, from, end)
    if (fence) {
      if (mark?.mark === fence.mark && mark.length >= fence.length && mark.isBare) {
        fences.push({ start: fence.start, end })
        fence = undefined
      }
    } else if (mark?.opens) {
      fence = { start, mark: mark.mark, length: mark.length }
      paragraph = outside
    } else {
      const heading = isCode
        ? undefined
        : (headingAt(text, from, end) ?? underlined(text, paragraph, from, end))
      paragraph = heading ? outside : continued(text, paragraph, { start, from, end, isCode })
      if (heading && headings.length < limits.sections) {
        headings.push({ start, titleEnd: end, ...heading })
      }
    }
    start = next
  }
  if (fence) fences.push({ start: fence.start, end: text.length })
  return { sections: closed(headings, text.length), fences }
}

/** Each heading up to the next one of its level or above. */
function closed(
  headings: readonly Omit<MarkdownSection, 'end'>[],
  textEnd: number,
): readonly MarkdownSection[] {
  const ends = headings.map(() => textEnd)
  const open: number[] = []
  for (const [index, { level, start }] of headings.entries()) {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if ((headings[last]?.level ?? 0) < level) break
      ends[last] = start
      open.pop()
    }
    open.push(index)
  }
  return headings.map((it, index) => ({ ...it, end: ends[index] ?? textEnd }))
}

function indentEnd(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) === space) at++
  return at
}

/** `# Title`, with what closes it left out. */
function headingAt(
  text: string,
  from: number,
  end: number,
): { readonly level: number; readonly title: string } | undefined {
  let at = from
  while (at < end && text.charCodeAt(at) === hash) at++
  const level = at - from
  if (level < 1 || level > 6) return undefined
  if (at < end && !isBlank(text.charCodeAt(at))) return undefined
  return { level, title: withoutClosing(text.slice(at, end).trim()) }
}

/** The hashes after a title, if white space is before them, do not belong to it. */
function withoutClosing(title: string): string {
  let at = title.length
  while (at > 0 && title.charCodeAt(at - 1) === hash) at--
  if (at === 0) return ''
  return at < title.length && isBlank(title.charCodeAt(at - 1)) ? title.slice(0, at).trimEnd() : title
}

/** Three or more backticks or tildes. Backticks with another one after them are code in a line. */
function fenceAt(text: string, from: number, end: number) {
  const mark = text.charAt(from)
  if (mark !== '`' && mark !== '~') return undefined
  let at = from
  while (at < end && text.charAt(at) === mark) at++
  if (at - from < 3) return undefined
  const rest = text.slice(at, end)
  return {
    mark,
    length: at - from,
    opens: mark === '~' || !rest.includes('`'),
    isBare: rest.trim() === '',
  }
}

/** The heading that a line of `=` or `-` makes of the paragraph before. */
function underlined(text: string, { isText, start, end }: Paragraph, from: number, lineEnd: number) {
  const mark = text.charAt(from)
  if (!isText || (mark !== '=' && mark !== '-')) return undefined
  let at = from
  while (at < lineEnd && text.charAt(at) === mark) at++
  while (at < lineEnd && isBlank(text.charCodeAt(at))) at++
  if (at < lineEnd) return undefined
  const title = text.slice(start, Math.min(end, start + longestTitle)).trim()
  return { level: mark === '=' ? 1 : 2, title, start, titleEnd: end }
}

const longestTitle = 400 // code units; no one reads more of a heading

/** The lines since the last empty one. */
interface Paragraph {
  /** True if an underline makes a heading of them: they are not a list, quote, table, or HTML. */
  readonly isText: boolean
  readonly isInside: boolean
  readonly start: number
  readonly end: number
}

const outside: Paragraph = { isText: false, isInside: false, start: 0, end: 0 }

interface Line {
  readonly start: number
  readonly from: number
  readonly end: number
  readonly isCode: boolean
}

/** The paragraph with one more line. */
function continued(text: string, paragraph: Paragraph, { start, from, end, isCode }: Line): Paragraph {
  if (from === end) return outside
  const isOther =
    '>|-+*<'.includes(text.charAt(from)) || /^\d{1,9}[.)]\s/.test(text.slice(from, Math.min(end, from + 12)))
  const isText = !isOther && (paragraph.isInside ? paragraph.isText : !isCode)
  return { isInside: true, isText, start: paragraph.isInside ? paragraph.start : start, end }
}

function isBlank(code: number): boolean {
  return code === space || code === tab
}

const space = 32
const tab = 9
const hash = 35
