/** `textDocument/inlayHint` */
import type { CancellationToken, InlayHint, InlayHintParams } from 'vscode-languageserver'
import { inlayHints } from '../../../core/src/index.ts'
import { fromRange } from '../from-lsp.ts'
import { collect } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toInlayHint } from '../to-lsp.ts'

/** Says behind each call where it is answered. */
export async function handleInlayHint(
  context: ServerContext,
  params: InlayHintParams,
  token: CancellationToken,
): Promise<InlayHint[]> {
  const document = context.document(params.textDocument)
  const hints = inlayHints(document.analysis, fromRange(document, params.range))
  const { items } = await collect(hints, { document, token })
  return items.map((hint) => toInlayHint(document, hint))
}
