/** Configuration files, read by whoever can: the server itself on a disk, else the client, which knows all file systems. */
import { type Connection, RequestType } from 'vscode-languageserver'
import { describe } from './guard.ts'
import type { ReadFile } from './project-settings.ts'
import type { ServerContext } from './server-context.ts'

/** Asks a client that offers it for the text of a configuration file; null if there is none. */
export const readFileRequest = new RequestType<{ readonly uri: string }, string | null, void>(
  'openchatml.readFile',
)

/** The way to read a configuration file; undefined where there is none. */
export function fileReader(connection: Connection, context: ServerContext): ReadFile | undefined {
  const { readFile, options, log } = context
  if (!options.readsFiles) return readFile
  return async (uri) => {
    if (readFile && uri.startsWith('file:')) return readFile(uri)
    try {
      return (await connection.sendRequest(readFileRequest, { uri })) ?? undefined
    } catch (error) {
      log(describe(readFileRequest.method, error))
      return undefined
    }
  }
}
