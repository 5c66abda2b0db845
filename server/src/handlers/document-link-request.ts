/** `textDocument/documentLink`, and the pages that `textDocument/definition` leads to from the header. */
import { DocumentLinkRequest, type Location, type LocationLink } from 'vscode-languageserver'
import { documentLinks, headerPageAt, type LinkTarget, partPath } from '../../../core/src/internal.ts'
import type { OpenDocument } from '../open-document.ts'
import { collect } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toRange } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

const linksAtMost = 5000 // of one document; an editor underlines them all

/** The links of the document. */
export const documentLinkHandler = documentHandler(DocumentLinkRequest.type, async (request) => {
  const { context, document } = request
  const { items } = await collect(documentLinks(document.analysis), request)
  const links = items.flat().slice(0, linksAtMost)
  return links.flatMap(({ range, target }) => {
    const uri = uriOf(context, document, target)
    return uri === undefined ? [] : [{ range: toRange(document, range), target: uri }]
  })
})

/** From a key of the header to the page about it; undefined elsewhere, and where the pages are not at hand. */
export function headerDefinition(
  context: ServerContext,
  document: OpenDocument,
  offset: number,
): Location | LocationLink[] | undefined {
  const link = headerPageAt(document.analysis, offset)
  const uri = link && uriOf(context, document, link.target)
  if (!link || uri === undefined) return undefined
  const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
  if (!context.client.hasLinks) return { uri, range: top }
  const originSelectionRange = toRange(document, link.range)
  return [{ originSelectionRange, targetUri: uri, targetRange: top, targetSelectionRange: top }]
}

/** The address of a part in the folder of the workspace that `document` is in; undefined for paths that lead out of it. */
function partUri({ folders }: ServerContext, { uri }: OpenDocument, written: string): string | undefined {
  const root = folders.find((it) => uri.startsWith(`${it}/`))
  if (root === undefined) return undefined
  const from = uri.slice(root.length + 1)
  const names = from.split('/').map((name) => decodedName(name))
  const found = partPath(names.join('/'), written)
  return found.kind === 'path'
    ? `${root}/${found.path.split('/').map(encodeURIComponent).join('/')}`
    : undefined
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The folder of the documentation is the one above that of the rules. */
function uriOf(context: ServerContext, document: OpenDocument, target: LinkTarget): string | undefined {
  if (target.kind === 'address') return target.url
  if (target.kind === 'part') return partUri(context, document, target.path)
  const base = context.options.documentationBase
  return base?.slice(0, base.lastIndexOf('/') + 1).concat(target.path)
}
