/** Reads configuration files for the server where it cannot: in a browser, and on file systems that are no disk. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, RequestType } from 'vscode-languageclient'
import { isConfigurationPath } from '../../core/src/internal.ts'
import { largestConfiguration } from '../disk/read-limits.ts'
import type { ReadWorkspaceText } from './workspace-files.ts'

const readFileRequest = new RequestType<{ readonly uri: string }, string | null, void>('openchatml.readFile')

/** Answers the server: with the text, or null if there is no such file, and for files that are not a configuration. */
export function registerConfigurationFiles(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  readText: ReadWorkspaceText,
): void {
  const read = async (uri: vscode.Uri): Promise<string | null> => {
    if (!isConfigurationPath(uri.path)) return null
    return (await readText(uri, largestConfiguration)) ?? null
  }
  context.subscriptions.push(client.onRequest(readFileRequest, ({ uri }) => read(vscode.Uri.parse(uri))))
}
