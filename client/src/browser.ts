/** The extension in a browser: the server is a Web Worker. */
import * as vscode from 'vscode'
import { LanguageClient } from 'vscode-languageclient/browser'
import { start, stop } from './extension.ts'
import { clientId, clientName, type MakeClient } from './language-client.ts'

/** Called by VS Code. */
export function activate(context: vscode.ExtensionContext): Promise<void> {
  return start(context, makeClient)
}

/** Called by VS Code. */
export function deactivate(): Promise<void> {
  return stop()
}

const makeClient: MakeClient = (context, options) => {
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'server', 'browser.js')
  // A function, so that a restart gets a new worker.
  return new LanguageClient(clientId, clientName, async () => new Worker(script.toString(true)), options)
}
