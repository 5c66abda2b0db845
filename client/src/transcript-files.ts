/** Finds and reads the transcripts of the workspace for the server, on all file systems that VS Code knows. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, RequestType } from 'vscode-languageclient'

interface TranscriptFile {
  readonly uri: string
  /** Bytes. */
  readonly size: number
  /** Differs when the file changed. */
  readonly stamp: string
}

const findTranscripts = new RequestType<{ readonly limit: number }, readonly TranscriptFile[], void>(
  'openchatml.findTranscripts',
)
const readTranscript = new RequestType<{ readonly uri: string }, string | null, void>(
  'openchatml.readTranscript',
)
const atOnce = 20 // files that are asked for their size at the same time

/** Answers the server. Files that the settings of VS Code exclude are left out. */
export function registerTranscriptFiles(context: vscode.ExtensionContext, client: BaseLanguageClient): void {
  context.subscriptions.push(
    client.onRequest(findTranscripts, async ({ limit }) => {
      const uris = await vscode.workspace.findFiles('**/*.ocm', '**/node_modules/**', limit)
      const found: TranscriptFile[] = []
      for (let start = 0; start < uris.length; start += atOnce) {
        const some = await Promise.all(uris.slice(start, start + atOnce).map((uri) => fileAt(client, uri)))
        for (const file of some) if (file) found.push(file)
      }
      return found
    }),
    client.onRequest(readTranscript, ({ uri }) => read(client.protocol2CodeConverter.asUri(uri))),
  )
}

async function fileAt(
  { code2ProtocolConverter }: BaseLanguageClient,
  uri: vscode.Uri,
): Promise<TranscriptFile | undefined> {
  try {
    const { size, mtime } = await vscode.workspace.fs.stat(uri)
    return { uri: code2ProtocolConverter.asUri(uri), size, stamp: `${mtime} ${size}` }
  } catch {
    return undefined // gone in the meantime
  }
}

/** The text; null for what is no transcript of the workspace. */
async function read(uri: vscode.Uri): Promise<string | null> {
  if (!uri.path.endsWith('.ocm') || !vscode.workspace.getWorkspaceFolder(uri)) return null
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
  } catch {
    return null // gone in the meantime
  }
}
