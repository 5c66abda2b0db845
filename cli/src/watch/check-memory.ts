/** The results of files in earlier rounds of `ocm check --watch`, as long as they and what they were checked by stay the same. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { PathSettings } from '../../../core/src/internal.ts'
import type { CheckResult } from '../check/check-work.ts'
import type { FolderWatch } from './folder-watch.ts'

/** A file that was checked. */
interface Remembered {
  readonly settings: PathSettings
  /** The versions of the file and of the files that belong to it. */
  readonly versions: ReadonlyMap<string, string>
  readonly results: CheckResult[]
  /** True once all of it was checked, and could be read. */
  isComplete: boolean
}

/** The results of all files, in the order of the pieces of each. */
export class CheckMemory {
  readonly #watch: FolderWatch
  #files = new Map<string, Remembered>()
  #before = new Map<string, Remembered>()
  /** How many files were checked in this round. */
  nChecked = 0

  constructor(watch: FolderWatch) {
    this.#watch = watch
  }

  /** How many files there are. */
  get size(): number {
    return this.#files.size
  }

  /** Begins a round. */
  begin(): void {
    this.#before = this.#files
    this.#files = new Map()
    this.nChecked = 0
  }

  /** A folder that is searched, or that a file is in. */
  folder(path: string): void {
    this.#watch.add(path)
  }

  /** The results for the file at `path` if nothing has changed; else undefined, and {@link add} takes the result. */
  async recall(
    path: string,
    settings: PathSettings,
    companions: readonly string[],
  ): Promise<readonly CheckResult[] | undefined> {
    const before = this.#before.get(path)
    const files = [...new Set([path, ...companions, ...(before?.versions.keys() ?? [])])]
    for (const it of files) this.folder(dirname(it))
    const versions = new Map(await Promise.all(files.map(async (it) => [it, await versionOf(it)] as const)))
    if (
      before?.isComplete &&
      isDeepStrictEqual(before.versions, versions) &&
      isDeepStrictEqual(before.settings, settings)
    ) {
      this.#files.set(path, before)
      return before.results
    }
    this.nChecked++
    this.#files.set(path, { settings, versions, results: [], isComplete: false })
    return undefined
  }

  /** Takes the result of a piece of the file at `path`. */
  async add(path: string, result: CheckResult, isEnd: boolean): Promise<void> {
    const file = this.#files.get(path)
    if (!file) return
    file.results.push(result)
    file.isComplete = isEnd
    const versions = new Map(file.versions)
    for (const it of result.companions ?? []) {
      this.folder(dirname(it))
      versions.set(it, await versionOf(it))
    }
    // What could not be read may be readable without a change that can be seen.
    if (file.results.some(({ notes }) => notes.some((it) => 'input' in it))) file.isComplete = false
    this.#files.set(path, { ...file, versions })
  }
}

async function versionOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true })
    return [mtimeNs, ctimeNs, size, ino].join(' ')
  } catch {
    return 'missing'
  }
}
