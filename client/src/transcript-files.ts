/** Finds and reads the transcripts of the workspace for the server, on all file systems that VS Code knows. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, RequestType } from 'vscode-languageclient'
import { type ReadWorkspaceFile, textIn } from './workspace-files.ts'

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
const readTranscript = new RequestType<{ readonly uri: string; readonly bytes: number }, string | null, void>(
  'openchatml.readTranscript',
)
const atOnce = 20 // files that are asked for their size at the same time

/** Answers the server. Files that the settings of VS Code exclude are left out. */
export function registerTranscriptFiles(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  readFile: ReadWorkspaceFile,
): void {
  const read = async (uri: vscode.Uri, bytes: number): Promise<string | null> => {
    if (!uri.path.endsWith('.ocm') || !vscode.workspace.getWorkspaceFolder(uri)) return null
    return textIn(await readFile(uri, bytes)) ?? null
  }
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
    client.onRequest(readTranscript, ({ uri, bytes }) =>
      read(client.protocol2CodeConverter.asUri(uri), bytes),
    ),
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
