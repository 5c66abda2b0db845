/** A server on the text documents that most servers are built on: one string per document. It reports no diagnostics. */
import {
  createConnection,
  DocumentDiagnosticReportKind,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'

const connection = createConnection()
const documents = new TextDocuments(TextDocument)
connection.onInitialize(() => ({
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
  },
}))
connection.onRequest('textDocument/diagnostic', () => ({
  kind: DocumentDiagnosticReportKind.Full,
  items: [],
}))
documents.listen(connection)
connection.listen()
