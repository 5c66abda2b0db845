/** A lock on a file for the time of one save, between all windows and programs of this product. */
import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readSome } from './byte-ranges.ts'
import { followFolder, removeFollowed } from './moved-folder.ts'

const patience = 10_000 // milliseconds: a save of a large file takes a few seconds
const pause = 20 // milliseconds
/** Milliseconds: after that, a process of the same number is another one. */
export const longestSave = 3_600_000
const largestLock = 1024 // bytes: what a lock says takes fewer
const lockMode = 0o644 // so that programs of other users see whose lock it is

/** Another program saves the same file, and does not finish. */
export class BusyFileError extends Error {
  override readonly name = 'BusyFileError'
}

/**
 * Runs `act` while no other program that uses this lock saves the file at `target`, a path without symbolic links. A lock that
 * a dead process of this machine left behind is taken over.
 *
 * @throws BusyFileError if another program keeps the lock for 10 s
 */
export async function whileLocked<Result>(target: string, act: () => Promise<Result>): Promise<Result> {
  return whileAnyLocked(lockPaths(target), act)
}

/**
 * As {@link whileLocked}, for the content of an open file that other paths lead to as well, such as hard links, so that programs
 * which use different paths don't overwrite it at the same time. @throws BusyFileError
 */
export async function whileContentLocked<Result>(
  file: FileHandle,
  act: () => Promise<Result>,
): Promise<Result> {
  const { dev, ino } = await file.stat({ bigint: true })
  return whileAnyLocked([join(tmpdir(), `openchatml-${dev}-${ino}.lock`)], act)
}

async function whileAnyLocked<Result>(paths: readonly string[], act: () => Promise<Result>): Promise<Result> {
  const release = await lock(paths)
  try {
    return await act()
  } finally {
    await release()
  }
}

/** Who holds a lock. */
interface Owner {
  readonly pid: number
  readonly host: string
  readonly id: string
}

/** How the text of a lock begins. */
const lockBeginning = '{"pid":'

/** Locks of saves that are over, which could not be removed at once. */
const abandoned = new Set<string>()

/** Creates the lock at the first of `paths` where that is possible. */
async function lock(paths: readonly string[]): Promise<() => Promise<void>> {
  const id = randomUUID()
  const text = JSON.stringify({ pid: process.pid, host: hostname(), id } satisfies Owner)
  const deadline = Date.now() + patience
  for (const path of paths) {
    const follow = await followFolder(dirname(path))
    for (let found: FoundLock = 'gone'; found !== 'in the way'; ) {
      try {
        await create(path, text)
        return async () => {
          if (!(await removeFollowed(path, follow))) abandoned.add(id)
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOSPC' || code === 'EDQUOT') throw error
        if (code !== 'EEXIST') break // the folder is not writable: the next place is
      }
      found = await removedIfDead(path)
      if (found === 'in the way') continue
      if (Date.now() > deadline) throw new BusyFileError('Another program is saving the file')
      if (found === 'held') await setTimeout(pause)
    }
  }
  return async () => undefined // no place for a lock: the comparison before the swap is what is left
}

/** Creates the file at `path`, or leaves none, as on a full disk. @throws errors of the system, such as `EEXIST` */
async function create(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    try {
      await file.writeFile(text)
      await file.chmod(lockMode).catch(() => undefined) // whatever the umask takes away
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Next to the file, where programs of other users and machines see it; else where this machine keeps temporary files. */
function lockPaths(target: string): readonly string[] {
  const hash = createHash('sha256').update(target).digest('hex').slice(0, 32)
  return [
    join(dirname(target), `${stemOf(target)}${hash.slice(0, 12)}.lock`),
    join(tmpdir(), `openchatml-${hash}.lock`),
  ]
}

/** How the names of locks next to the file begin, whatever folders above it are called. */
function stemOf(target: string): string {
  return `.${basename(target).slice(0, 40)}.`
}

/**
 * What is at the place of a lock: nothing, the lock of a process that is or may be running, or something that is not a lock
 * or can't be removed, such as the dead lock of another user in a folder in which only owners remove files.
 */
type FoundLock = 'gone' | 'held' | 'in the way'

/** Removes the lock at `path` if its process has ended. */
async function removedIfDead(path: string): Promise<FoundLock> {
  const status = await lstat(path).catch(() => undefined)
  if (!status) return 'gone'
  if (!status.isFile() || status.size > largestLock) return 'in the way'
  const text = await lockText(path)
  if (!isDead(text, Date.now() - status.mtimeMs)) return 'held'
  // Two programs may find the same dead lock: only the one that moves that very lock away may go on.
  const moved = `${path}.${randomUUID()}`
  try {
    await rename(path, moved)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'in the way'
  }
  if ((await lockText(moved)) !== text) await link(moved, path).catch(() => undefined) // it was a new one
  await rm(moved, { force: true })
  return 'gone'
}

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants

/** What the lock at `path` says, as far as a lock goes; undefined if that can't be read. */
async function lockText(path: string): Promise<string | undefined> {
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch(() => undefined)
  if (!file) return undefined
  try {
    const bytes = Buffer.alloc(largestLock)
    return bytes.toString('utf8', 0, await readSome(file, bytes))
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}

/**
 * Removes from `folder` the dead locks on `target` that no save looks at any more: those that were moved away by programs which
 * were killed before they removed them, and those for the path that the file had before its folder was moved. What is moved at
 * the moment is younger.
 */
export async function removeMovedLocks(target: string, folder: string): Promise<void> {
  for (const lock of lockPaths(target).filter((it) => dirname(it) === folder)) {
    const stem = `${basename(lock)}.`
    for (const name of await readdir(folder).catch(() => [])) {
      const moved = join(folder, name)
      if (name.startsWith(stem)) {
        const { ctimeMs = Date.now() } = (await stat(moved).catch(() => undefined)) ?? {}
        if (Date.now() - ctimeMs > patience) await rm(moved, { force: true }).catch(() => undefined)
      } else if (moved !== lock && isLockOf(target, name)) await removedIfDead(moved)
    }
  }
}

/** True for the name of a lock next to `target`, wherever that was when it was locked. */
function isLockOf(target: string, name: string): boolean {
  return name.startsWith(stemOf(target)) && /^[0-9a-f]{12}\.lock$/.test(name.slice(stemOf(target).length))
}

/** @param text undefined if it belongs to another user, who alone may read it. @param age milliseconds since it was written */
function isDead(text: string | undefined, age: number): boolean {
  if (Math.abs(age) > longestSave) return true // also of a clock that ran fast
  if (text === undefined) return false
  const owner = ownerIn(text)
  // A file that isn't a lock has no owner. An empty or incomplete lock is still being written, or its process has ended.
  if (!owner) return !lockBeginning.startsWith(text.slice(0, lockBeginning.length)) || age > patience / 2
  if (abandoned.has(owner.id)) return true
  if (owner.host !== hostname()) return false
  try {
    process.kill(owner.pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function ownerIn(text: string): Owner | undefined {
  try {
    const { pid, host, id } = JSON.parse(text) as Partial<Owner>
    return Number.isSafeInteger(pid) && pid !== undefined && pid > 0 && host !== undefined && id !== undefined
      ? { pid, host, id }
      : undefined
  } catch {
    return undefined // being written
  }
}
