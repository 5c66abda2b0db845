/**
 * Configuration files, for the server: reads them where it cannot, in a browser and on virtual file systems, and reports those
 * that change in VS Code, since watching a folder may take a while or be impossible.
 */
import * as vscode from 'vscode'
import {
  type BaseLanguageClient,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  RequestType,
} from 'vscode-languageclient'
import { isConfigurationPath, type PartReading } from '../../core/src/internal.ts'
import { largestConfiguration } from '../disk/read-limits.ts'
import type { ReadWorkspaceFile } from './workspace-files.ts'

const readFileRequest = new RequestType<{ readonly uri: string }, PartReading, void>('openchatml.readFile')

/** Answers the server. A file that is not a configuration counts as missing. */
export function registerConfigurationFiles(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  readFile: ReadWorkspaceFile,
): void {
  const read = async (uri: vscode.Uri): Promise<PartReading> =>
    isConfigurationPath(uri.path) ? readFile(uri, largestConfiguration) : { kind: 'missing' }
  const report = (uris: readonly vscode.Uri[], type: FileChangeType) => {
    const changes = uris
      .filter((it) => isConfigurationPath(it.path))
      .map((it) => ({ uri: client.code2ProtocolConverter.asUri(it), type }))
    if (changes.length > 0)
      void client.sendNotification(DidChangeWatchedFilesNotification.method, { changes })
  }
  const { Changed, Created, Deleted } = FileChangeType
  context.subscriptions.push(
    client.onRequest(readFileRequest, ({ uri }) => read(vscode.Uri.parse(uri))),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => report([uri], Changed)),
    vscode.workspace.onDidCreateFiles(({ files }) => report(files, Created)),
    vscode.workspace.onDidDeleteFiles(({ files }) => report(files, Deleted)),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      report(
        files.map(({ oldUri }) => oldUri),
        Deleted,
      )
      report(
        files.map(({ newUri }) => newUri),
        Created,
      )
    }),
  )
}
