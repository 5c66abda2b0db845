/** The preamble as a reader sees it: where the YAML header stands, and what does not belong there (D1). */
import { perValue } from '../text/memo.ts'
import type { Span } from '../text/range.ts'
import type { Segment } from './segment.ts'
import { TokenKind } from './token-run.ts'
import { tokensOf } from './tokenize.ts'

/** The parts of the preamble; spans are relative to it, which is also the document. */
export interface PreambleView {
  /** The YAML text without fences and byte order mark; undefined if there is nothing but white space. */
  readonly yaml: Span | undefined
  /** The line that opens front matter, and the one that closes it. */
  readonly fences: readonly Span[]
  /** Text behind the closed front matter that belongs to nothing. */
  readonly stray: Span | undefined
}

/** The view of a preamble segment. */
export const preambleView = perValue((segment: Segment): PreambleView => {
  const run = tokensOf(segment)
  let yaml: Span | undefined
  let stray: Span | undefined
  const fences: Span[] = []
  let from = 0
  for (let index = 0; index < run.count; index++) {
    const kind = run.kinds[index]
    const to = run.ends[index] ?? from
    if (kind === TokenKind.yaml) yaml = { from, to }
    if (kind === TokenKind.fence) fences.push({ from, to })
    if (kind === TokenKind.stray || kind === TokenKind.strayToken) stray = { from: stray?.from ?? from, to }
    from = to
  }
  return { yaml, fences, stray }
})
