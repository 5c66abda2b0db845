/** `textDocument/selectionRange` */
import type { SelectionRange, SelectionRangeParams } from 'vscode-languageserver'
import { selectionRanges } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toSelectionRange } from '../to-lsp.ts'

/** What to select next when a selection grows. */
export function handleSelectionRange(context: ServerContext, params: SelectionRangeParams): SelectionRange[] {
  const document = context.document(params.textDocument)
  return params.positions.map((position) =>
    toSelectionRange(document, selectionRanges(document.analysis, fromPosition(document, position))),
  )
}
