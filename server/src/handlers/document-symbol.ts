/** `textDocument/documentSymbol` */
import type {
  CancellationToken,
  DocumentSymbol,
  DocumentSymbolParams,
  SymbolInformation,
} from 'vscode-languageserver'
import { localize, type OutlineEntry, outline } from '../../../core/src/index.ts'
import type { OpenDocument } from '../open-document.ts'
import { collect } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toDocumentSymbols, toSymbolInformation } from '../to-lsp.ts'

const entriesAtMost = 10_000 // beyond that, editors take seconds to show the tree

/** The outline. */
export async function handleDocumentSymbol(
  context: ServerContext,
  params: DocumentSymbolParams,
  token: CancellationToken,
): Promise<DocumentSymbol[] | SymbolInformation[]> {
  const document = context.document(params.textDocument)
  const { items, isComplete } = await collect(outline(document.analysis), { document, token }, entriesAtMost)
  const entries = isComplete ? items : [...items, cut(document)]
  return context.client.hasSymbolTrees
    ? toDocumentSymbols(document, entries)
    : toSymbolInformation(document, entries)
}

/** Says that the outline goes on. */
function cut({ transcript }: OpenDocument): OutlineEntry {
  const end = { start: transcript.length, end: transcript.length }
  const detail = localize`the outline shows the first ${entriesAtMost} entries`
  return { depth: 0, kind: 'other', name: localize`More messages`, detail, range: end, selection: end }
}
