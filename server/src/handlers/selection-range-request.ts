/** `textDocument/selectionRange` */
import { SelectionRangeRequest } from 'vscode-languageserver'
import { selectionRanges } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toSelectionRange } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** What to select next when a selection grows. */
export const selectionRangeHandler = documentHandler(
  SelectionRangeRequest.type,
  ({ document, params }) =>
    params.positions.map((position) =>
      toSelectionRange(document, selectionRanges(document.analysis, fromPosition(document, position))),
    ),
  'positions',
)
