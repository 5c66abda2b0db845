/** The review files that are in use, shared by lists and samples, and read again when they change. */
import type * as vscode from 'vscode'
import { reviewPath } from '../../../core/src/internal.ts'
import { watchSharedFile } from '../preview/file-watch.ts'
import type { ReviewAccess } from './review-access.ts'
import { ReviewStore } from './review-store.ts'
import { virtualReview } from './virtual-review.ts'

/** Opens the review file at a path on a disk. */
export type OpenReviewOnDisk = (path: string) => ReviewAccess

interface Entry {
  readonly store: ReviewStore
  readonly watch: vscode.Disposable
  readonly users: Set<object>
}

/** Keeps each review file as long as someone uses it. */
export class ReviewLibrary implements vscode.Disposable {
  readonly #openOnDisk: OpenReviewOnDisk | undefined
  readonly #entries = new Map<string, Entry>()

  /** @param openOnDisk absent in browsers */
  constructor(openOnDisk: OpenReviewOnDisk | undefined) {
    this.#openOnDisk = openOnDisk
  }

  /** The review of the dataset at `dataset`, until `user` lets it go. */
  use(dataset: vscode.Uri, user: object): ReviewStore {
    const key = dataset.toString()
    let entry = this.#entries.get(key)
    if (!entry) {
      const uri = dataset.with({ path: reviewPath(dataset.path) })
      const onDisk = uri.scheme === 'file' ? this.#openOnDisk?.(uri.fsPath) : undefined
      const store = new ReviewStore(onDisk ?? virtualReview(uri))
      const watch = watchSharedFile(uri, () => void store.refresh().catch(() => undefined)) // a writer gets what is wrong
      entry = { store, watch, users: new Set() }
      this.#entries.set(key, entry)
    }
    entry.users.add(user)
    return entry.store
  }

  /** `user` is done with the review of the dataset at `dataset`. */
  release(dataset: vscode.Uri, user: object): void {
    const key = dataset.toString()
    const entry = this.#entries.get(key)
    if (!entry?.users.delete(user) || entry.users.size > 0) return
    this.#entries.delete(key)
    entry.watch.dispose()
  }

  dispose(): void {
    for (const { watch } of this.#entries.values()) watch.dispose()
    this.#entries.clear()
  }
}
