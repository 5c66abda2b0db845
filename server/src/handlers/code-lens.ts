/** `textDocument/codeLens` */
import type { CancellationToken, CodeLens, CodeLensParams } from 'vscode-languageserver'
import { toolLenses } from '../../../core/src/internal.ts'
import { collect } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toCodeLens } from '../to-lsp.ts'

/** Says how often each defined tool is called. */
export async function handleCodeLens(
  context: ServerContext,
  params: CodeLensParams,
  token: CancellationToken,
): Promise<CodeLens[]> {
  const document = context.document(params.textDocument)
  if (!document.settings.codeLens) return []
  const { items } = await collect(toolLenses(document.analysis), { document, token })
  return items.map((lens) => toCodeLens(document, lens, context.options.referencesCommand))
}
