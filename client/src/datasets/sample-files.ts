/**
 * Samples as files: what is read is the transcript of one sample, and what is written goes into that sample only. A save
 * that could lose anything is refused, and the editor keeps what was typed.
 */
import * as vscode from 'vscode'
import {
  ConversionError,
  type DatasetMapping,
  editedSample,
  inFile,
  judgedForm,
  type Loss,
  perValue,
  type RequestTools,
  reasonOf,
  type SampleMetadata,
  type SampleTraits,
  sampleMetadata,
  sampleTraits,
  type TranscriptSample,
} from '../../../core/src/internal.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { withoutLinks } from '../text-without-links.ts'
import { ChangedFileError } from './byte-file.ts'
import type { Dataset } from './dataset.ts'
import type { DatasetLibrary } from './dataset-library.ts'
import { readSample } from './listed-sample.ts'
import { type SampleAddress, sampleAddress, sampleScheme } from './sample-uri.ts'

/** A sample was written. */
export interface SampleSave {
  readonly uri: vscode.Uri
  readonly address: SampleAddress
  /** Among the samples of the dataset. */
  readonly place: number
  /** The bytes of the sample before. */
  readonly before: Uint8Array
  readonly losses: readonly Loss[]
}

/** A sample as it was read or written last. */
interface OpenSample {
  readonly dataset: Dataset
  readonly bytes: Uint8Array
  readonly sample: TranscriptSample
  /** How its columns were called. */
  readonly mapping: DatasetMapping | undefined
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Bytes of the transcript. */
  readonly size: number
  /** True if its editor has unsaved changes of an earlier state: it was read again only to be looked at, as for a comparison. */
  readonly isNewer: boolean
  readonly stop: () => void
}

/** A sample as it is in its dataset. */
export interface SavedSample {
  readonly bytes: Uint8Array
  /** How its columns are called. */
  readonly mapping: DatasetMapping | undefined
  /** The branch that is shown; undefined for samples that have none. */
  readonly branch: string | undefined
}

