/** `textDocument/definition` */
import type { DefinitionParams, Location, LocationLink } from 'vscode-languageserver'
import { definition } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toLocation, toLocationLink } from '../to-lsp.ts'
import { headerDefinition } from './document-link.ts'

/** The other end of a call or reply, the declaration of a tool or an argument, the page about a key of the header. */
export function handleDefinition(
  context: ServerContext,
  params: DefinitionParams,
): Location | LocationLink[] | null {
  const document = context.document(params.textDocument)
  const offset = fromPosition(document, params.position)
  const found = definition(document.analysis, offset)
  if (!found) return headerDefinition(context, document, offset) ?? null
  return context.client.hasLinks ? [toLocationLink(document, found)] : toLocation(document, found.selection)
}
