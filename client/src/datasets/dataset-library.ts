/** The datasets that are open, shared by their lists and their samples, and read again when their files change. */
import type * as vscode from 'vscode'
import { watchFile } from '../preview/file-watch.ts'
import type { OpenFileOnDisk } from './byte-file.ts'
import { Dataset } from './dataset.ts'
import { virtualFile } from './virtual-file.ts'

interface Entry {
  readonly dataset: Dataset
  readonly watch: vscode.Disposable
  /** Who uses it. */
  readonly users: Set<object>
}

/** Keeps each dataset as long as somebody uses it. */
export class DatasetLibrary implements vscode.Disposable {
  readonly #openOnDisk: OpenFileOnDisk | undefined
  readonly #entries = new Map<string, Entry>()

  /** @param openOnDisk reads files of a disk in ranges; absent in browsers */
  constructor(openOnDisk: OpenFileOnDisk | undefined) {
    this.#openOnDisk = openOnDisk
  }

  /** The dataset at `uri`, until `user` lets it go. */
  use(uri: vscode.Uri, user: object): Dataset {
    const key = uri.toString()
    let entry = this.#entries.get(key)
    if (!entry) {
      const file = uri.scheme === 'file' && this.#openOnDisk ? this.#openOnDisk(uri.fsPath) : virtualFile(uri)
      const dataset = new Dataset(file, uri.path)
      entry = { dataset, watch: watchFile(uri, () => void dataset.refresh()), users: new Set() }
      this.#entries.set(key, entry)
      void dataset.load()
    }
    entry.users.add(user)
    return entry.dataset
  }

  /** `user` is done with the dataset at `uri`; without users it is forgotten. */
  release(uri: vscode.Uri, user: object): void {
    const key = uri.toString()
    const entry = this.#entries.get(key)
    if (!entry?.users.delete(user) || entry.users.size > 0) return
    this.#entries.delete(key)
    entry.watch.dispose()
    entry.dataset.dispose()
  }

  dispose(): void {
    for (const { dataset, watch } of this.#entries.values()) {
      watch.dispose()
      dataset.dispose()
    }
    this.#entries.clear()
  }
}