/** The file system of samples. */
export class SampleFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #library: DatasetLibrary
  readonly #open = new Map<string, OpenSample>()
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>()
  readonly #saved = new vscode.EventEmitter<SampleSave>()
  readonly #read = new vscode.EventEmitter<vscode.Uri>()
  readonly #subscriptions: vscode.Disposable[]
  readonly onDidChangeFile = this.#changed.event
  /** Fired after each save. */
  readonly onDidSave = this.#saved.event
  /** Fired when a sample was read, or read again because its dataset changed, and after each save. */
  readonly onDidRead = this.#read.event

  constructor(library: DatasetLibrary) {
    this.#library = library
    this.#subscriptions = [
      this.#changed,
      this.#saved,
      this.#read,
      vscode.workspace.registerFileSystemProvider(sampleScheme, this, { isCaseSensitive: true }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#close(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#beginAnew(document)),
    ]
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { modified, size } = this.#open.get(uri.toString()) ?? (await this.#load(uri))
    return { type: vscode.FileType.File, ctime: 0, mtime: modified, size }
  }

  /** What rules on training data know of the open sample at `uri`. */
  traitsOf(uri: vscode.Uri): SampleTraits | undefined {
    const open = this.#open.get(uri.toString())
    return open && sampleTraits(judgedForm(open.sample))
  }

  /** The tools of the request that the open sample at `uri` is; undefined where there are none. */
  toolsOf(uri: vscode.Uri): RequestTools | undefined {
    return this.#open.get(uri.toString())?.sample.requestTools
  }

  /** The open sample at `uri`, as it was read or saved last. */
  sampleOf(uri: vscode.Uri): TranscriptSample | undefined {
    return this.#open.get(uri.toString())?.sample
  }

  /** The open sample at `uri` as it is in its dataset, and the branch of it that is shown. */
  savedSample(uri: vscode.Uri): SavedSample | undefined {
    const open = this.#open.get(uri.toString())
    if (!open) return undefined
    const { branch, branches } = open.sample
    return { bytes: open.bytes, mapping: open.mapping, branch: branches && (branch ?? branches[0]) }
  }

  /** What the open sample at `uri` says besides its conversation; undefined where there is none. */
  metadataOf(uri: vscode.Uri): SampleMetadata | undefined {
    const sample = this.#open.get(uri.toString())?.sample
    return sample && metadataOfSample(sample)
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { sample } = await this.#load(uri)
    return new TextEncoder().encode(sample.text)
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = asked(uri)
    const key = address.dataset.toString()
    const before = this.#writing.get(key) ?? Promise.resolve()
    const result = before.then(() => this.#write(uri, address, content))
    const after = result.catch(() => undefined) // the caller gets the error
    this.#writing.set(key, after)
    void after.then(() => this.#writing.get(key) === after && this.#writing.delete(key))
    return result
  }

  /**
   * By the addresses of open samples: what they were before their file changed. Undoing brings that back, although the sample is
   * another one now, or another program wrote it.
   */
  readonly #past = new Map<string, readonly string[]>()

  /** By the addresses of datasets: a save begins with what the one before it left, for branches that are saved at once. */
  readonly #writing = new Map<string, Promise<void>>()

  async #write(uri: vscode.Uri, address: SampleAddress, content: Uint8Array): Promise<void> {
    this.#refuseIfDirty(address)
    const before = this.#open.get(uri.toString()) ?? (await this.#load(uri))
    const { dataset, isNewer } = before
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)
    try {
      if (isNewer || (text !== before.sample.text && this.#past.get(uri.toString())?.includes(text)))
        throw new ChangedFileError()
      const { json, losses } = editedSample(before.sample, text)
      await dataset.refresh()
      const place = dataset.index.placeOf(address.number)
      if (place === undefined) throw new ChangedFileError()
      await dataset.replace(place, before.bytes, json)
      const bytes = new TextEncoder().encode(json)
      const { branch } = address
      const sample = readSample(bytes, { branch, mapping: before.mapping })
      if (sample.kind === 'good') {
        const modified = Math.max(Date.now(), before.modified + 1)
        this.#open.set(uri.toString(), { ...before, bytes, sample, modified, size: content.length })
        this.#read.fire(uri)
      } else {
        this.#close(uri)
      }
      await this.#takeOver(uri, address, bytes)
      this.#saved.fire({ uri, address, place, before: before.bytes, losses })
    } catch (error) {
      throw refusal(error, uri)
    }
  }

  watch(): vscode.Disposable {
    return { dispose() {} } // the library watches datasets
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions()
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions()
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions()
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions()
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    for (const { stop } of this.#open.values()) stop()
    this.#open.clear()
  }

  async #load(uri: vscode.Uri): Promise<OpenSample> {
    const address = asked(uri)
    const key = uri.toString()
    const dataset = this.#library.use(address.dataset, this.#user(key))
    const opened = await this.#opened(uri, address, dataset)
    const before = this.#open.get(key)
    before?.stop()
    const isOther = before !== undefined && (before.isNewer || before.sample.json !== opened.sample.json)
    const isDirty = openDocumentAt(uri)?.isDirty === true
    // VS Code asked for the time before it read: a later one would make it refuse to save what is typed after a revert.
    const modified = before && isDirty ? before.modified : opened.modified
    const now = { ...opened, modified, isNewer: isOther && isDirty }
    this.#open.set(key, now)
    this.#read.fire(uri)
    return now
  }

  /** A document without unsaved changes begins with what was read last: it says that if it was reverted. If an edit was undone, it reads it. */
  #beginAnew(document: vscode.TextDocument): void {
    const { uri, isDirty } = document
    const open = isDirty ? undefined : this.#open.get(uri.toString())
    if (!open?.isNewer) return
    if (document.getText() === open.sample.text) {
      this.#open.set(uri.toString(), { ...open, isNewer: false })
    } else {
      this.#open.set(uri.toString(), { ...open, modified: Math.max(Date.now(), open.modified + 1) })
      this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }])
    }
  }

  async #opened(uri: vscode.Uri, { number, branch }: SampleAddress, dataset: Dataset): Promise<OpenSample> {
    try {
      const place = await placeOf(dataset, number)
      if (place === undefined) throw vscode.FileSystemError.FileNotFound(uri)
      const bytes = await dataset.readableBytesOf(place)
      const mapping = await dataset.mapping()
      const sample = readSample(bytes, { branch, mapping })
      if (sample.kind === 'bad') {
        const { line, character } = inFile(dataset.index.positionOf(place), sample.position)
        throw new ConversionError(
          // VS Code logs this, so it quotes nothing. The list shows the reason.
          vscode.l10n.t(
            "Sample {0} can't be read because of a mistake in line {1}, column {2} of the file.",
            number,
            line + 1,
            character + 1,
          ),
        )
      }
      const size = new TextEncoder().encode(sample.text).length
      const { generation } = dataset
      let known = generation
      const stop = dataset.onChanged(() => {
        if (dataset.generation === known || dataset.progress) return
        known = dataset.generation
        void this.#follow(uri)
      })
      return { dataset, bytes, mapping, sample, modified: Date.now(), size, isNewer: false, stop }
    } catch (error) {
      throw error instanceof vscode.FileSystemError ? error : refusal(error, uri)
    }
  }

  /** The dataset was read again. What is being edited stays what it was, so that its save can be refused. */
  async #follow(uri: vscode.Uri): Promise<void> {
    const key = uri.toString()
    const before = this.#open.get(key)
    if (!before || openDocumentAt(uri)?.isDirty) return
    const { number } = asked(uri)
    const place = before.dataset.index.placeOf(number)
    const bytes = place === undefined ? undefined : await before.dataset.bytesOf(place).catch(() => undefined)
    const isMapped = JSON.stringify(await before.dataset.mapping()) === JSON.stringify(before.mapping)
    if (isMapped && bytes && new TextDecoder().decode(bytes) === before.sample.json) return
    before.stop()
    this.#open.delete(key)
    this.#past.set(key, [...(this.#past.get(key) ?? []), before.sample.text].slice(-mostPast))
    const type = bytes ? vscode.FileChangeType.Changed : vscode.FileChangeType.Deleted
    this.#changed.fire([{ type, uri }])
  }

  /** The sample at `address` has `bytes` now, because its branch at `saved` was saved: its other branches go on from there. */
  async #takeOver(saved: vscode.Uri, { dataset, number }: SampleAddress, bytes: Uint8Array): Promise<void> {
    for (const [key, open] of [...this.#open]) {
      const uri = vscode.Uri.parse(key, true)
      const other = sampleAddress(uri)
      if (key === saved.toString() || other?.number !== number) continue
      if (other.dataset.toString() !== dataset.toString()) continue
      const sample = readSample(bytes, { branch: other.branch, mapping: open.mapping })
      // An edit that is not saved yet still fits if the branch says what it said.
      if (sample.kind === 'good' && sample.text === open.sample.text) {
        this.#open.set(key, { ...open, bytes, sample })
        this.#read.fire(uri)
      } else await this.#follow(uri)
    }
  }

  #close(uri: vscode.Uri): void {
    const key = uri.toString()
    const address = sampleAddress(uri)
    const user = this.#users.get(key)
    this.#open.get(key)?.stop()
    this.#open.delete(key)
    this.#past.delete(key)
    this.#users.delete(key)
    if (address && user) this.#library.release(address.dataset, user)
  }

  /** What stands for a document among the users of its dataset. */
  #user(key: string): object {
    const user = this.#users.get(key) ?? {}
    this.#users.set(key, user)
    return user
  }

  readonly #users = new Map<string, object>()

  #refuseIfDirty({ dataset }: SampleAddress): void {
    if (!openDocumentAt(dataset)?.isDirty) return
    throw vscode.FileSystemError.Unavailable(
      vscode.l10n.t('The dataset has unsaved changes in another editor. Save or revert them first'),
    )
  }
}

