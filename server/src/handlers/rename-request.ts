/** `textDocument/prepareRename` and `textDocument/rename` */
import { LSPErrorCodes, PrepareRenameRequest, RenameRequest, ResponseError } from 'vscode-languageserver'
import { rename, renameRange } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toRange } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** What can be renamed at a position. */
export const prepareRenameHandler = documentHandler(PrepareRenameRequest.type, ({ document, params }) => {
  const range = renameRange(document.analysis, fromPosition(document, params.position))
  return range ? toRange(document, range) : null
})

/** Renames a call id. @throws ResponseError RequestFailed with the reason if the new name cannot be */
export const renameHandler = documentHandler(
  RenameRequest.type,
  ({ context, document, params }) => {
    const renaming = rename(document.analysis, fromPosition(document, params.position), params.newName)
    if (renaming.kind === 'refused') throw new ResponseError(LSPErrorCodes.RequestFailed, renaming.reason)
    return context.workspaceEdit(document, renaming.edits)
  },
  'newName',
)
