/** The preamble as a reader sees it: where the YAML header is, and what does not belong there (D1). */
import { perText, perValue } from '../text/memo.ts'
import type { Span } from '../text/range.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { perSegment, type Segment } from './segment.ts'
import { TokenBuffer, TokenKind } from './token-run.ts'
import { tokenize, tokenizePreamble } from './tokenize.ts'

/** The parts of the preamble; spans are relative to it, which is also the document. */
export interface PreambleView {
  /** The YAML text without fences and byte order mark; undefined if there is nothing but white space. */
  readonly yaml: Span | undefined
  /** The line that opens front matter, and the one that closes it. */
  readonly fences: readonly Span[]
  /** Text after the closed front matter that belongs to nothing. */
  readonly stray: Span | undefined
  /** What is at `yaml`; empty if there is nothing. */
  readonly yamlText: string
}

/**
 * The view of a preamble segment. Preambles of the same text have it in common, and so all that is remembered of it:
 * the samples of a dataset are many, and their headers few.
 */
export function preambleView(segment: Segment): PreambleView {
  if (segment.kind === 'preamble') return rememberedView(segment)
  tokenize(segment, buffer)
  return viewOf(segment.text, buffer)
}

const rememberedView = perSegment((segment) => viewsIn(segment.framing)(segment.text))

const viewsIn = perValue((framing: Framing) => {
  const view = (text: string) => {
    tokenizePreamble({ text, framing }, buffer)
    return viewOf(text, buffer)
  }
  return perText(view, { texts: 32, length: 1 << 18 })
})

const buffer = new TokenBuffer() // reused: views are made one at a time

function viewOf(text: string, run: TokenBuffer): PreambleView {
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
  return { yaml, fences, stray, yamlText: yaml ? text.slice(yaml.from, yaml.to) : '' }
}
