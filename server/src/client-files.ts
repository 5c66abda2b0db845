/** Files next to documents, read by the server itself on a disk, or else by the client, which knows all file systems. */
import { type Connection, RequestType } from 'vscode-languageserver'
import { largestPart, type PartReading } from '../../core/src/internal.ts'
import { describe } from './guard.ts'
import type { ReadFile } from './project-settings.ts'
import type { ServerContext } from './server-context.ts'

/** Asks a client that offers it for a configuration file. */
const readFileRequest = new RequestType<{ readonly uri: string }, PartReading | null, void>(
  'openchatml.readFile',
)

/** The way to read a configuration file; undefined where there is none. */
export function fileReader(connection: Connection, context: ServerContext): ReadFile | undefined {
  const { readFile, options, log } = context
  if (!options.readsFiles) return readFile
  return async (uri, limits) => {
    if (readFile && uri.startsWith('file:')) return readFile(uri, limits)
    try {
      return (await connection.sendRequest(readFileRequest, { uri })) ?? { kind: 'missing' } // null in other clients
    } catch (error) {
      log(describe(readFileRequest.method, error))
      return { kind: 'missing' }
    }
  }
}

/** The result of reading a file of a prompt; `untrusted` if the user does not trust who wrote the folder. */
export type PromptFileReading = PartReading | { readonly kind: 'untrusted' }

/** Reads the file at `uri`, links followed only within the folder at `root`. Never fails. */
export type ReadPromptFile = (uri: string, root: string) => Promise<PromptFileReading>

/** Asks a client that offers it for a part or the cases of a prompt: it knows what is not saved, and which folders are trusted. */
const readPromptFileRequest = new RequestType<
  { readonly uri: string; readonly root: string },
  PromptFileReading,
  void
>('openchatml.readPromptFile')

/** The way to read what belongs to a prompt. Where there is none, no part is there. */
export function promptFileReader(connection: Connection, context: ServerContext): ReadPromptFile {
  const { readFile, options, log } = context
  return async (uri, root) => {
    try {
      if (options.readsFiles) return await connection.sendRequest(readPromptFileRequest, { uri, root })
      const limits = { bytes: largestPart, folders: [root], isConfined: true }
      return (await readFile?.(uri, limits)) ?? { kind: 'missing' }
    } catch (error) {
      log(describe(readPromptFileRequest.method, error))
      return { kind: 'missing' }
    }
  }
}