const mostPast = 8

const metadataOfSample = perValue(sampleMetadata)

/** The place of a sample, as soon as the file is read that far. */
async function placeOf(dataset: Dataset, number: number): Promise<number | undefined> {
  const found = dataset.index.placeOf(number)
  if (found !== undefined) return found
  await dataset.load()
  if (dataset.failure !== undefined) throw new ConversionError(dataset.failure)
  return dataset.index.placeOf(number)
}

function asked(uri: vscode.Uri): SampleAddress {
  const address = sampleAddress(uri)
  if (!address) throw vscode.FileSystemError.FileNotFound(uri)
  return address
}

/** Why a sample is not read or saved; VS Code shows it in a notification. */
function refusal(error: unknown, uri: vscode.Uri): Error {
  if (error instanceof ChangedFileError) {
    return vscode.FileSystemError.Unavailable(
      vscode.l10n.t(
        'The sample was changed in its file after it was opened. Nothing was saved; what you typed is still here. Copy what you need, then use File: Revert File',
      ),
    )
  }
  if (error instanceof ConversionError) return vscode.FileSystemError.Unavailable(withoutLinks(error.message))
  if (error instanceof vscode.FileSystemError) return error
  return vscode.FileSystemError.Unavailable(withoutLinks(`${uri.path.split('/').at(-1)}: ${reasonOf(error)}`))
}
