/** `textDocument/references` */
import type { Location, ReferenceParams } from 'vscode-languageserver'
import { references } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toLocation } from '../to-lsp.ts'

/** Every place of a call id. */
export function handleReferences(context: ServerContext, params: ReferenceParams): Location[] {
  const document = context.document(params.textDocument)
  const { includeDeclaration } = params.context
  const ranges = references(document.analysis, fromPosition(document, params.position), {
    includeDeclaration,
  })
  return ranges.map((range) => toLocation(document, range))
}
