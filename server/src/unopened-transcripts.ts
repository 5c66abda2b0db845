/** Transcripts that are not open, found and read by the client, which knows all file systems, else the server on a disk. */
import { type Connection, RequestType } from 'vscode-languageserver'
import { describe } from './guard.ts'
import type { ReadFile } from './project-settings.ts'
import type { ServerContext } from './server-context.ts'

/** A transcript in a folder of the workspace. */
export interface TranscriptFile {
  readonly uri: string
  /** Bytes. */
  readonly size: number
  /** Differs when the file changed. */
  readonly stamp: string
}

/** Finds the transcripts below folders, at most `limit`. */
export type FindTranscripts = (
  folders: readonly string[],
  limit: number,
) => Promise<readonly TranscriptFile[]>

/** Asks a client that offers it for the transcripts of the workspace. */
const findTranscriptsRequest = new RequestType<{ readonly limit: number }, readonly TranscriptFile[], void>(
  'openchatml.findTranscripts',
)

/** Asks a client that offers it for the text of one of these transcripts; null if it cannot be read. */
const readTranscriptRequest = new RequestType<
  { readonly uri: string /** The largest file that is wanted, in bytes. */; readonly bytes: number },
  string | null,
  void
>('openchatml.readTranscript')

/** The transcripts of the workspace. */
export interface TranscriptFiles {
  /** At most `limit` of them. Never fails. */
  find(limit: number): Promise<readonly TranscriptFile[]>
  /** The text; undefined if it cannot be read, or has more than `bytes` by now. Never fails. */
  read(uri: string, bytes: number): Promise<string | undefined>
}

/** The way to the transcripts of the workspace; undefined where there is none. */
export function transcriptFiles(connection: Connection, context: ServerContext): TranscriptFiles | undefined {
  const { readFile, findTranscripts, options, log } = context
  const ask = async <Result>(method: string, answer: Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await answer
    } catch (error) {
      log(describe(method, error))
      return otherwise
    }
  }
  const readHere = async (read: ReadFile, uri: string, bytes: number) => {
    const reading = await read(uri, { bytes, folders: context.folders })
    return reading.kind === 'read' ? reading.text : undefined
  }
  if (options.findsTranscripts) {
    return {
      find: (limit) =>
        ask(findTranscriptsRequest.method, connection.sendRequest(findTranscriptsRequest, { limit }), []),
      async read(uri, bytes) {
        if (readFile && uri.startsWith('file:')) return readHere(readFile, uri, bytes)
        const answer = connection.sendRequest(readTranscriptRequest, { uri, bytes })
        return (await ask(readTranscriptRequest.method, answer, null)) ?? undefined
      },
    }
  }
  if (!findTranscripts || !readFile) return undefined
  return {
    find: (limit) => findTranscripts(context.folders, limit),
    read: (uri, bytes) => readHere(readFile, uri, bytes),
  }
}
