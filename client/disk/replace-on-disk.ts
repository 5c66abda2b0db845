/**
 * Replaces the content of a file on a disk: as a whole or not at all, and only if it still is what the caller read. All programs
 * of this product write files that exist through this function.
 */
import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, lstat, open, readdir, readlink, realpath, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { copyRange, isSameContent, placeOf, writeAll } from './byte-ranges.ts'
import { keepAttributes } from './keep-attributes.ts'
import { type Follow, followFolder, removeFollowed } from './moved-folder.ts'
import { longestSave, removeMovedLocks, whileContentLocked, whileLocked } from './save-lock.ts'

/** What to write, and when not to. */
export interface Replacement {
  /**
   * Throws if `file`, the file as it is now, is not what the caller read. Asked before anything is written and again right before
   * the swap, both times while no other program of this product saves the file.
   */
  readonly assertUnchanged: (file: FileHandle) => Promise<void>
  /** Writes the whole new content to `copy`, an empty file. Reads the old content from `file`. */
  readonly write: (copy: FileHandle, file: FileHandle) => Promise<void>
  /** A folder that symbolic links must not lead out of; by default they are followed anywhere. */
  readonly within?: string | undefined
}

/** Why a file is not written although the system would allow it. */
export class RefusedWriteError extends Error {
  override readonly name = 'RefusedWriteError'
  readonly reason: 'not-a-file' | 'outside' | 'interrupted' | 'changed'
  /** The path that the reason is about: where the link leads, or the copy that an interrupted write left. */
  readonly path: string

  constructor(reason: RefusedWriteError['reason'], path: string) {
    super(`${reason}: ${path}`)
    this.reason = reason
    this.path = path
  }
}

/**
 * Replaces the content of the file at `path`. A complete copy takes its place, with the same owner, permissions, and extended
 * attributes. Where a copy cannot take its place (the file has other hard links, is mounted on its own, belongs to another user,
 * or its folder is not writable), the file itself is overwritten, while a copy of the old content next to it allows recovery.
 *
 * @throws RefusedWriteError, BusyFileError, what `assertUnchanged` and `write` throw, and errors of the system; the file is then
 *   what it was before
 */
export async function replaceOnDisk(path: string, replacement: Replacement): Promise<void> {
  const target = await resolved(path, replacement.within)
  await whileLocked(target, async () => {
    // Nonblocking: opening a pipe must not wait for its other end.
    const file = await open(target, constants.O_RDWR | constants.O_NONBLOCK)
    try {
      if (!(await file.stat()).isFile()) throw new RefusedWriteError('not-a-file', target)
      await replaceLocked(target, file, replacement)
    } finally {
      await file.close().catch(() => undefined) // what was written into it is on the disk already
    }
  })
}

/**
 * Creates the file at `path` with the content that `write` writes: complete or not at all. @throws RefusedWriteError, and errors
 * of the system, such as `EEXIST` if there is one
 */
export async function createOnDisk(
  path: string,
  { write, within }: Pick<Replacement, 'within'> & { readonly write: (copy: FileHandle) => Promise<void> },
): Promise<void> {
  const target = join(await resolved(dirname(path), within), basename(path))
  await whileLocked(target, async () => {
    await removeLeftovers(target)
    if (await lstat(target).catch(() => undefined)) throw existsError(target)
    const temporary = temporaryPath(dirname(target), target)
    const follow = await followFolder(dirname(target))
    try {
      await written(temporary, write, newFileMode)
      await link(temporary, target).catch((error) => {
        if (error.code === 'EEXIST') throw error
        return rename(temporary, target) // a file system without links
      })
    } finally {
      await removeFollowed(temporary, follow)
    }
  })
}

/** What a file is to hold, piece by piece. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Writes `chunks` to the file at `path`, complete or not at all, in the place of one that is there when this is called. A link is
 * followed, also to where there is nothing yet. @throws as {@link createOnDisk} and {@link replaceOnDisk}
 */
