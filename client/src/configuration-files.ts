/** Reads configuration files for the server where it cannot: in a browser, and on file systems that are no disk. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, RequestType } from 'vscode-languageclient'
import { configurationFileNames } from '../../core/src/index.ts'

const readFileRequest = new RequestType<{ readonly uri: string }, string | null, void>('openchatml.readFile')
const largestFile = 1_000_000 // bytes; a configuration is a page

/** Answers the server. */
export function registerConfigurationFiles(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
): void {
  context.subscriptions.push(client.onRequest(readFileRequest, ({ uri }) => read(vscode.Uri.parse(uri))))
}

/** The text; null if there is no such file, and for files that are no configuration. */
async function read(uri: vscode.Uri): Promise<string | null> {
  if (!configurationFileNames.some((name) => uri.path.endsWith(`/${name}`))) return null
  try {
    const bytes = await vscode.workspace.fs.readFile(uri)
    return bytes.length > largestFile ? null : new TextDecoder().decode(bytes)
  } catch {
    return null // most often there is none
  }
}
