/** The copies that killed programs left in a folder, listed once for all saves in it: else n saves would read n² names. */
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Milliseconds: after that, a process of the same number is another one. */
export const longestSave = 3_600_000

/** Milliseconds for which a listing counts, so that windows that stay open see what other programs leave. */
const freshness = 10_000

/** Names of copies by {@link stemOfCopy}. */
type Copies = ReadonlyMap<string, Set<string>>

interface Listing {
  readonly copies: Copies
  readonly until: number
}

const listings = new Map<string, Listing>()
const mostListings = 100

/**
 * The copies that are in `folder`, as of this process's last look. Those that no process can still be writing are removed with
 * the look, and `alsoRemove` gets all names. What the caller removes is to be removed from the set as well.
 */
export async function copiesIn(
  folder: string,
  alsoRemove: (folder: string, names: readonly string[]) => Promise<void>,
): Promise<Copies> {
  const begun = Date.now()
  const known = listings.get(folder)
  if (known && begun < known.until) return known.copies
  const names = await readdir(folder).catch(() => undefined)
  if (!names) return new Map()
  await alsoRemove(folder, names)
  const copies = await remainingCopies(folder, names)
  const now = Date.now()
  listings.delete(folder)
  // In proportion to what it took: else looking would take most of the time of a run in a large folder.
  listings.set(folder, { copies, until: now + freshness + (now - begun) * 10 })
  for (const oldest of listings.keys()) {
    if (listings.size <= mostListings) break
    listings.delete(oldest)
  }
  return copies
}

/** Says that a save, of this process or another, left something in `folder`: the next one looks again. */
export function forgetCopies(folder: string): void {
  listings.delete(folder)
}

/** The copies among `names`, without those that are removed here. One that belongs to a copy of old content is left. */
async function remainingCopies(folder: string, names: readonly string[]): Promise<Copies> {
  const all = new Set(names.filter((it) => ofAnySave.test(it)))
  const copies = new Map<string, Set<string>>()
  for (const name of all) {
    const isAlone = name.endsWith('.new') && !all.has(name.replace(/new$/, 'old'))
    if (isAlone && (await isAbandoned(join(folder, name))) && (await isRemoved(join(folder, name)))) continue
    const stem = stemOfCopy(name)
    const ofStem = copies.get(stem)
    if (ofStem) ofStem.add(name)
    else copies.set(stem, new Set([name]))
  }
  return copies
}

async function isAbandoned(path: string): Promise<boolean> {
  const { mtimeMs = Date.now() } = (await lstat(path).catch(() => undefined)) ?? {}
  return Date.now() - mtimeMs > longestSave
}

/** Removes the file at `path`. False if it can't be, as while another program reads it on Windows. */
export function isRemoved(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  )
}

/** The names of copies, whatever file they are for. */
const ofAnySave = /^\.[^/]{1,40}\.[0-9a-f]{12}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:new|old)$/

/** The part of a copy's name that tells which file it is for. */
function stemOfCopy(name: string): string {
  return name.slice(0, -'.165780ed-8850-4695-a048-b06ca09fe226.new'.length)
}
