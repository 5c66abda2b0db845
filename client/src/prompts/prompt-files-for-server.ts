/** Reads parts and cases of open prompts for the server, which cannot know what is not saved, and says when they change. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, NotificationType, RequestType } from 'vscode-languageclient'
import type { PartReading } from '../../../core/src/internal.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { mayReadParts, readPromptFile } from './prompt-files.ts'

interface Wanted {
  readonly uri: string
  /** The folder that links may not leave. */
  readonly root: string
}

const request = new RequestType<Wanted, PartReading | { readonly kind: 'untrusted' }, void>(
  'openchatml.readPromptFile',
)
const notification = new NotificationType<{ readonly uris: readonly string[] }>(
  'openchatml.promptFilesChanged',
)

const mostFiles = 10_000 // that are followed; prompts have a few parts each

/** Answers the server. In Restricted Mode nothing is read, because who wrote the workspace decides what a prompt includes. */
export function registerPromptFilesForServer(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  readFile: ReadWorkspaceFile,
): void {
  /** The addresses as the server wrote them, by those of VS Code. */
  const asked = new Map<string, string>()
  const changed = (uris: readonly string[]) => {
    if (uris.length > 0 && client.isRunning()) void client.sendNotification(notification, { uris })
  }
  const follow = (uri: vscode.Uri) => {
    const known = asked.get(uri.toString())
    if (known !== undefined) changed([known])
  }
  const watcher = vscode.workspace.createFileSystemWatcher('**/*')
  context.subscriptions.push(
    client.onRequest(request, async ({ uri: written, root }) => {
      const uri = vscode.Uri.parse(written)
      if (asked.size < mostFiles) asked.set(uri.toString(), written)
      if (!mayReadParts(uri)) return { kind: 'untrusted' }
      return readPromptFile(uri, vscode.Uri.parse(root), readFile)
    }),
    watcher,
    watcher.onDidChange(follow),
    watcher.onDidCreate(follow),
    watcher.onDidDelete(follow),
    vscode.workspace.onDidChangeTextDocument(({ document }) => follow(document.uri)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed([...asked.values()])),
  )
}
