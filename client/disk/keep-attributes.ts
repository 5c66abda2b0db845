/** Gives a copy of a file the owner, the permissions and the extended attributes of the file whose place it will take. */
import { execFile } from 'node:child_process'
import { chmod, chown, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** True if `copy` has now all that `original` has; both are absolute paths. False if this process may not, or cannot find out. */
export async function keepAttributes(original: string, copy: string): Promise<boolean> {
  if (!(await keptExtended(original, copy))) return false
  const wanted = await stat(original)
  try {
    const { uid, gid } = await stat(copy)
    if (uid !== wanted.uid || gid !== wanted.gid) await chown(copy, wanted.uid, wanted.gid)
    await chmod(copy, wanted.mode) // after the owner: a new owner takes the set-user-id bit away
  } catch {
    return false // only some may give files away
  }
  const { uid, gid, mode } = await stat(copy)
  return uid === wanted.uid && gid === wanted.gid && mode === wanted.mode
}

/** Node knows nothing of extended attributes and access lists; the tools of the system do. */
async function keptExtended(original: string, copy: string): Promise<boolean> {
  const options = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  try {
    switch (process.platform) {
      case 'linux': {
        const what = ['--attributes-only', '--preserve=all', '--no-preserve=timestamps,links']
        await run('cp', [...what, '--', original, copy], options)
        return true
      }
      case 'darwin': {
        // One line for the file, and one for each attribute and each entry of its access list.
        const { stdout } = await run('ls', ['-lde@', original], options)
        return stdout.trimEnd().split('\n').length === 1
      }
      default:
        return true
    }
  } catch {
    return false
  }
}
