/** `textDocument/prepareRename` and `textDocument/rename` */
import { LSPErrorCodes, PrepareRenameRequest, RenameRequest, ResponseError } from 'vscode-languageserver'
import { refusalByParts, rename, renameRange } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toRange } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'
import { inputBeside, rangesOf } from './inputs-beside.ts'

/** What can be renamed at a position. */
export const prepareRenameHandler = documentHandler(PrepareRenameRequest.type, ({ document, params }) => {
  const range = renameRange(document.analysis, fromPosition(document, params.position))
  return range ? toRange(document, range) : null
})

/** Renames a call id, a tool, or an input. @throws ResponseError RequestFailed with the reason if the new name cannot be */
export const renameHandler = documentHandler(
  RenameRequest.type,
  async (request) => {
    const { context, document, params } = request
    const offset = fromPosition(document, params.position)
    const beside = await inputBeside(request, offset)
    const renaming = rename(document.analysis, offset, params.newName)
    if (renaming.kind === 'refused') throw new ResponseError(LSPErrorCodes.RequestFailed, renaming.reason)
    const refusal =
      beside && refusalByParts(document.analysis, beside.files, { ...beside, renamed: params.newName })
    if (refusal !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, refusal)
    const others = (beside?.uses ?? []).map((uses) => ({
      uri: uses.file.uri,
      edits: rangesOf(uses).map((range) => ({ range, newText: params.newName })),
    }))
    return context.workspaceEdit(document, renaming.edits, others)
  },
  'newName',
)
