/**
 * Finds transcripts and datasets: files as they are named, directories searched for transcripts and datasets, and patterns of paths
 * that no shell has expanded.
 */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { isBelow } from '../../../client/disk/read-workspace-file.ts'
import { isDatasetName, isOverlayName, isReviewName, PathPattern } from '../../../core/src/internal.ts'
import { FileProblem, fileProblem } from './file-problem.ts'
import { standardInput } from './read-source.ts'
import { type SearchFilter, type SearchValues, searchFilter } from './search-options.ts'

const extension = '.ocm'
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** A file to read. */
export interface FoundFile {
  readonly path: string
  /** The directory that was searched, as it is named; undefined for a file that is named itself. */
  readonly folder?: string | undefined
}

/** What a search meets: a file to read, a problem with a file or directory, or a directory that holds no transcript. */
export type Found =
  | ({ readonly kind: 'file' } & FoundFile)
  /** `isFile` for a file that is named itself. */
  | { readonly kind: 'problem'; readonly problem: FileProblem; readonly isFile: boolean }
  /** `hasDatasets` if there are datasets, which were not wanted; `isFiltered` if something was left out. */
  | {
      readonly kind: 'nothing'
      readonly path: string
      readonly hasDatasets: boolean
      readonly isFiltered: boolean
    }

/** True for a path that is a pattern, and no file or directory of that name. */
export async function isPattern(path: string): Promise<boolean> {
  return patternIn(path) !== undefined && !(await stat(path).catch(() => undefined))
}

/** What directories are searched for. */
export interface FindOptions {
  /** What is left out. */
  readonly search: SearchValues
  readonly datasets: boolean
  /** By default transcripts are wanted. */
  readonly transcripts?: boolean
  /** Says whether a file `*.json` in a folder is a list of samples; by default, none is. */
  readonly isList?: (path: string) => Promise<boolean>
  /** Called for each directory before it is read. */
  readonly onDirectory?: ((path: string) => void) | undefined
}

/**
 * The files that `paths` name, each once: in the order of `paths`, and by name within a directory. Symbolic links are
 * followed as long as they stay in the folder that is searched or in the current one; no directory is searched twice, so
 * loops end.
 */
export async function* findFiles(
  paths: readonly string[],
  {
    search: values,
    datasets,
    transcripts = true,
    isList = async () => false,
    onDirectory = () => undefined,
  }: FindOptions,
): AsyncIterableIterator<Found> {
  const search: Search = {
    values,
    filter: undefined,
    isFiltered: false,
    seenFiles: new Set(),
    seenDirectories: new Map(),
    root: '',
    reach: [],
    datasets,
    transcripts,
    isList,
    onDirectory,
    pattern: undefined,
    isEmpty: true,
    hasDatasets: false,
  }
  for (const path of paths) {
    if (path === standardInput) {
      if (isNew(search.seenFiles, path)) yield { kind: 'file', path }
      continue
    }
    let isDirectory: boolean
    try {
      isDirectory = (await stat(path)).isDirectory()
    } catch (error) {
      const pattern = patternIn(path)
      if (!pattern) yield { kind: 'problem', problem: fileProblem(path, error), isFile: true }
      else yield* searchPattern(path, pattern, search)
      continue
    }
    if (!isDirectory) {
      if (isNew(search.seenFiles, resolve(path))) yield { kind: 'file', path }
      continue
    }
    search.root = path
    search.reach = [await realpath(path), await realpath('.')]
    search.isEmpty = true
    search.hasDatasets = false
    try {
      await beginFilter(path, search)
    } catch (error) {
      yield { kind: 'problem', problem: fileProblem(path, error), isFile: false }
      continue
    }
    yield* searchDirectory(path, search)
    const { isEmpty, hasDatasets, isFiltered } = search
    if (isEmpty) yield { kind: 'nothing', path, hasDatasets, isFiltered }
  }
}