export async function writeOnDisk(path: string, chunks: Chunks): Promise<void> {
  let isBegun = false // what was taken from `chunks` can't be taken again
  const write = async (file: FileHandle) => {
    isBegun = true
    for await (const chunk of chunks) await writeAll(file, chunk)
  }
  try {
    await createOnDisk(await endOfLinks(path), { write })
  } catch (error) {
    if (isBegun || (error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await replaceOnDisk(path, { write, assertUnchanged: async () => undefined })
  }
}

const mostLinks = 40 // as on Linux

/** Where the links that begin at `path` end; in a loop, one of its links. */
async function endOfLinks(path: string): Promise<string> {
  let end = path
  for (let nLinks = 0; nLinks < mostLinks; nLinks++) {
    const next = await readlink(end).catch(() => undefined)
    if (next === undefined) return end
    end = resolve(await realpath(dirname(end)), next)
  }
  return end
}

function existsError(path: string): Error {
  return Object.assign(new Error(`EEXIST: file already exists, '${path}'`), { code: 'EEXIST' })
}

/** The path of the file that `path` leads to. @throws RefusedWriteError if that is outside of the folder `within` */
export async function resolved(path: string, within: string | undefined): Promise<string> {
  const target = await realpath(path)
  if (within === undefined) return target
  const way = relative(await realpath(within), target)
  if (way === '..' || /^\.\.[\\/]/.test(way) || isAbsolute(way))
    throw new RefusedWriteError('outside', target)
  return target
}

async function replaceLocked(
  target: string,
  file: FileHandle,
  { assertUnchanged, write }: Replacement,
): Promise<void> {
  await removeLeftovers(target)
  await assertUnchanged(file)
  const follow = await followFolder(dirname(target))
  const { temporary, isBeside } = await copyOf(target, follow, (copy) => write(copy, file))
  let isNeeded = false // to see that a copy of the old content is not
  try {
    const { nlink } = await file.stat()
    const mayReplace = isBeside && nlink === 1 && (await keepAttributes(target, temporary))
    const assertThere = (also?: Replacement['assertUnchanged']) =>
      withFile(target, async (now) => {
        if (!(await isSameFile(now, file))) throw new RefusedWriteError('changed', target)
        await also?.(now)
      })
    const assertNow = () => assertThere(assertUnchanged)
    if (mayReplace) {
      await assertNow()
      if (await isReplaced(target, temporary)) return
    }
    await whileContentLocked(file, async () => {
      const draft = temporaryPath(dirname(temporary), target)
      const conditions = { before: assertNow, after: assertThere, follow, draft }
      isNeeded = !(await overwrite(file, temporary, conditions))
    })
  } finally {
    if (!isNeeded) await removeFollowed(temporary, follow)
  }
}

/** A new file that `write` has written, next to `target` or, where its folder is not writable, among temporary files. */
async function copyOf(
  target: string,
  follow: Follow,
  write: (copy: FileHandle) => Promise<void>,
): Promise<{ readonly temporary: string; readonly isBeside: boolean }> {
  const beside = temporaryPath(dirname(target), target)
  const copy = await open(beside, 'wx', privateMode).catch((error) => {
    if (isNotAllowed(error)) return undefined
    throw error
  })
  if (copy) {
    try {
      await fill(copy, write)
      return { temporary: beside, isBeside: true }
    } catch (error) {
      await removeFollowed(beside, follow)
      throw error
    }
  }
  await removeLeftovers(target, tmpdir())
  const temporary = temporaryPath(tmpdir(), target)
  try {
    await written(temporary, write)
    return { temporary, isBeside: false }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

const newFileMode = 0o666 // less what the umask takes away
const privateMode = 0o600 // until it has the permissions of the file whose content it has

async function written(
  path: string,
  write: (copy: FileHandle) => Promise<void>,
  mode = privateMode,
): Promise<void> {
  await fill(await open(path, 'wx', mode), write)
}

async function fill(copy: FileHandle, write: (copy: FileHandle) => Promise<void>): Promise<void> {
  try {
    await write(copy)
    await copy.sync()
  } finally {
    await copy.close()
  }
}

/** False if the system lets no other file take this place, as where a file is mounted on its own. */
async function isReplaced(target: string, temporary: string): Promise<boolean> {
  try {
    await rename(temporary, target)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isNotAllowed(error) || code === 'EBUSY' || code === 'EXDEV') return false
    throw error
  }
}

function isNotAllowed(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** What must hold when a file is written itself, and still afterwards: each throws otherwise. And where its folder is, and a place in it. */
interface Conditions {
  readonly before: () => Promise<void>
  readonly after: () => Promise<void>
  readonly follow: Follow
  /** Where the copy of the old content is until it is complete. */
  readonly draft: string
}

/**
 * Writes the content of `temporary` into `file` itself. If that fails, the old content is written back; if that fails as well, or
 * the process is killed, a copy of it stays. False if that copy, which is not needed any more, can't be removed.
 */
async function overwrite(
  file: FileHandle,
  temporary: string,
  { before, after, follow, draft }: Conditions,
): Promise<boolean> {
  const recovery = temporary.replace(/\.new$/, '.old')
  try {
    // What is called a copy of the old content is all of it.
    await written(draft, (copy) => copyContent(file, copy))
    await rename(draft, recovery)
    await before()
  } catch (error) {
    for (const it of [draft, recovery]) await removeFollowed(it, follow)
    throw error
  }
  try {
    await withFile(temporary, (copy) => copyContent(copy, file))
    await after()
  } catch (error) {
    const now = (await follow(recovery)) ?? recovery
    await withFile(now, (copy) => copyContent(copy, file)).catch(() => {
      throw new RefusedWriteError('interrupted', now)
    })
    await removeFollowed(recovery, follow)
    throw error
  }
  return removeFollowed(recovery, follow)
}

async function isSameFile(one: FileHandle, other: FileHandle): Promise<boolean> {
  return placeOf(await one.stat({ bigint: true })) === placeOf(await other.stat({ bigint: true }))
}

async function withFile(path: string, use: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK) // a pipe may be there by now
  try {
    await use(file)
  } finally {
    await file.close()
  }
}

/** Makes the content of `to` that of `from`. What is longer is written first: if the disk is full, little has changed. */
async function copyContent(from: FileHandle, to: FileHandle): Promise<void> {
  const [{ size }, { size: before }] = [await from.stat(), await to.stat()]
  if (size > before) await copyRange(from, to, { start: before, end: size }, 'same')
  await copyRange(from, to, { start: 0, end: Math.min(size, before) }, 'same')
  await to.truncate(size)
  await to.sync()
}

/**
 * Removes what a process that was killed left next to `target`. While the lock is held, no other process has use for it; but a
 * copy of old content may be all that is left of the file. @throws RefusedWriteError in that case
 *
 * Copies that were left for other files, which may never be saved again, are removed after an hour.
 */
async function removeLeftovers(target: string, folder = dirname(target)): Promise<void> {
  const pattern = leftover(folder, target)
  const all = (await readdir(folder).catch(() => [])).filter((it) => ofAnySave.test(it))
  const names = all.filter((it) => pattern.test(it))
  for (const name of names.filter((it) => it.endsWith('.old'))) {
    const path = join(folder, name)
    if (!(await isWhole(target, path))) throw new RefusedWriteError('interrupted', path)
    await rm(path, { force: true }).catch(() => undefined)
  }
  for (const name of names.filter((it) => it.endsWith('.new')))
    await rm(join(folder, name), { force: true }).catch(() => undefined)
  await removeAbandoned(all, folder)
  await removeMovedLocks(target, folder)
}

/** Removes copies for other files that no process can still be writing. One that belongs to a copy of old content is left. */
async function removeAbandoned(names: readonly string[], folder: string): Promise<void> {
  for (const name of names) {
    if (!name.endsWith('.new') || names.includes(name.replace(/new$/, 'old'))) continue
    const path = join(folder, name)
    const { mtimeMs = Date.now() } = (await lstat(path).catch(() => undefined)) ?? {}
    if (Date.now() - mtimeMs > longestSave) await rm(path, { force: true }).catch(() => undefined)
  }
}

/** The names of copies, whatever file they are for. */
const ofAnySave = /^\.[^/]{1,40}\.[0-9a-f]{12}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:new|old)$/

/** True if the file at `target` has all of its old content, of which a copy is at `old`, or all of the new one, which is next to that. */
async function isWhole(target: string, old: string): Promise<boolean> {
  for (const path of [old, `${old.slice(0, -'.old'.length)}.new`])
    if (await haveSameContent(target, path).catch(() => false)) return true
  return false
}

async function haveSameContent(one: string, other: string): Promise<boolean> {
  let areSame = false
  await withFile(one, (file) =>
    withFile(other, async (copy) => {
      areSame = await isSameContent(file, copy)
    }),
  )
  return areSame
}

function temporaryPath(folder: string, target: string): string {
  return join(folder, `${stemIn(folder, target)}.${randomUUID()}.new`)
}

function leftover(folder: string, target: string): RegExp {
  const stem = stemIn(folder, target).replaceAll(/[^\w]/g, '\\$&')
  // Linear: from the beginning, and every run is bounded.
  return new RegExp(`^${stem}\\.[0-9a-f-]{36}\\.(new|old)$`)
}

/**
 * Short enough for every name, and no other for another file. Next to the file, it stays the same if the folder is moved, so
 * that the next save finds what was left.
 */
function stemIn(folder: string, target: string): string {
  const name = basename(target)
  const hash = createHash('sha256').update(folder === dirname(target) ? name : target)
  return `.${name.slice(0, 40)}.${hash.digest('hex').slice(0, 12)}`
}
