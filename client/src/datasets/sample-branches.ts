/** Branches of a sample in the editor: the chosen and the rejected answer of a pair, the sessions of agents (S11). */
import * as vscode from 'vscode'
import { askedUri, isPreviewed } from '../asked-document.ts'
import { showNotice } from '../notice.ts'
import { openSampleAt } from './dataset-editor.ts'
import type { DatasetLibrary } from './dataset-library.ts'
import { type SampleAddress, sampleAddress, sampleUri } from './sample-uri.ts'

/** *Switch Branch…*: opens another branch of the active sample, or the one that a program names. */
export async function switchBranch(library: DatasetLibrary, target: unknown, named: unknown): Promise<void> {
  const uri = askedUri(target)
  const address = uri && sampleAddress(uri)
  if (!address) return
  const as = isPreviewed(uri) ? 'preview' : 'text'
  const branches = await branchesOf(library, address)
  if (!branches) return
  const shown = address.branch ?? branches[0]
  const branch =
    typeof named === 'string' ? named : await asked(branches, shown, vscode.l10n.t('Switch Branch'))
  if (branch === undefined || !branches.includes(branch)) return
  await openSampleAt(branchUri(address, branches, branch), as)
}

/** *Compare Branches…*: shows two branches of the active sample side by side. */
export async function compareBranches(library: DatasetLibrary, target: unknown): Promise<void> {
  const uri = askedUri(target)
  const address = uri && sampleAddress(uri)
  const branches = address && (await branchesOf(library, address))
  if (!address || !branches) return
  const [first = '', second] = branches
  const shown = address.branch ?? first
  const others = branches.filter((it) => it !== shown)
  const title = vscode.l10n.t('Compare Branches')
  const other = branches.length === 2 ? (others[0] ?? second) : await asked(others, undefined, title)
  if (other === undefined) return
  await vscode.commands.executeCommand(
    'vscode.diff',
    branchUri(address, branches, shown),
    branchUri(address, branches, other),
    `${address.number}: ${shown} ↔ ${other}`,
  )
}

/** The first branch is what the address without a branch shows. */
function branchUri(
  { dataset, number }: SampleAddress,
  branches: readonly string[],
  branch: string,
): vscode.Uri {
  return sampleUri({ dataset, number, ...(branch !== branches[0] && { branch }) })
}

/** The branches of a sample; undefined, and reported, for one that has none. */
async function branchesOf(
  library: DatasetLibrary,
  { dataset: uri, number }: SampleAddress,
): Promise<readonly string[] | undefined> {
  const user = {}
  const dataset = library.use(uri, user)
  try {
    await dataset.load()
    const place = dataset.index.placeOf(number)
    const sample = place === undefined ? undefined : await dataset.sampleAt(place)
    if (sample?.kind === 'good' && sample.branches) return sample.branches
    showNotice(vscode.l10n.t('OpenChatML: this sample has no branches'))
    return undefined
  } finally {
    library.release(uri, user)
  }
}

async function asked(
  branches: readonly string[],
  shown: string | undefined,
  title: string,
): Promise<string | undefined> {
  const items = branches.map((label) => ({
    label,
    ...(label === shown && { description: vscode.l10n.t('shown') }),
  }))
  return (await vscode.window.showQuickPick(items, { title }))?.label
}
