/** `textDocument/hover` */
import { HoverRequest } from 'vscode-languageserver'
import { hover } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toHover } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** Explains what is at a position. */
export const hoverHandler = documentHandler(HoverRequest.type, ({ document, params }) => {
  const found = hover(document.analysis, fromPosition(document, params.position))
  return found ? toHover(document, found) : null
})
