/** `textDocument/formatting` and `textDocument/rangeFormatting` */
import {
  DocumentFormattingRequest,
  type DocumentRangeFormattingParams,
  DocumentRangeFormattingRequest,
  type TextEdit,
} from 'vscode-languageserver'
import { formatEdits, jsonFormatEdits, type Range } from '../../../core/src/internal.ts'
import { firstEdits } from '../first-edits.ts'
import { fromRange } from '../from-lsp.ts'
import { toTextEdits } from '../to-lsp.ts'
import { type DocumentRequest, documentHandler, onceSettled } from './handler.ts'

/** Formats the document. */
export const formattingHandler = documentHandler(
  DocumentFormattingRequest.type,
  onceSettled((request) => editsIn(request, { start: 0, end: request.document.transcript.length })),
)

/** Formats what touches a range; JSON only where the range is in it. */
export const rangeFormattingHandler = documentHandler(
  DocumentRangeFormattingRequest.type,
  onceSettled((request: DocumentRequest<DocumentRangeFormattingParams>) => {
    const { document, params } = request
    const range = fromRange(document, params.range)
    const inJson = jsonFormatEdits(document.analysis, range, params.options)
    return inJson ? toTextEdits(document, inJson) : editsIn(request, range)
  }),
)

async function editsIn(request: DocumentRequest<unknown>, range: Range): Promise<TextEdit[]> {
  const { document } = request
  const edits = await firstEdits(formatEdits(document.analysis, range, document.settings.format), request)
  return toTextEdits(document, edits)
}
