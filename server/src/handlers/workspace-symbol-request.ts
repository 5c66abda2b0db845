/** `workspace/symbol` */
import {
  type SymbolInformation,
  SymbolKind,
  type WorkspaceSymbolParams,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver'
import { fitsQuery, type WorkspaceSymbol, workspaceSymbols } from '../../../core/src/internal.ts'
import { collect, throwIfCanceled } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toLocation } from '../to-lsp.ts'
import type { IndexedFile } from '../transcript-index.ts'
import { handler, type Request } from './handler.ts'

const symbolsOfDocument = 500 // more typing narrows it down
const symbolsOfFiles = 1000 // of all files that are not open

const kinds: Readonly<Record<WorkspaceSymbol['kind'], SymbolKind>> = {
  tool: SymbolKind.Function,
  call: SymbolKind.Event,
}
const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/** Finds tools, calls and transcripts by their names, in open documents and, where they can be read, in files. */
export const workspaceSymbolHandler = handler(WorkspaceSymbolRequest.type, symbols, 'query')

async function symbols({
  context,
  index,
  params: { query },
  token,
}: Request<WorkspaceSymbolParams>): Promise<SymbolInformation[]> {
  const found: SymbolInformation[] = []
  for (const document of [...context.documents.values()]) {
    const ofDocument = workspaceSymbols(document.analysis, query)
    const { items } = await collect(ofDocument, { document, token }, symbolsOfDocument)
    for (const { kind, name, detail, range } of items) {
      found.push({
        name,
        kind: kinds[kind],
        ...(detail !== '' && { containerName: detail }),
        location: toLocation(document, range),
      })
    }
  }
  const files = await index?.current()
  throwIfCanceled(token)
  if (files) found.push(...symbolsIn(files, context, query))
  return found
}

/** Open documents are searched themselves; of them, a file has only its name. */
function symbolsIn(
  files: Iterable<IndexedFile>,
  { documents }: ServerContext,
  query: string,
): readonly SymbolInformation[] {
  const open = new Set([...documents.keys()].map(plain))
  const found: SymbolInformation[] = []
  for (const { uri, symbols } of files) {
    const path = plain(uri)
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (fitsQuery(name, query)) found.push({ name, kind: SymbolKind.File, location: { uri, range: top } })
    for (const symbol of open.has(path) ? [] : symbols) {
      if (!fitsQuery(symbol.name, query)) continue
      const containerName = symbol.detail === '' ? name : `${symbol.detail} · ${name}`
      const { range } = symbol
      found.push({ name: symbol.name, kind: kinds[symbol.kind], containerName, location: { uri, range } })
    }
    if (found.length >= symbolsOfFiles) break
  }
  return found.slice(0, symbolsOfFiles)
}

/** Editors escape more or less of a URI. */
function plain(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri // no escapes that make sense
  }
}
