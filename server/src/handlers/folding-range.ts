/** `textDocument/foldingRange` */
import type { CancellationToken, FoldingRange, FoldingRangeParams } from 'vscode-languageserver'
import { type Fold, type FoldKind, folds } from '../../../core/src/index.ts'
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
  const lines = items.flatMap((fold) => {
    const range = toFoldingRange(document, fold)
    return range ? [{ fold, range }] : []
  })
  return withinLimit(lines, context.client.foldLimit).map(({ range }) => range)
}

/** What is given up first where there are more folds than the client takes: the inner ones, all over the document. */
const leastFirst: readonly FoldKind[] = ['code', 'brackets', 'section', 'key', 'literal', 'body', 'message']

function withinLimit<Line extends { readonly fold: Fold }>(
  lines: readonly Line[],
  limit: number,
): readonly Line[] {
  let kept = lines
  for (const kind of leastFirst) {
    if (kept.length <= limit) return kept
    if (kind === 'message') break
    kept = kept.filter(({ fold }) => fold.kind !== kind)
  }
  return kept.slice(0, limit)
}
