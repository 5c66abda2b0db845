/** Markdown as text that goes into a file: what other readers would take for HTML is escaped, as the preview shows none. */
import { type MarkdownBlock, markdownBlocks } from './markdown-to-html.ts'

/** `markdown` with `<b>` as text. In code it is text anyway, and stays. Line breaks are `\n`. */
export function withoutHtml(markdown: string): string {
  const lines = markdown.split('\n')
  const readings = [codeIn(markdown, lines, 'followable')]
  // What an address is decides where links end, and code begins.
  if (markdown.includes('<') && markdown.includes('`') && markdown.includes(']'))
    readings.push(codeIn(markdown, lines, 'all'))
  return lines
    .map((line, index) => {
      if (readings.every(({ isCode }) => isCode.has(index))) return line
      return escaped(
        line,
        readings.map(({ inCode }) => inCode.get(index) ?? []),
      )
    })
    .join('\n')
}

/** Where the code of a text is, as a reader of Markdown sees it. */
interface CodePlaces {
  /** Lines of blocks of code. */
  readonly isCode: ReadonlySet<number>
  /** For each other line, whether each `<` is in code; of a line that has more of them or fewer, nothing is known. */
  readonly inCode: ReadonlyMap<number, readonly boolean[]>
}

function codeIn(markdown: string, lines: readonly string[], links: 'followable' | 'all'): CodePlaces {
  const isCode = new Set<number>()
  const inCode = new Map<number, boolean[]>()
  for (const block of markdownBlocks(markdown, links)) {
    if (block.kind === 'code') for (let line = block.from; line < block.to; line++) isCode.add(line)
    else {
      const known = inCode.get(block.from) ?? []
      inCode.set(block.from, known)
      for (const it of signsOf(block)) known.push(it)
      // The signs of a block that has more or fewer of them than its lines are all escaped.
      if (block.to > block.from + 1) spread(known, inCode, lines.slice(block.from, block.to), block.from)
    }
  }
  return { isCode, inCode }
}

/** For each `<` of a block's text, whether it is in code. */
function signsOf({ text, codes }: MarkdownBlock & { readonly kind: 'text' }): readonly boolean[] {
  const result: boolean[] = []
  let next = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    while (next < codes.length && codes[next]!.to <= at) next++ // in bounds: just compared
    result.push((codes[next]?.from ?? Number.POSITIVE_INFINITY) <= at)
  }
  return result
}

/** Gives each of `lines` its share of `signs`. */
function spread(
  signs: readonly boolean[],
  inCode: Map<number, boolean[]>,
  lines: readonly string[],
  first: number,
): void {
  const counts = lines.map((line) => line.split('<').length - 1)
  const isKnown = counts.reduce((sum, it) => sum + it, 0) === signs.length
  let from = 0
  for (const [index, count] of counts.entries()) {
    inCode.set(first + index, isKnown ? signs.slice(from, from + count) : [])
    from += count
  }
}

/** What begins a tag, a comment or a declaration, and no address. */
const opening = /^<(?=[!?/a-z])(?!https?:|mailto:)/i

function escaped(line: string, inCode: readonly (readonly boolean[])[]): string {
  const parts = line.split('<')
  const isKnown = inCode.every(({ length }) => length === parts.length - 1)
  const written = [parts[0] ?? '']
  for (let index = 1; index < parts.length; index++) {
    const [before, after] = [parts[index - 1] ?? '', parts[index] ?? '']
    // At the beginning of a line, HTML ends a paragraph, and code in it.
    const isFirst = index === 1 && /^[\s>]*$/.test(before)
    const isCode = isKnown && !isFirst && inCode.every((it) => it[index - 1])
    if (isCode || !opening.test(`<${after.slice(0, 8)}`)) written.push('<')
    else {
      const slashes = slashesAtEnd(before)
      const isEscaped = slashes % 2 === 1
      // Readers that make links of addresses take a backslash for a part of one, and a `<` after it for a tag; an entity they leave.
      if (!isGlued(before.charAt(before.length - slashes - 1), index)) written.push(isEscaped ? '<' : '\\<')
      else {
        if (isEscaped) written.push((written.pop() ?? '').slice(0, -1))
        written.push('&lt;')
      }
    }
    written.push(after)
  }
  return written.join('')
}

/** True if what follows `character`, the last one before the sign at `index`, may be a part of an address that it ends. */
function isGlued(character: string, index: number): boolean {
  return character === '' ? index > 1 : /\S/.test(character)
}

function slashesAtEnd(text: string): number {
  let count = 0
  while (text.charAt(text.length - 1 - count) === '\\') count++
  return count
}
