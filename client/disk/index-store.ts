/** Indexes of datasets in a folder outside of projects: a cache, of which any file may be missing, cut off, or damaged. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRange } from './byte-ranges.ts'
import { openRegularFile } from './regular-file.ts'

/** Keeps indexes by their keys. */
export interface IndexStore {
  /** The bytes that were written last; undefined if there are none, or if they are damaged. */
  read(key: string): Promise<Uint8Array | undefined>
  /** Keeps `bytes`, as a whole or not at all. */
  write(key: string, bytes: Uint8Array): Promise<void>
}

/** What a store may take. */
export interface StoreLimits {
  readonly files: number
  readonly bytes: number
}

const usualLimits: StoreLimits = { files: 200, bytes: 2 * 2 ** 30 }
const hashLength = 32
const suffix = '.index'
const staleMilliseconds = 3_600_000 // a file that is still being written is younger

/** The indexes in `folder`, which is made when the first one is written. Those that were used longest ago make room for others. */
export function indexStoreOnDisk(folder: string, limits = usualLimits): IndexStore {
  const pathOf = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex')}${suffix}`)
  return {
    async read(key) {
      const path = pathOf(key)
      try {
        const file = await openRegularFile(path)
        try {
          const { size } = await file.stat()
          if (size < hashLength || size > limits.bytes) return undefined
          const all = await readRange(file, { start: 0, end: size })
          const bytes = all.subarray(0, size - hashLength)
          if (!hashOf(key, bytes).equals(all.subarray(size - hashLength))) return undefined
          const now = new Date()
          await utimes(path, now, now).catch(() => undefined) // only says which one was used last
          return bytes
        } finally {
          await file.close()
        }
      } catch {
        return undefined // a cache that cannot be read is ignored
      }
    },
    async write(key, bytes) {
      if (bytes.length + hashLength > limits.bytes) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = join(folder, `${randomUUID()}.new`)
      try {
        await writeFile(temporary, [bytes, hashOf(key, bytes)], { flag: 'wx', mode: 0o600 })
        await rename(temporary, pathOf(key))
      } finally {
        await rm(temporary, { force: true })
      }
      await makeRoom(folder, limits)
    },
  }
}

/** The file of another key is another: a renamed index is ignored. */
function hashOf(key: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(key).update('\0').update(bytes).digest()
}

/** Removes the indexes that were used longest ago, and what a process that was killed left behind. */
async function makeRoom(folder: string, { files, bytes }: StoreLimits): Promise<void> {
  const found: { readonly path: string; readonly size: number; readonly used: number }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const known = await stat(path).catch(() => undefined)
    if (!known?.isFile()) continue
    const { size, mtimeMs: used } = known
    if (name.endsWith(suffix)) found.push({ path, size, used })
    else if (name.endsWith('.new') && Date.now() - used > staleMilliseconds) await rm(path, { force: true })
  }
  found.sort((one, other) => other.used - one.used)
  let sum = 0
  for (const [index, { path, size }] of found.entries()) {
    sum += size
    if (index >= files || sum > bytes) await rm(path, { force: true })
  }
}
