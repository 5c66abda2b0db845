/** From the protocol's types to ours; the other direction is in `to-lsp.ts`. */
import type * as lsp from 'vscode-languageserver'
import type { Range } from '../../core/src/index.ts'
import type { ContentChange, OpenDocument } from './open-document.ts'

/** The offset of `position`; positions that do not exist are clamped to the line and to the document. */
export function fromPosition({ transcript }: OpenDocument, position: lsp.Position): number {
  return transcript.offsetAt({ line: natural(position.line), character: natural(position.character) })
}

/** The range in offsets; never backwards. */
export function fromRange(document: OpenDocument, { start, end }: lsp.Range): Range {
  const from = fromPosition(document, start)
  const to = fromPosition(document, end)
  return { start: Math.min(from, to), end: Math.max(from, to) }
}

/** A change of the text. */
export function fromContentChange(change: lsp.TextDocumentContentChangeEvent): ContentChange {
  if (!('range' in change)) return { range: undefined, text: change.text }
  const { start, end } = change.range
  return {
    range: {
      start: { line: natural(start.line), character: natural(start.character) },
      end: { line: natural(end.line), character: natural(end.character) },
    },
    text: change.text,
  }
}

function natural(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
}
