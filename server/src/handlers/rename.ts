/** `textDocument/prepareRename` and `textDocument/rename` */
import {
  LSPErrorCodes,
  type PrepareRenameParams,
  type Range,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import { rename, renameRange } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toRange, toWorkspaceEdit } from '../to-lsp.ts'

/** What can be renamed at a position. */
export function handlePrepareRename(context: ServerContext, params: PrepareRenameParams): Range | null {
  const document = context.document(params.textDocument)
  const range = renameRange(document.analysis, fromPosition(document, params.position))
  return range ? toRange(document, range) : null
}

/** Renames a call id. @throws ResponseError RequestFailed with the reason if the new name cannot be */
export function handleRename(context: ServerContext, params: RenameParams): WorkspaceEdit {
  const document = context.document(params.textDocument)
  const renaming = rename(document.analysis, fromPosition(document, params.position), params.newName)
  if (renaming.kind === 'refused') throw new ResponseError(LSPErrorCodes.RequestFailed, renaming.reason)
  return toWorkspaceEdit(document, renaming.edits, { hasVersions: context.client.hasVersionedEdits })
}
