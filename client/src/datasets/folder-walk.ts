/** Finds the files of a folder, by any file system. Links to folders are not followed, so that no circle of them is. */

/** What is in a folder. */
export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly isLink: boolean
}

/** What is below a folder. Paths are relative to it. */
export interface FoundFiles {
  /** In the order of their names. */
  readonly files: readonly string[]
  /** Folders that were not looked into, and why. */
  readonly leftOut: readonly LeftOutFolder[]
}

/** A folder that was not looked into. */
export interface LeftOutFolder {
  readonly path: string
  readonly reason: 'link' | 'depth' | 'unreadable'
}

/** The folder has more files than are listed. */
export class TooManyFilesError extends Error {
  override readonly name = 'TooManyFilesError'
}

/** Files of a folder that are listed. */
export const mostFiles = 10_000
const deepest = 32 // folders in each other
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/**
 * The files below a folder for which `isWanted` holds.
 *
 * @param entriesOf what is in the folder at a path; `''` for the folder itself
 * @throws TooManyFilesError; what `entriesOf` throws for the folder itself
 */
export async function filesBelow(
  entriesOf: (path: string) => Promise<readonly FolderEntry[]>,
  isWanted: (path: string) => Promise<boolean>,
): Promise<FoundFiles> {
  const files: string[] = []
  const leftOut: LeftOutFolder[] = []
  const look = async (entries: readonly FolderEntry[], below: string, depth: number): Promise<void> => {
    for (const { name, kind, isLink } of [...entries].sort(byName)) {
      const path = below + name
      if (kind === 'file') {
        if (!(await isWanted(path))) continue
        if (files.length === mostFiles) throw new TooManyFilesError(`More than ${mostFiles} files`)
        files.push(path)
      } else if (skipped.has(name)) continue
      else if (isLink) leftOut.push({ path, reason: 'link' })
      else if (depth === deepest) leftOut.push({ path, reason: 'depth' })
      else {
        const inside = await entriesOf(path).catch(() => undefined)
        if (inside) await look(inside, `${path}/`, depth + 1)
        else leftOut.push({ path, reason: 'unreadable' })
      }
    }
  }
  await look(await entriesOf(''), '', 1)
  return { files, leftOut }
}

function byName(one: FolderEntry, other: FolderEntry): number {
  return one.name < other.name ? -1 : 1
}
