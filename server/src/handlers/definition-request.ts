/** `textDocument/definition` */
import { DefinitionRequest } from 'vscode-languageserver'
import { definition } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toLocation, toLocationLink } from '../to-lsp.ts'
import { headerDefinition } from './document-link-request.ts'
import { documentHandler } from './handler.ts'

/** The other end of a call or reply, the declaration of a tool or an argument, the page about a key of the header. */
export const definitionHandler = documentHandler(DefinitionRequest.type, ({ context, document, params }) => {
  const offset = fromPosition(document, params.position)
  const found = definition(document.analysis, offset)
  if (!found) return headerDefinition(context, document, offset) ?? null
  return context.client.hasLinks ? [toLocationLink(document, found)] : toLocation(document, found.selection)
})