/** The folder that a pattern begins with, and what is below it; undefined for a path that is not a pattern. */
function patternIn(path: string): { readonly folder: string; readonly below: string } | undefined {
  const parts = path.split(sep === '/' ? '/' : /[\\/]/)
  const first = parts.findIndex((it) => /[*?{]/.test(it))
  if (first === -1) return undefined
  const folder = parts.slice(0, first).join('/')
  return { folder: first > 0 && folder === '' ? '/' : folder || '.', below: parts.slice(first).join('/') }
}

/** The files that match are as good as named: their names say what they are, and not whether they are wanted. */
async function* searchPattern(
  path: string,
  { folder, below }: { readonly folder: string; readonly below: string },
  search: Search,
): AsyncIterableIterator<Found> {
  try {
    search.reach = [await realpath(folder), await realpath('.')]
    await beginFilter(folder, search)
  } catch (error) {
    yield { kind: 'problem', problem: fileProblem(path, error), isFile: true }
    return
  }
  search.root = folder
  search.isEmpty = true
  search.seenDirectories.clear() // another pattern may match other files of a folder
  search.pattern = new PathPattern(`./${below}`)
  for await (const found of searchDirectory(folder, search)) {
    if (found.kind === 'file') yield { kind: 'file', path: found.path }
    else yield found
  }
  search.pattern = undefined
  if (search.isEmpty)
    yield { kind: 'problem', problem: new FileProblem(path, 'no file matches this pattern'), isFile: true }
}

async function beginFilter(folder: string, search: Search): Promise<void> {
  search.filter = await searchFilter(folder, search.values)
  search.isFiltered = false
}

interface Search {
  readonly values: SearchValues
  filter: SearchFilter | undefined
  /** True if something was left out. */
  isFiltered: boolean
  /** Absolute paths. */
  readonly seenFiles: Set<string>
  /** Absolute paths without symbolic links, and the root of the search that met them. */
  readonly seenDirectories: Map<string, string>
  /** The directory that is searched, as it is named. */
  root: string
  /** Folders without links, in which links are followed: the one that is searched, and the current one. */
  reach: readonly string[]
  readonly datasets: boolean
  readonly transcripts: boolean
  readonly isList: (path: string) => Promise<boolean>
  readonly onDirectory: (path: string) => void
  /** What paths below the root must match, instead. */
  pattern: PathPattern | undefined
  /** True if there are datasets, which are not wanted. */
  hasDatasets: boolean
  /** True until there is a transcript, also one that was found before, or a problem. */
  isEmpty: boolean
}

async function* searchDirectory(directory: string, search: Search): AsyncIterableIterator<Found> {
  let entries: Dirent[]
  try {
    const real = await realpath(directory)
    const root = search.seenDirectories.get(real)
    if (root !== undefined) {
      if (root !== search.root) search.isEmpty = false // which was reported before, if it is
      return
    }
    search.seenDirectories.set(real, search.root)
    search.onDirectory(directory)
    entries = await readdir(directory, { withFileTypes: true })
  } catch (error) {
    search.isEmpty = false
    yield { kind: 'problem', problem: fileProblem(directory, error), isFile: false }
    return
  }
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(directory, entry.name)
    if (await isLeftOut(path, entry, search)) continue
    const kind = await kindOf(entry, path, search.reach)
    if (kind === 'outside' || kind === 'special') {
      if (!isWanted(path, entry.name, search)) continue
      search.isEmpty = false
      yield { kind: 'problem', problem: new FileProblem(path, unreadKinds[kind]), isFile: true }
    } else if (kind === 'directory') {
      if (!skipped.has(entry.name)) yield* searchDirectory(path, search)
    } else if (isWanted(path, entry.name, search) || (await isWantedList(path, entry.name, search))) {
      search.isEmpty = false
      if (isNew(search.seenFiles, resolve(path))) yield { kind: 'file', path, folder: search.root }
    }
  }
}

/** What is in a searched folder, and not read: why. */
const unreadKinds = {
  outside: 'is a link to a place outside the folder',
  special: 'is a device, a pipe, or a socket; it is only read if it is named itself',
} as const

/** Asked of what may be read, so that other files cost nothing. */
async function isLeftOut(path: string, entry: Dirent, search: Search): Promise<boolean> {
  const { name } = entry
  if (!entry.isDirectory() && !isWanted(path, name, search) && !mayBeList(name, search)) return false
  if (!(await search.filter?.leavesOut(path, entry.isDirectory()))) return false
  search.isFiltered = true
  return true
}

function isWanted(path: string, name: string, search: Search): boolean {
  if (search.pattern && !isOverlayName(name) && !isReviewName(name))
    return search.pattern.matches(relative(search.root, path).split(sep).join('/'))
  if (name.endsWith(extension)) return search.transcripts
  if (!isDatasetName(name)) return false
  if (!search.datasets) search.hasDatasets = true
  return search.datasets
}

/** Most files `*.json` are not datasets, and aren't reported. */
async function isWantedList(path: string, name: string, search: Search): Promise<boolean> {
  return mayBeList(name, search) && search.isList(path)
}

function mayBeList(name: string, { datasets, pattern }: Search): boolean {
  return datasets && !pattern && /\.json$/i.test(name)
}

/** A link that leads nowhere counts as a file: reading it reports what is wrong. */
async function kindOf(
  entry: Dirent,
  path: string,
  reach: readonly string[],
): Promise<'file' | 'directory' | keyof typeof unreadKinds> {
  if (entry.isDirectory()) return 'directory'
  if (entry.isFile()) return 'file'
  if (!entry.isSymbolicLink()) return 'special'
  try {
    const end = await realpath(path)
    if (!reach.some((folder) => isBelow(folder, end))) return 'outside'
    const target = await stat(end)
    if (target.isDirectory()) return 'directory'
    return target.isFile() ? 'file' : 'special'
  } catch {
    return 'file'
  }
}

function isNew(set: Set<string>, path: string): boolean {
  if (set.has(path)) return false
  set.add(path)
  return true
}
