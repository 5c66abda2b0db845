/** Ranges of text in elements, and their marks, which change nothing in the elements. */

/** The ranges of what `spansOf` finds in the text of `root`, across elements. What the page itself says there is no text of it. */
export function textRanges(
  window: Window & typeof globalThis,
  root: Element,
  spansOf: (text: string) => readonly (readonly [from: number, to: number])[],
): readonly Range[] {
  const { document, NodeFilter } = window
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('figcaption, button, .conflict-side, .conflict-note')
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  )
  const nodes: { readonly node: Node; readonly start: number }[] = []
  let all = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node, start: all.length })
    all += node.textContent ?? ''
  }
  const at = (offset: number, isEnd: boolean) => {
    const found = nodes.findLast(({ start }) => (isEnd ? start < offset : start <= offset))
    return found && ([found.node, offset - found.start] as const)
  }
  return spansOf(all).flatMap(([from, to]) => {
    const [start, end] = [at(from, false), at(to, true)]
    if (!start || !end) return []
    const range = document.createRange()
    range.selectNodeContents(start[0]) // each end is compared with the other, and the document is long
    range.setStart(...start)
    range.setEnd(...end)
    return [range]
  })
}

/** Marks `ranges`, and one of them as the current one, with the names `NAME` and `NAME-current` of the style sheet. */
export function highlight(
  window: Window & typeof globalThis,
  name: string,
  ranges: readonly Range[],
  current: Range | undefined,
): void {
  const { CSS, Highlight } = window as Window & Partial<Pick<typeof globalThis, 'CSS' | 'Highlight'>>
  // Only browsers draw.
  if (!CSS?.highlights || !Highlight) return
  CSS.highlights.set(name, new Highlight(...ranges))
  CSS.highlights.set(`${name}-current`, new Highlight(...(current ? [current] : [])))
}
