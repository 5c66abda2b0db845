/** The extension on desktops and remote machines: the server is a process of its own. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import * as vscode from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'
import { placeAt } from '../disk/byte-ranges.ts'
import { nodeDecompression } from '../disk/decompression.ts'
import { diskSpool } from '../disk/disk-spool.ts'
import { indexStoreOnDisk } from '../disk/index-store.ts'
import { readWorkspaceFile } from '../disk/read-workspace-file.ts'
import { writeOnDisk } from '../disk/replace-on-disk.ts'
import { inWords } from '../disk/write-refusal.ts'
import { columnThreads } from './datasets/column-threads.ts'
import type { DatasetDisk } from './datasets/dataset-library.ts'
import { fileOnDisk } from './datasets/disk-file.ts'
import { textFileOnDisk } from './datasets/whole-files-on-disk.ts'
import { type ExtensionApi, start, stop } from './extension.ts'
import { clientId, clientName, type MakeClient } from './language-client.ts'
import { reviewOnDisk } from './review/review-on-disk.ts'

const datasets: DatasetDisk = {
  openThreads: () => columnThreads(join(__dirname, 'columns.js')),
  decompression: nodeDecompression,
  makeSpool: diskSpool,
  openFile: fileOnDisk,
  openTextFile: textFileOnDisk,
  openReview: reviewOnDisk,
  writeFile: (path, chunks) => inWords(writeOnDisk(path, chunks)),
  placeAt,
}

/** Called by VS Code. */
export function activate(context: vscode.ExtensionContext): Promise<ExtensionApi> {
  const program = join(context.extensionUri.fsPath, 'dist', 'client', 'node.js')
  const indexes = {
    store: indexStoreOnDisk(join(context.globalStorageUri.fsPath, 'indexes')),
    program: `${context.extension.packageJSON.version} ${statSync(program).mtimeMs}`,
  }
  return start(context, makeClient, { datasets: { ...datasets, indexes }, readOnDisk: readWorkspaceFile })
}

/** Called by VS Code. */
export function deactivate(): Promise<void> {
  return stop()
}

const makeClient: MakeClient = (context, options) => {
  const module = vscode.Uri.joinPath(context.extensionUri, 'dist', 'server', 'node.js').fsPath
  // On the channel of a forked process, messages would be objects, and the server has the JSON of diagnostics already.
  // From Node.js 22 on, the server finds its code compiled when it starts again.
  const compiled = join(context.globalStorageUri.fsPath, 'compiled')
  const transport = TransportKind.stdio
  const run = { module, transport, options: { env: { NODE_COMPILE_CACHE: compiled } } }
  const debug = {
    module,
    transport,
    options: { execArgv: ['--nolazy', '--inspect=6009', '--enable-source-maps'] },
  }
  return new LanguageClient(clientId, clientName, { run, debug }, options)
}
