/** Marks the words of two answers that differ, without touching their elements. */
import { type TextStretch, wordDifferences } from '../../render/word-differences.ts'

/** The name of the marks, as the style sheet knows it. */
const highlightName = 'review-difference'

/** The part of a browser that marks text; absent where there is none, as in tests. */
interface Highlights {
  readonly CSS?: { readonly highlights?: Map<string, unknown> }
  readonly Highlight?: new (...ranges: Range[]) => unknown
}

/** Marks where `one` and `other` differ, and nothing else on the page. How many places there are. */
export function markDifferences(
  window: Window & typeof globalThis,
  sides: readonly [one: readonly HTMLElement[], other: readonly HTMLElement[]] | undefined,
): number {
  const { CSS, Highlight } = window as Window & Highlights
  CSS?.highlights?.delete(highlightName)
  if (!sides) return 0
  const [one, other] = sides.map((elements) => elements.flatMap(textNodes))
  if (!one || !other) return 0
  const differences = wordDifferences(textOf(one), textOf(other))
  if (!differences) return 0
  const ranges = [
    ...rangesOf(window.document, one, differences.one),
    ...rangesOf(window.document, other, differences.other),
  ]
  if (Highlight) CSS?.highlights?.set(highlightName, new Highlight(...ranges))
  return differences.one.length + differences.other.length
}

function textNodes(element: HTMLElement): Text[] {
  const walker = element.ownerDocument.createTreeWalker(element, 4 /* text */)
  const nodes: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node as Text)
  return nodes
}

function textOf(nodes: readonly Text[]): string {
  return nodes.map(({ data }) => data).join('')
}

function rangesOf(document: Document, nodes: readonly Text[], stretches: readonly TextStretch[]): Range[] {
  const ranges: Range[] = []
  let offset = 0
  let next = 0
  for (const node of nodes) {
    const end = offset + node.length
    for (let at = next; at < stretches.length; at++) {
      const stretch = stretches[at]
      if (!stretch || stretch.start >= end) break
      const range = document.createRange()
      range.setStart(node, Math.max(0, stretch.start - offset))
      range.setEnd(node, Math.min(node.length, stretch.end - offset))
      ranges.push(range)
      if (stretch.end <= end) next = at + 1
    }
    offset = end
  }
  return ranges
}
