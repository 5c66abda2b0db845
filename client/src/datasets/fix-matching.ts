/** *Apply Safe Fixes to Matching Samples…*: finds the fixes, shows the differences, and applies them as one change of each file. */
import * as vscode from 'vscode'
import { folderOf, type Spool } from '../../../core/src/internal.ts'
import { nearestConfiguration, showBroken } from '../nearest-configuration.ts'
import { showNotice } from '../notice.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { offerUndo, refusesUnsaved, showFailedChange } from './change-samples.ts'
import type { Dataset } from './dataset.ts'
import type { MatchingSamples } from './matching-samples.ts'
import { type FoundFixes, findFixes, type ListedFile } from './safe-fixes-of-matching.ts'
import { labelOfBranch } from './sample-uri.ts'
import { type TakeAlongAnswers, withProgress } from './take-along.ts'

/** A list whose samples are fixed. */
export interface FixedList {
  readonly uri: vscode.Uri
  /** The files that it lists. */
  readonly files: readonly ListedFile<vscode.Uri>[]
  matching(): Promise<MatchingSamples>
}

/** The scheme of the documents that the preview compares. */
const scheme = 'openchatml-fixes'

/** Applies fixes, and has the texts of the preview that is open. */
export class MatchingFixes implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #makeSpool: () => Promise<Spool>
  readonly #readFile: ReadWorkspaceFile
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this)
  readonly #texts = new Map<string, string>()
  #previews = 0

  /** @param makeSpool an empty place for fixes that are not applied yet */
  constructor(makeSpool: () => Promise<Spool>, readFile: ReadWorkspaceFile) {
    this.#makeSpool = makeSpool
    this.#readFile = readFile
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString())
  }

  dispose(): void {
    this.#registration.dispose()
  }

  /** Fixes the samples that `list` shows, if the user agrees. Nothing is thrown: what goes wrong is shown. */
  async fix(list: FixedList, { isConfirmed = false }: TakeAlongAnswers): Promise<void> {
    if (list.files.some(({ address }) => refusesUnsaved(address))) return
    if (await this.#refusesBroken(list)) return
    const found = await this.#found(list)
    if (!found) return
    const changed: Dataset[] = []
    try {
      if (found.nSamples === 0) {
        const none = vscode.l10n.t('No safe fixes in the matching samples')
        showNotice(found.nRefused === 0 ? none : `${none}; ${refusedText(found.nRefused)}`)
      } else if (isConfirmed || (await this.#isAgreed(found))) await applyFixes(found, changed)
      else await found.close()
    } catch (error) {
      showFailedChange(error, changed)
    }
  }

  /** True, with a message, if a configuration of the files has errors: it may turn off what would be fixed. */
  async #refusesBroken({ files }: FixedList): Promise<boolean> {
    const folders = new Map(files.map(({ address }) => [folderOf(address.path), address]))
    for (const address of folders.values()) {
      const configuration = await nearestConfiguration(address, this.#readFile)
      const broken = configuration?.settingsFor(address.path).broken
      if (broken === undefined) continue
      showBroken(address.with({ path: broken }))
      return true
    }
    return false
  }

  async #found(list: FixedList): Promise<FoundFixes<vscode.Uri> | undefined> {
    let found: FoundFixes<vscode.Uri> | undefined
    await withProgress(vscode.l10n.t('Finding safe fixes'), async (onSample) => {
      const samples = await list.matching()
      const { files } = list
      found = await findFixes({ files, samples, makeSpool: this.#makeSpool, onSample: onSample(samples) })
    })
    return found
  }

  /** Shows the differences, and asks while they can be read. */
  async #isAgreed({
    nSamples,
    nFixes,
    nRefused,
    nPreviewed,
    previews,
  }: FoundFixes<vscode.Uri>): Promise<boolean> {
    const preview = ++this.#previews
    this.#texts.clear()
    const resources = previews.map(({ address, number, branch, before, after }) => {
      const name = `${address.path.split('/').at(-1)}:${number}${labelOfBranch(branch)}.ocm`
      const uri = (side: string, text: string) => {
        const it = vscode.Uri.from({ scheme, path: `/${name}`, query: `${preview} ${side} ${address.path}` })
        this.#texts.set(it.toString(), text)
        return it
      }
      const original = uri('before', before)
      return [original, original, uri('after', after)]
    })
    const shown =
      nPreviewed < nSamples
        ? vscode.l10n.t('Safe fixes: the first {0} of {1} samples', nPreviewed, nSamples)
        : vscode.l10n.t('Safe fixes of matching samples')
    // The list would give its place to the differences if it is open as a preview.
    await vscode.commands.executeCommand('workbench.action.keepEditor')
    await vscode.commands.executeCommand('vscode.changes', shown, resources)
    const apply = {
      label: vscode.l10n.t('$(check) Apply'),
      description: vscode.l10n.t('Fixes: {0} · Samples: {1}', nFixes, nSamples),
      ...(nRefused > 0 && { detail: refusedText(nRefused) }),
    }
    const cancel = { label: vscode.l10n.t('$(close) Cancel'), description: vscode.l10n.t('Change nothing') }
    const answer = await vscode.window.showQuickPick([apply, cancel], {
      title: vscode.l10n.t('Apply Safe Fixes to Matching Samples'),
      placeHolder: vscode.l10n.t('The differences are in the editor below'),
      ignoreFocusOut: true, // the differences can be scrolled meanwhile
    })
    // VS Code adds the number of documents to the title.
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)
    await vscode.window.tabGroups.close(open.filter(({ label }) => label.startsWith(shown)))
    this.#texts.clear()
    return answer === apply
  }
}

function refusedText(count: number): string {
  return vscode.l10n.t('Samples whose fixes cannot be written without other changes: {0}', count)
}

/** Applies fixes: those of each file, all or none. Adds the files to `changed`. @throws what a file that is written throws */
async function applyFixes(
  { files, nSamples, nFixes, nRefused }: FoundFixes<vscode.Uri>,
  changed: Dataset[],
): Promise<void> {
  try {
    for (const { dataset, changes } of files) {
      await dataset.changeAll(changes)
      changed.push(dataset)
    }
  } finally {
    for (const { changes } of files.slice(changed.length)) await changes.close()
  }
  const text = vscode.l10n.t('Safe fixes applied: {0}, in samples: {1}.', nFixes, nSamples)
  offerUndo(changed, nRefused === 0 ? text : `${text} ${refusedText(nRefused)}`)
}
