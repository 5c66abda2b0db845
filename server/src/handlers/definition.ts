/** `textDocument/definition` */
import type { DefinitionParams, Location, LocationLink } from 'vscode-languageserver'
import { definition } from '../../../core/src/index.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toLocation, toLocationLink } from '../to-lsp.ts'

/** The other end of a call or reply. */
export function handleDefinition(
  context: ServerContext,
  params: DefinitionParams,
): Location | LocationLink[] | null {
  const document = context.document(params.textDocument)
  const found = definition(document.analysis, fromPosition(document, params.position))
  if (!found) return null
  return context.client.hasLinks ? [toLocationLink(document, found)] : toLocation(document, found.selection)
}
