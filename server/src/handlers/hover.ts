/** `textDocument/hover` */
import type { Hover, HoverParams } from 'vscode-languageserver'
import { hover } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toHover } from '../to-lsp.ts'

/** Explains what stands at a position. */
export function handleHover(context: ServerContext, params: HoverParams): Hover | null {
  const document = context.document(params.textDocument)
  const found = hover(document.analysis, fromPosition(document, params.position))
  return found ? toHover(document, found) : null
}
