/** Asks git, where there is one, what it ignores. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Of a list that is longer, nothing counts: then everything is searched. */
const largestList = 1 << 26 // bytes

/**
 * The files and folders below `folder` that git ignores, as absolute paths; of an ignored folder, only the folder itself. Empty
 * where there is no repository or no git, and in a folder that is ignored itself, because naming it means wanting what is in it.
 */
export async function ignoredByGit(folder: string): Promise<ReadonlySet<string>> {
  const root = resolve(folder)
  if (!isInRepository(root)) return new Set()
  try {
    // A repository can name a program to run as file system monitor, and nothing of a repository is to be run.
    const args = ['-C', root, '-c', 'core.fsmonitor=false', 'ls-files', '-z', '--others', '--ignored']
    const { stdout } = await run('git', [...args, '--exclude-standard', '--directory'], {
      maxBuffer: largestList,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    })
    const names = stdout.split('\0').filter((it) => it !== '')
    if (names.includes('./')) return new Set()
    return new Set(names.map((it) => join(root, it.replace(/\/$/, ''))))
  } catch {
    return new Set() // deep in an ignored folder git fails, too
  }
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  const above = dirname(folder)
  return above !== folder && isInRepository(above)
}
