/** `workspace/symbol` */
import {
  type CancellationToken,
  type SymbolInformation,
  SymbolKind,
  type WorkspaceSymbolParams,
} from 'vscode-languageserver'
import { workspaceSymbols } from '../../../core/src/index.ts'
import { collect } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toLocation } from '../to-lsp.ts'

const symbolsAtMost = 500 // of one document; more typing narrows it down

/** Finds tools and calls in the documents that are open. */
export async function handleWorkspaceSymbol(
  context: ServerContext,
  { query }: WorkspaceSymbolParams,
  token: CancellationToken,
): Promise<SymbolInformation[]> {
  const found: SymbolInformation[] = []
  for (const document of [...context.documents.values()]) {
    const symbols = workspaceSymbols(document.analysis, query)
    const { items } = await collect(symbols, { document, token }, symbolsAtMost)
    for (const { kind, name, detail, range } of items) {
      found.push({
        name,
        kind: kind === 'tool' ? SymbolKind.Function : SymbolKind.Event,
        ...(detail !== '' && { containerName: detail }),
        location: toLocation(document, range),
      })
    }
  }
  return found
}
