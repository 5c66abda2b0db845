/** `textDocument/documentLink`, and the pages that `textDocument/definition` leads to from the header. */
import { DocumentLinkRequest, type Location, type LocationLink } from 'vscode-languageserver'
import { documentLinks, headerPageAt, type LinkTarget } from '../../../core/src/internal.ts'
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
    const uri = uriOf(context, target)
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
  const uri = link && uriOf(context, link.target)
  if (!link || uri === undefined) return undefined
  const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
  if (!context.client.hasLinks) return { uri, range: top }
  const originSelectionRange = toRange(document, link.range)
  return [{ originSelectionRange, targetUri: uri, targetRange: top, targetSelectionRange: top }]
}

/** The folder of the documentation is the one above that of the rules. */
function uriOf({ options }: ServerContext, target: LinkTarget): string | undefined {
  if (target.kind === 'address') return target.url
  const base = options.documentationBase
  return base?.slice(0, base.lastIndexOf('/') + 1).concat(target.path)
}
