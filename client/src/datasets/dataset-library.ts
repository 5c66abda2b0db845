/** The datasets that are open, shared by their lists and their samples, and read again when their files change. */
import * as vscode from 'vscode'
import { type DatasetMapping, datasetKind, lookedAt, overlayPath } from '../../../core/src/internal.ts'
import { watchSharedFile } from '../preview/file-watch.ts'
import type { OpenReviewOnDisk } from '../review/review-library.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import type { WriteOnDisk } from '../write-file.ts'
import { browserDecompression } from './browser-decompression.ts'
import type { ByteFile, OpenFileOnDisk, TextFile } from './byte-file.ts'
import type { ColumnThreads } from './column-work.ts'
import { ProjectSettings } from './configuration-in-force.ts'
import { Dataset } from './dataset.ts'
import { FolderDataset } from './folder-dataset.ts'
import { datasetsIn, isFolder } from './folder-files.ts'
import type { KeptIndexOptions } from './kept-index.ts'
import type { ListedFile } from './safe-fixes-of-matching.ts'
import { memorySpool, type Unpacking, unpackedFile } from './unpacked-file.ts'
import { largestVirtualFile, virtualFile, virtualTextFile } from './virtual-file.ts'

interface Entry {
  readonly dataset: Dataset
  readonly project: ProjectSettings
  readonly watch: vscode.Disposable
  /** Who uses it. */
  readonly users: Set<object>
}

/** What datasets need of a disk. */
export interface DatasetDisk extends Unpacking {
  readonly openFile: OpenFileOnDisk
  readonly openTextFile: (path: string) => TextFile
  readonly openReview: OpenReviewOnDisk
  /** Starts threads that read columns. */
  readonly openThreads: () => ColumnThreads
  /** Where indexes of datasets are kept. */
  readonly indexes?: Omit<KeptIndexOptions, 'address'>
  /** Writes a file: complete or not at all. */
  readonly writeFile: WriteOnDisk
  /** Which file a path leads to, through any links; undefined if there is none. */
  readonly placeAt: (path: string) => Promise<string | undefined>
}

/** Where the edits of the dataset at `uri` are, if it is packed. */
function editsUri(uri: vscode.Uri): vscode.Uri {
  return uri.with({ path: overlayPath(uri.path) })
}

/** What there is where there is no disk. */
export const withoutDisk: Unpacking = {
  decompression: browserDecompression,
  makeSpool: () => memorySpool(largestVirtualFile),
}

/** What is listed, until it is closed. */
export interface OpenView {
  readonly view: Dataset | FolderDataset<vscode.Uri>
  readonly close: () => void
}

/** A list, and what is listed. */
export interface ListedView {
  readonly uri: vscode.Uri
  readonly view: OpenView['view']
}

/** The files whose samples are listed. */
export function filesOf({ uri, view }: ListedView): readonly ListedFile<vscode.Uri>[] {
  if (view instanceof FolderDataset) return view.parts
  return [{ address: uri, dataset: view, first: 0, generation: view.generation }]
}

/** Keeps each dataset as long as someone uses it. */
export class DatasetLibrary implements vscode.Disposable {
  readonly #disk: DatasetDisk | undefined
  readonly #readFile: ReadWorkspaceFile
  readonly #entries = new Map<string, Entry>()
  /** How the columns of datasets are called, as someone chose; `auto` to recognize them, whatever the project sets. */
  readonly #chosen = new Map<string, DatasetMapping | 'auto'>()

  /** @param disk absent in browsers, where files are read as a whole */
  constructor(disk: DatasetDisk | undefined, readFile: ReadWorkspaceFile) {
    this.#disk = disk
    this.#readFile = readFile
  }

  /** Reads the dataset at `uri` as `mapping` says from now on; undefined for what the project sets. */
  async choose(uri: vscode.Uri, mapping: DatasetMapping | 'auto' | undefined): Promise<void> {
    const key = uri.toString()
    const entry = this.#entries.get(key)
    if (mapping) this.#chosen.set(key, mapping)
    else this.#chosen.delete(key)
    await entry?.project.readAgain()
    await entry?.dataset.mappingChanged()
  }

