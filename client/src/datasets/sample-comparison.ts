/** What samples of a list are among the others, such as duplicates: found when a command or the query of the list asks for it. */
import * as vscode from 'vscode'
import { asksForComparison, type Problem, reasonOf } from '../../../core/src/internal.ts'
import { showError } from '../notice.ts'
import { type DatasetProblemSearch, type DatasetProblems, findDatasetProblems } from './dataset-problems.ts'
import type { DatasetView } from './dataset-view.ts'
import type { Listing } from './listing.ts'

/** The list whose samples are compared. */
export interface ComparedSamples {
  readonly view: Pick<DatasetView, 'generation' | 'index' | 'progress'>
  readonly files: () => DatasetProblemSearch['files']
  readonly options: () => DatasetProblemSearch['options']
  readonly listing: () => Pick<Listing, 'matcher' | 'text'>
  /** Called when something is found. */
  readonly changed: () => void
}

/** Compares the samples of one list. What was found counts until one of them changes. */
export class SampleComparison implements vscode.Disposable {
  readonly #list: ComparedSamples
  #known: { readonly found: DatasetProblems; readonly version: string } | undefined
  /** The version and the query for which samples were compared last. */
  #asked: string | undefined
  #running: Promise<void> | undefined
  #nChanges = 0

  constructor(list: ComparedSamples) {
    this.#list = list
  }

  /** The problems that the sample `number` has among the others; none until they are compared. */
  problemsOf(number: number): readonly Problem[] {
    if (this.#known?.version !== this.#version) return []
    return this.#known.found.bySample.get(this.#list.view.index.placeOf(number) ?? -1) ?? []
  }

  /** A sample, or how it is judged, is another one: what was found no longer counts. */
  forget(): void {
    this.#nChanges++
  }

  /** Compares all samples, and keeps what is found unless one of them changed meanwhile. @throws see {@link findDatasetProblems} */
  async compare(onSample: (place: number) => void): Promise<DatasetProblems> {
    const version = this.#version
    const found = await findDatasetProblems({
      files: this.#list.files(),
      options: this.#list.options(),
      onSample,
    })
    if (version === this.#version) {
      this.#known = { found, version }
      this.#list.changed()
    }
    return found
  }

  /**
   * Compares the samples if the query of the list asks for what only that finds, such as `problem:W-DATA-DUPLICATE`, and gives up once it is
   * another query. Call it when the query or the dataset has changed.
   */
  follow(): void {
    const { matcher, text } = this.#list.listing()
    const asked = `${this.#version} ${text}`
    if (this.#list.view.progress || this.#known?.version === this.#version || this.#asked === asked) return
    this.#asked = asked
    if (matcher && asksForComparison(matcher)) this.#running = this.#compareFor(asked)
  }

  /** Resolves when nothing is being compared for the query. */
  async whenCompared(): Promise<void> {
    await this.#running
  }

  dispose(): void {
    this.#asked = undefined
  }

  get #version(): string {
    return `${this.#list.view.generation} ${this.#nChanges}`
  }

  async #compareFor(asked: string): Promise<void> {
    const onSample = () => {
      if (this.#asked !== asked) throw new vscode.CancellationError()
    }
    const title = vscode.l10n.t('Comparing all samples')
    try {
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
        this.compare(onSample),
      )
    } catch (error) {
      if (error instanceof vscode.CancellationError) return
      const reason = reasonOf(error)
      void showError(vscode.l10n.t('Duplicates are not listed: {0}', reason))
    }
  }
}
