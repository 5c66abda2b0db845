/** Asks git, where there is one, what it ignores. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { namesFromGit, SilentGitError } from './run-git.ts'

/**
 * The files and folders below `folder` that git ignores, as absolute paths; of an ignored folder, only the folder itself. Empty
 * where there is no repository or no git, and in a folder that is ignored itself, because naming it means wanting what is in it.
 * @throws SilentGitError
 */
export async function ignoredByGit(folder: string, deadline?: number): Promise<ReadonlySet<string>> {
  const root = resolve(folder)
  if (!isInRepository(root)) return new Set()
  try {
    const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
    const names = await namesFromGit(args, { folder: root, ...(deadline && { deadline }) })
    if (names.includes('./')) return new Set()
    return new Set(names.map((it) => join(root, it.replace(/\/$/, ''))))
  } catch (error) {
    if (error instanceof SilentGitError) throw error
    return new Set() // deep in an ignored folder git fails, too
  }
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  const above = dirname(folder)
  return above !== folder && isInRepository(above)
}
