/** `textDocument/diagnostic` */
import type {
  CancellationToken,
  DocumentDiagnosticParams,
  DocumentDiagnosticReport,
} from 'vscode-languageserver'
import type { ServerContext } from '../server-context.ts'
import type { Workspace } from '../workspace.ts'

/** The diagnostics of a document, once its settings are known. */
export async function handleDocumentDiagnostic(
  context: ServerContext,
  workspace: Workspace,
  params: DocumentDiagnosticParams,
  token: CancellationToken,
): Promise<DocumentDiagnosticReport> {
  const document = context.document(params.textDocument)
  await workspace.settled(document)
  return context.diagnostics.pull(document, params.previousResultId, token)
}
