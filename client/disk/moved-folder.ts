/** Finds a folder again after it, or one above it, was renamed: what a save made in it must be removed there. */
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { placeOf } from './byte-ranges.ts'

/** Where a path leads now; undefined if its folder was moved far away, or removed. */
export type Follow = (path: string) => Promise<string | undefined>

/** Remembers which folder is at `folder`, an absolute path without links. Files that are not directly in it are not followed. */
export async function followFolder(folder: string): Promise<Follow> {
  const known = await placeAt(folder)
  const isAt = async (path: string) => (await placeAt(path)) === known
  return async (path) => {
    if (known === undefined || dirname(path) !== folder || (await isAt(folder))) return path
    let below = ''
    for (let above = folder; dirname(above) !== above; above = dirname(above)) {
      for (const name of await readdir(dirname(above)).catch(() => [])) {
        const now = join(dirname(above), name, below)
        if (await isAt(now)) return join(now, basename(path))
      }
      below = join(basename(above), below)
    }
    return undefined
  }
}

/** Removes the file at `path`, wherever it is now. False if it can't be removed, as while another program reads it on Windows. */
export async function removeFollowed(path: string, follow: Follow): Promise<boolean> {
  try {
    const now = await follow(path)
    if (now !== undefined) await rm(now, { force: true })
    return true
  } catch {
    return false
  }
}

async function placeAt(folder: string): Promise<string | undefined> {
  const status = await stat(folder, { bigint: true }).catch(() => undefined)
  return status && placeOf(status)
}
