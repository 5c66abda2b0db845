/** `textDocument/foldingRange` */
import { FoldingRangeRequest } from 'vscode-languageserver'
import { folds, lineFolds } from '../../../core/src/internal.ts'
import { collect } from '../scheduler.ts'
import { toFoldingRange } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** Says what can be folded. */
export const foldingRangeHandler = documentHandler(FoldingRangeRequest.type, async (request) => {
  const { items } = await collect(folds(request.document.analysis), request)
  return lineFolds(items, request.context.client.foldLimit).map(toFoldingRange)
})
