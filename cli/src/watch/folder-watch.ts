/**
 * Watches folders, and says that something in them changed; the caller finds out what it was. Folders rather than files are watched,
 * because editors replace a file by another of the same name.
 */
import { type FSWatcher, watch } from 'node:fs'
import { resolve } from 'node:path'
import { fileProblem } from '../files/file-problem.ts'

const quiet = 50 // milliseconds without an event: a save is several events, and a checkout many

/** The folders of a run, which changes with every round. */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>()
  /** The folders of this round. */
  #wanted = new Set<string>()
  #hasChanged = false
  #wake: () => void = () => undefined

  /** Begins a round: events from now on count, and folders that are not added again are left after it. */
  begin(): void {
    this.#wanted = new Set()
    this.#hasChanged = false
  }

  /** Watches a folder; to be called before it is read, so that no change is missed. @throws FileProblem if it cannot be watched */
  add(folder: string): void {
    const path = resolve(folder)
    this.#wanted.add(path)
    if (this.#watchers.has(path)) return
    try {
      const watcher = watch(path, () => this.#tell())
      watcher.on('error', () => {
        this.#close(path) // the folder is gone
        this.#tell()
      })
      this.#watchers.set(path, watcher)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return // who reads it says so
      throw fileProblem(path, error)
    }
  }

  /** Fulfilled when something has changed since {@link begin} and nothing does any more, or when `signal` ends it. */
  async changed(signal: AbortSignal): Promise<void> {
    for (const path of this.#watchers.keys()) if (!this.#wanted.has(path)) this.#close(path)
    while (!signal.aborted && !this.#hasChanged) await this.#event(signal)
    while (!signal.aborted && this.#hasChanged) {
      this.#hasChanged = false
      await this.#event(signal, quiet)
    }
  }

  /** Leaves all folders. */
  end(): void {
    for (const path of this.#watchers.keys()) this.#close(path)
  }

  /** Waits for an event, for at most so many milliseconds. */
  #event(signal: AbortSignal, patience?: number): Promise<void> {
    return new Promise((done) => {
      const timer = patience === undefined ? undefined : setTimeout(() => end(), patience)
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#wake = () => undefined
        done()
      }
      this.#wake = end
      signal.addEventListener('abort', end)
    })
  }

  #tell(): void {
    this.#hasChanged = true
    this.#wake()
  }

  #close(path: string): void {
    this.#watchers.get(path)?.close()
    this.#watchers.delete(path)
  }
}
