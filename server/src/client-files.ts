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
  return async (uri, limits) => {
    if (readFile && uri.startsWith('file:')) return readFile(uri, limits)
    try {
      const text = await connection.sendRequest(readFileRequest, { uri })
      if (typeof text !== 'string') return { kind: 'missing' }
      const { bytes } = limits
      if (text.length > bytes) return { kind: 'refused', refusal: { reason: 'too-large', bytes } }
      return { kind: 'read', text }
    } catch (error) {
      log(describe(readFileRequest.method, error))
      return { kind: 'missing' }
    }
  }
}
