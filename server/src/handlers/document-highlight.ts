/** `textDocument/documentHighlight` */
import type { DocumentHighlight, DocumentHighlightParams } from 'vscode-languageserver'
import { documentHighlights } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toRange } from '../to-lsp.ts'

/** What belongs together with the thing at a position. */
export function handleDocumentHighlight(
  context: ServerContext,
  params: DocumentHighlightParams,
): DocumentHighlight[] {
  const document = context.document(params.textDocument)
  const ranges = documentHighlights(document.analysis, fromPosition(document, params.position))
  return ranges.map((range) => ({ range: toRange(document, range) }))
}
