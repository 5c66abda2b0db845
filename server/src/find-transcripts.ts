/** Finds transcripts on the disk: only in Node. */
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TranscriptFile } from './unopened-transcripts.ts'

const foldersAtMost = 20_000 // a home folder that someone opened is not searched to its end

/**
 * At most `limit` transcripts below `folders`, those further up first. What version control and package managers keep
 * for themselves is left out, and links are not followed.
 */
export async function findTranscripts(
  folders: readonly string[],
  limit: number,
): Promise<readonly TranscriptFile[]> {
  const found: TranscriptFile[] = []
  const waiting = folders.filter((it) => it.startsWith('file:')).map((it) => fileURLToPath(it))
  for (let looked = 0; looked < foldersAtMost; looked++) {
    const folder = waiting.shift()
    if (folder === undefined) break
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && entry.name !== 'node_modules') waiting.push(path)
      } else if (entry.isFile() && entry.name.endsWith('.ocm')) {
        const file = await fileAt(path)
        if (file) found.push(file)
        if (found.length >= limit) return found
      }
    }
  }
  return found
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch {
    return [] // not there, or not ours to read
  }
}

async function fileAt(path: string): Promise<TranscriptFile | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { uri: pathToFileURL(path).href, size, stamp: `${mtimeMs} ${size}` }
  } catch {
    return undefined // gone in the meantime
  }
}
