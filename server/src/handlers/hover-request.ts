/** `textDocument/hover` */
import { HoverRequest } from 'vscode-languageserver'
import { hover, withCitationLinks } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toHover } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** Explains what is at a position. */
export const hoverHandler = documentHandler(HoverRequest.type, ({ context, document, params }) => {
  const found = hover(document.analysis, fromPosition(document, params.position))
  if (!found) return null
  const base = context.options.documentationBase
  // The folder of the documentation is the one above that of the rules.
  const markdown = base
    ? withCitationLinks(found.markdown, base.slice(0, base.lastIndexOf('/')))
    : found.markdown
  return toHover(document, { ...found, markdown })
})
