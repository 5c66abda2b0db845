/** `textDocument/references` */
import { ReferencesRequest } from 'vscode-languageserver'
import { references } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toLocation } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** Every place of a call id. */
export const referencesHandler = documentHandler(
  ReferencesRequest.type,
  ({ document, params }) => {
    const { includeDeclaration } = params.context
    const offset = fromPosition(document, params.position)
    return references(document.analysis, offset, { includeDeclaration }).map((it) => toLocation(document, it))
  },
  'context',
)
