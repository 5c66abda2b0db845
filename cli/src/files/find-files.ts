/** Finds transcripts: files as they are named, directories searched for `*.ocm`. */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type FileProblem, fileProblem } from './file-problem.ts'
import { standardInput } from './read-source.ts'

const extension = '.ocm'
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** What a search meets: a file to read, a problem with a file or directory, or a directory that holds no transcript. */
export type Found =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'problem'; readonly problem: FileProblem }
  | { readonly kind: 'nothing'; readonly path: string }

/**
 * The files that `paths` name, each once: in the order of `paths`, and by name within a directory. Symbolic links are
 * followed, but no directory is searched twice, so loops end.
 */
export async function* findFiles(paths: readonly string[]): AsyncIterableIterator<Found> {
  const search: Search = { seenFiles: new Set(), seenDirectories: new Map(), root: '', isEmpty: true }
  for (const path of paths) {
    if (path === standardInput) {
      if (isNew(search.seenFiles, path)) yield { kind: 'file', path }
      continue
    }
    let isDirectory: boolean
    try {
      isDirectory = (await stat(path)).isDirectory()
    } catch (error) {
      yield { kind: 'problem', problem: fileProblem(path, error) }
      continue
    }
    if (!isDirectory) {
      if (isNew(search.seenFiles, resolve(path))) yield { kind: 'file', path }
      continue
    }
    search.root = path
    search.isEmpty = true
    yield* searchDirectory(path, search)
    if (search.isEmpty) yield { kind: 'nothing', path }
  }
}

interface Search {
  /** Absolute paths. */
  readonly seenFiles: Set<string>
  /** Absolute paths without symbolic links, and the root of the search that met them. */
  readonly seenDirectories: Map<string, string>
  /** The directory that is searched, as it is named. */
  root: string
  /** True until there is a transcript, also one that was found before, or a problem. */
  isEmpty: boolean
}

async function* searchDirectory(directory: string, search: Search): AsyncIterableIterator<Found> {
  let entries: Dirent[]
  try {
    const real = await realpath(directory)
    const root = search.seenDirectories.get(real)
    if (root !== undefined) {
      if (root !== search.root) search.isEmpty = false // which was told before, if it is
      return
    }
    search.seenDirectories.set(real, search.root)
    entries = await readdir(directory, { withFileTypes: true })
  } catch (error) {
    search.isEmpty = false
    yield { kind: 'problem', problem: fileProblem(directory, error) }
    return
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(directory, entry.name)
    const kind = await kindOf(entry, path)
    if (kind === 'directory') {
      if (!skipped.has(entry.name)) yield* searchDirectory(path, search)
    } else if (kind === 'file' && entry.name.endsWith(extension)) {
      search.isEmpty = false
      if (isNew(search.seenFiles, resolve(path))) yield { kind: 'file', path }
    }
  }
}

/** A link that leads nowhere counts as a file: reading it tells what is wrong. */
async function kindOf(entry: Dirent, path: string): Promise<'file' | 'directory' | undefined> {
  if (entry.isDirectory()) return 'directory'
  if (entry.isFile()) return 'file'
  if (!entry.isSymbolicLink()) return undefined
  try {
    const target = await stat(path)
    if (target.isDirectory()) return 'directory'
    return target.isFile() ? 'file' : undefined
  } catch {
    return 'file'
  }
}

function isNew(set: Set<string>, path: string): boolean {
  if (set.has(path)) return false
  set.add(path)
  return true
}
