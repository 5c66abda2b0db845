/** `textDocument/foldingRange` */
import type { CancellationToken, FoldingRange, FoldingRangeParams } from 'vscode-languageserver'
import { folds, lineFolds } from '../../../core/src/internal.ts'
import { collect } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toFoldingRange } from '../to-lsp.ts'

/** Says what can be folded. */
export async function handleFoldingRange(
  context: ServerContext,
  params: FoldingRangeParams,
  token: CancellationToken,
): Promise<FoldingRange[]> {
  const document = context.document(params.textDocument)
  const { items } = await collect(folds(document.analysis), { document, token })
  return lineFolds(items, context.client.foldLimit).map(toFoldingRange)
}
