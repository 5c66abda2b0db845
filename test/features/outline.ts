/** The outline of a document as a flat list, in offsets of the document. */
import {
  type Analysis,
  outlineBlocks,
  type Range,
  type SymbolKind,
  toRange,
} from '../../core/src/internal.ts'

/** An entry; what is deeper belongs to the last entry before it that is less deep. */
export interface OutlineEntry {
  readonly depth: number
  readonly kind: SymbolKind
  readonly name: string
  readonly detail: string
  readonly range: Range
  readonly selection: Range
}

/** All entries, in document order. */
export function* outline(analysis: Analysis): IterableIterator<OutlineEntry> {
  for (const { located, depth, item, parts } of outlineBlocks(analysis, 'messages')) {
    const inner = parts().map((it) => ({ ...it, depth: depth + 1 + it.depth }))
    for (const { span, label, ...entry } of [{ ...item, depth }, ...inner])
      yield { ...entry, range: toRange(span, located.start), selection: toRange(label, located.start) }
  }
}