  /** How someone chose to read the dataset at `uri`, which is in use; undefined if it is read as the project sets. */
  chosen(uri: vscode.Uri): DatasetMapping | 'auto' | undefined {
    const key = uri.toString()
    const chosen = this.#chosen.get(key)
    const isSet = this.#entries.get(key)?.project.current.mapping !== undefined
    return chosen === 'auto' && !isSet ? undefined : chosen
  }

  #fileAt(uri: vscode.Uri): ByteFile {
    const file = uri.scheme === 'file' && this.#disk ? this.#disk.openFile(uri.fsPath) : virtualFile(uri)
    return unpackedFile(file, this.#disk ?? withoutDisk, this.textFileAt(editsUri(uri)))
  }

  /** The text at `uri`, to be read and written as a whole. */
  textFileAt(uri: vscode.Uri): TextFile {
    return uri.scheme === 'file' && this.#disk ? this.#disk.openTextFile(uri.fsPath) : virtualTextFile(uri)
  }

  /** True if `list` has the samples of the file that is at `to`, whatever links lead there. */
  async lists(list: ListedView, to: vscode.Uri): Promise<boolean> {
    const placeAt = async (uri: vscode.Uri) =>
      (uri.scheme === 'file' ? await this.#disk?.placeAt(uri.fsPath) : undefined) ?? uri.toString()
    const place = await placeAt(to)
    for (const { address } of filesOf(list)) if ((await placeAt(address)) === place) return true
    return false
  }

  /** The dataset at `uri`, until `user` lets it go. */
  use(uri: vscode.Uri, user: object): Dataset {
    const key = uri.toString()
    let entry = this.#entries.get(key)
    if (!entry) {
      let used: string | undefined | null = null // the mapping that samples were read with; null before any was
      const project = new ProjectSettings(uri, this.#readFile, () => {
        if (used !== null && used !== JSON.stringify(project.current.mapping)) void dataset.mappingChanged()
      })
      const mapping = async () => {
        const chosen = this.#chosen.get(key) ?? (await project.read()).mapping
        const found = chosen === 'auto' ? undefined : chosen
        used = JSON.stringify(found)
        return found
      }
      const indexes = uri.scheme === 'file' ? this.#disk?.indexes : undefined
      const kept = indexes && { ...indexes, address: key }
      const dataset: Dataset = new Dataset(this.#fileAt(uri), uri.path, mapping, kept)
      const watch = vscode.Disposable.from(
        project,
        watchSharedFile(uri, () => void dataset.refresh()),
        watchSharedFile(editsUri(uri), () => void dataset.refreshEdits().catch(() => undefined)), // a save reports what is wrong
      )
      entry = { dataset, project, watch, users: new Set() }
      this.#entries.set(key, entry)
      void dataset.load()
    }
    entry.users.add(user)
    return entry.dataset
  }

  /** What is listed of a file, or of a folder or pattern; {@link DatasetView} until it is closed. */
  async view(uri: vscode.Uri, user: object): Promise<OpenView> {
    if (!(await isFolder(uri))) {
      const dataset = this.use(uri, user)
      return { view: dataset, close: () => this.release(uri, user) }
    }
    const view = new FolderDataset<vscode.Uri>({
      find: () => datasetsIn(uri, (it) => this.#isList(it)),
      use: (it) => this.use(it, user),
      release: (it) => this.release(it, user),
    })
    void view.load()
    return { view, close: () => view.dispose() }
  }

  /** True for a list of samples, by its beginning; any list is one if its columns are mapped. */
  async #isList(uri: vscode.Uri): Promise<boolean> {
    const file = this.#fileAt(uri)
    try {
      const start = new TextDecoder().decode(await file.read({ start: 0, end: lookedAt }))
      if (datasetKind(start) === 'list') return true
      if (datasetKind(start, { isAnyList: true }) !== 'list') return false
      const project = new ProjectSettings(uri, this.#readFile, () => undefined)
      const { mapping } = await project.read()
      project.dispose()
      return mapping !== undefined
    } catch {
      return false // a file that can't be read is not known to be a dataset
    } finally {
      await file.close?.()
    }
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
