/** Markdown as text that goes into a file: what other readers would take for HTML is escaped, as the preview shows none. */
import { type MarkdownBlock, markdownBlocks } from './markdown-to-html.ts'

/** `markdown` with `<b>` as text. In code it is text anyway, and stays. Line breaks are `\n`. */
export function withoutHtml(markdown: string): string {
  const lines = markdown.split('\n')
  const isCode = new Set<number>()
  const inCode = new Map<number, boolean[]>()
  for (const block of markdownBlocks(markdown)) {
    if (block.kind === 'code') for (let line = block.from; line < block.to; line++) isCode.add(line)
    else {
      const known = inCode.get(block.from) ?? []
      inCode.set(block.from, known)
      for (const it of signsOf(block)) known.push(it)
      // The signs of a block that has more or fewer of them than its lines are all escaped.
      if (block.to > block.from + 1) spread(known, inCode, lines.slice(block.from, block.to), block.from)
    }
  }
  return lines.map((line, index) => (isCode.has(index) ? line : escaped(line, inCode.get(index)))).join('\n')
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

function escaped(line: string, inCode: readonly boolean[] = []): string {
  const parts = line.split('<')
  const isKnown = parts.length - 1 === inCode.length
  let result = parts[0] ?? ''
  for (let index = 1; index < parts.length; index++) {
    const rest = `<${(parts[index] ?? '').slice(0, 8)}`
    const isText = !(isKnown && inCode[index - 1]) && opening.test(rest)
    result += isText && !isEscaped(parts[index - 1] ?? '') ? '\\<' : '<'
    result += parts[index]
  }
  return result
}

function isEscaped(before: string): boolean {
  let count = 0
  while (before.charAt(before.length - 1 - count) === '\\') count++
  return count % 2 === 1
}
