/**
 * Literal blocks inside Markdown. One rendering needs one text, so each literal block is represented in it by one private
 * character that the message does not contain; the verbatim text takes its place when the Markdown has become elements.
 */
import type { VisiblePart } from '../../core/src/internal.ts'

/** The private use area: characters without a meaning of their own. */
const firstPrivate = 0xe000
const lastPrivate = 0xf8ff

/** A message as one Markdown text with stand-ins for its literal blocks. */
export interface StandIns {
  readonly markdown: string
  /** Literal text by its stand-in. */
  readonly literals: ReadonlyMap<string, string>
  /** Matches one stand-in. */
  readonly pattern: RegExp | undefined
}

/** `parts` with stand-ins, or `undefined` if they need more private characters than there are. */
export function withStandIns(parts: readonly VisiblePart[]): StandIns | undefined {
  const literals = new Map<string, string>()
  const all = parts.map((part) => part.text).join('')
  let code = firstPrivate
  let markdown = ''
  for (const part of parts) {
    if (part.kind === 'markdown') {
      markdown += part.text
      continue
    }
    while (code <= lastPrivate && all.includes(String.fromCharCode(code))) code++
    if (code > lastPrivate) return undefined
    const standIn = String.fromCharCode(code++)
    literals.set(standIn, part.text)
    markdown += standIn
  }
  // Linear: one code unit.
  const pattern = literals.size > 0 ? new RegExp(`[${[...literals.keys()].join('')}]`, 'u') : undefined
  return { markdown, literals, pattern }
}

/** `text` with the literal blocks in place of their stand-ins. */
export function resolved(text: string, { literals, pattern }: StandIns): string {
  if (!pattern) return text
  let result = ''
  for (const character of text) result += literals.get(character) ?? character
  return result
}

/** Line of the message for each line of the Markdown text: a literal block may have several lines, its stand-in has none. */
export function lineMap({ markdown, literals }: StandIns): (line: number) => number {
  if (literals.size === 0) return (line) => line
  const lines: number[] = []
  let line = 0
  for (const text of markdown.split(/\r\n?|\n/)) {
    lines.push(line)
    line++
    for (const character of text) {
      const literal = literals.get(character)
      if (literal !== undefined) line += lineBreaks(literal)
    }
  }
  return (index) => lines[index] ?? line
}

/** Line breaks in `text`. */
export function lineBreaks(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0
}
