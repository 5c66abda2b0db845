/** The extension in a browser: the server is a Web Worker. */
import * as vscode from 'vscode'
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from 'vscode-languageclient/browser'
import { type ExtensionApi, start, stop } from './extension.ts'
import { clientId, clientName, type MakeClient } from './language-client.ts'

/** Called by VS Code. */
export function activate(context: vscode.ExtensionContext): Promise<ExtensionApi> {
  return start(context, makeClient)
}

/** Called by VS Code. */
export function deactivate(): Promise<void> {
  return stop()
}

const makeClient: MakeClient = (context, options) => {
  const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'server', 'browser.js')
  let worker: Worker | undefined
  context.subscriptions.push({ dispose: () => worker?.terminate() })
  const startWorker = async () => {
    worker?.terminate() // a restart gets a new one
    worker = new Worker(script.toString(true))
    // Not the worker itself: the client would not know it where VS Code puts its own `Worker` in place.
    return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) }
  }
  return new LanguageClient(clientId, clientName, startWorker, options)
}
