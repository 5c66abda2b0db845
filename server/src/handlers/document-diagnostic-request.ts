/** `textDocument/diagnostic` */
import { DocumentDiagnosticRequest } from 'vscode-languageserver'
import { documentHandler } from './handler.ts'

/** The diagnostics of a document, once its settings are known. */
export const documentDiagnosticHandler = documentHandler(
  DocumentDiagnosticRequest.type,
  async ({ context, document, params, settings, token }) => {
    await settings.settled(document)
    return context.diagnostics.pull(document, params.previousResultId, token)
  },
)
