/** Reads files from the disk: only in Node. */
import { readFile as read } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The text of the file at `uri`; undefined if it cannot be read, for whatever reason. */
export async function readFile(uri: string): Promise<string | undefined> {
  try {
    return await read(fileURLToPath(uri), 'utf8')
  } catch {
    return undefined // most often there is none; the command line says why another one cannot be read
  }
}
