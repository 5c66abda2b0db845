/** `textDocument/documentHighlight` */
import { DocumentHighlightRequest } from 'vscode-languageserver'
import { documentHighlights } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toRange } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** What belongs together with the thing at a position. */
export const documentHighlightHandler = documentHandler(
  DocumentHighlightRequest.type,
  ({ document, params }) => {
    const ranges = documentHighlights(document.analysis, fromPosition(document, params.position))
    return ranges.map((range) => ({ range: toRange(document, range) }))
  },
)
