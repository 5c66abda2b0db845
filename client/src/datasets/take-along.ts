/** What the samples that a list shows can be taken along as: files, parts, a command, a line. */
import * as vscode from 'vscode'
import {
  formOf,
  localized,
  reasonOf,
  type SplitPart,
  splitPartsIn,
  splitSamples,
  standardColumns,
  type TargetForm,
  targetForms,
} from '../../../core/src/internal.ts'
import { showError, showInformation, showNotice, showWarning, withNotification } from '../notice.ts'
import { withoutIcons } from '../text-without-links.ts'
import { exists } from '../workspace-files.ts'
import { pathOf } from './copy-command.ts'
import type { DatasetDisk } from './dataset-library.ts'
import { askedTarget, nameOf, offerList } from './export-target.ts'
import { type MatchingSamples, randomPlaces, splitUnits, type Taken, takenLines } from './matching-samples.ts'
import { writeLines } from './write-lines.ts'

/** A list whose samples are taken along. */
export interface TakenList {
  readonly uri: vscode.Uri
  /** True if the list has the samples of the file that is at `to`, whatever links lead there. */
  lists(to: vscode.Uri): Promise<boolean>
  /** Lists what `query` finds. @throws RangeError if it has a mistake */
  search(query: string): void
  /** The samples that the list shows, once all are found. */
  matching(): Promise<MatchingSamples>
  /** The fields of samples that are columns. */
  readonly fields: readonly string[]
  /** How `ocm` names a sample in its messages, if the dataset is at `path`. */
  keyOf(path: string): (place: number) => string
  /** The bytes of the sample with the focus; undefined if there is none. */
  activeLine(): Promise<string | undefined>
}

/** What a program may pass instead of answering questions. */
export interface TakeAlongAnswers {
  /** What the list is to show before. */
  readonly query?: string
  readonly to?: vscode.Uri
  readonly form?: string
  readonly size?: number
  readonly seed?: number
  readonly parts?: string
  readonly stratum?: string
  readonly group?: string
  /** True to apply fixes without asking. */
  readonly isConfirmed?: boolean
}

/** Writes the samples that the list shows into a file. */
export async function exportMatching(
  list: TakenList,
  disk: DatasetDisk | undefined,
  answers: TakeAlongAnswers,
): Promise<void> {
  const form = answers.form ?? (answers.to ? 'same' : await askedForm())
  if (form === undefined) return
  const title = vscode.l10n.t('Export Matching Samples')
  const to = answers.to ?? (await askedTarget(list.uri, { title, part: 'matching' }))
  if (!to || (await refusesOwn([to], list))) return
  const target = targetForms.find((it) => it === form)
  await withProgress(vscode.l10n.t('Exporting samples'), async (onSample) => {
    const samples = await list.matching()
    const taken = nothingTaken()
    await writeLines(to, takenLines(samples, target, taken, onSample(samples)), disk)
    report(to, taken)
  })
}

/** Writes some of the samples that the list shows, chosen by chance, into a file. */
export async function exportRandom(
  list: TakenList,
  disk: DatasetDisk | undefined,
  answers: TakeAlongAnswers,
): Promise<void> {
  const title = vscode.l10n.t('Export Random Sample')
  const size = answers.size ?? (await askedNumber(title, vscode.l10n.t('How many samples'), 100))
  if (size === undefined) return
  const seed = answers.seed ?? (await askedSeed(title))
  if (seed === undefined) return
  const to = answers.to ?? (await askedTarget(list.uri, { title, part: `sample-${seed}` }))
  if (!to || (await refusesOwn([to], list))) return
  await withProgress(title, async (onSample) => {
    const samples = await list.matching()
    const places = await randomPlaces(samples, { size, seed, keyOf: list.keyOf(pathOf(list.uri)) })
    const chosen = { ...samples, has: (place: number) => places.has(place) }
    const taken = nothingTaken()
    await writeLines(to, takenLines(chosen, undefined, taken, onSample(samples)), disk)
    offerList(to, `${exportedText(to, taken)} · ${seedText(seed)}`)
  })
}

/** Writes the samples that the list shows into one file for each part. */
export async function splitMatching(
  list: TakenList,
  disk: DatasetDisk | undefined,
  answers: TakeAlongAnswers,
): Promise<void> {
  const title = vscode.l10n.t('Split Samples')
  const parts = splitPartsIn(answers.parts ?? (await askedParts(title)) ?? '')
  if (!parts) return
  const isAsked = answers.parts === undefined
  const none = '' // not the name of a column
  const column = async (prompt: string): Promise<string | undefined> => {
    const names = [...list.fields, ...standardColumns.map(({ name }) => name).filter((it) => it !== 'line')]
    const items = [
      { label: vscode.l10n.t('None'), name: none },
      ...names.map((name) => ({ label: withoutIcons(name), name })),
    ]
    return (await vscode.window.showQuickPick(items, { title, placeHolder: prompt }))?.name
  }
  const stratum = isAsked
    ? await column(vscode.l10n.t('Column whose values keep the same shares in all parts'))
    : answers.stratum
  if (isAsked && stratum === undefined) return
  const group = isAsked
    ? await column(vscode.l10n.t('Column whose equal values stay in one part'))
    : answers.group
  if (isAsked && group === undefined) return
  const seed = answers.seed ?? (await askedSeed(title))
  if (seed === undefined) return
  const first = parts[0]?.name ?? ''
  const to = answers.to ?? (await askedTarget(list.uri, { title, part: first }))
  if (!to) return
  const files = parts.map(({ name }) => (name === first ? to : partUri(to, first, name)))
  if (await refusesOwn(files, list)) return
  if (answers.to === undefined && !(await mayReplace(files.slice(1)))) return
  const chosen = (it: string | undefined) => (it === none ? undefined : it)
  await withProgress(title, async (onSample) => {
    const samples = await list.matching()
    const keyOf = list.keyOf(pathOf(list.uri))
    const units = await splitUnits(samples, { stratum: chosen(stratum), group: chosen(group), keyOf })
    const partOf = splitSamples(units, parts, seed)
    const counts = await writeParts({
      samples,
      parts,
      files,
      disk,
      units,
      partOf,
      onSample: onSample(samples),
    })
    if (!counts) return
    const told = parts.map(({ name }, index) => `${name} ${counts[index]}`).join(', ')
    void showInformation(`${vscode.l10n.t('Samples exported: {0}', told)} · ${seedText(seed)}`)
  })
}

/** Copies the line of the sample with the focus. */
export async function copyLine(list: TakenList): Promise<void> {
  try {
    const line = await list.activeLine()
    if (line === undefined) return
    await vscode.env.clipboard.writeText(line)
    showNotice(vscode.l10n.t('Copied the line'))
  } catch (error) {
    showUnreadable(error)
  }
}

/** Shows why a sample cannot be read: its file may be gone. */
export function showUnreadable(error: unknown): void {
  void showError(vscode.l10n.t('The sample cannot be read: {0}', reasonOf(error)))
}

interface PartFiles {
  readonly samples: MatchingSamples
  readonly parts: readonly SplitPart[]
  readonly files: readonly vscode.Uri[]
  readonly disk: DatasetDisk | undefined
  readonly units: readonly { readonly place: number }[]
  readonly partOf: readonly number[]
  readonly onSample: (place: number) => void
}

/**
 * Writes each part in a pass of its own; how many samples each has. Undefined, with a message, if only some were written.
 *
 * @throws if none was written
 */
async function writeParts(it: PartFiles): Promise<readonly number[] | undefined> {
  const counts: number[] = []
  try {
    await addParts(it, counts)
    return counts
  } catch (error) {
    if (counts.length === 0) throw error
    const written = it.files.slice(0, counts.length).map(nameOf)
    const reason = error instanceof vscode.CancellationError ? vscode.l10n.t('canceled') : reasonOf(error)
    void showError(vscode.l10n.t('Only these parts were written: {0} ({1})', written.join(', '), reason))
    return undefined
  }
}

async function addParts(it: PartFiles, counts: number[]): Promise<void> {
  for (const [part, file] of it.files.entries()) {
    const places = new Set(it.units.filter((_, index) => it.partOf[index] === part).map(({ place }) => place))
    const taken = nothingTaken()
    const own = { ...it.samples, has: (place: number) => places.has(place) }
    await writeLines(file, takenLines(own, undefined, taken, it.onSample), it.disk)
    counts.push(taken.lines)
  }
}

function nothingTaken(): Taken {
  return { lines: 0, omitted: 0, lossy: 0 }
}

function exportedText(to: vscode.Uri, { lines }: Taken): string {
  return vscode.l10n.t('Samples exported to {0}: {1}', nameOf(to), lines)
}

/** The seed is shown where it can be copied from until the user closes it: it repeats the choice. */
function seedText(seed: number): string {
  return vscode.l10n.t('Seed: {0}', seed)
}

function report(to: vscode.Uri, taken: Taken): void {
  const { omitted, lossy } = taken
  const texts = [exportedText(to, taken)]
  if (omitted > 0) texts.push(vscode.l10n.t('samples that cannot be read or written: {0}', omitted))
  if (lossy > 0) texts.push(vscode.l10n.t('samples that the form does not hold in full: {0}', lossy))
  offerList(to, texts.join('; '), omitted + lossy > 0 ? showWarning : showInformation)
}

async function askedForm(): Promise<string | undefined> {
  const same = {
    label: vscode.l10n.t('As in the file'),
    description: vscode.l10n.t('byte for byte'),
    id: 'same',
  }
  const forms = targetForms.map((id: TargetForm) => ({
    label: id,
    description: localized(formOf(id).title),
    id,
  }))
  const picked = await vscode.window.showQuickPick([same, ...forms], {
    title: vscode.l10n.t('Export Matching Samples'),
    placeHolder: vscode.l10n.t('Form of the samples'),
  })
  return picked?.id
}

function askedNumber(title: string, prompt: string, value: number): Promise<number | undefined> {
  return asked(title, prompt, String(value), (text) => /^[1-9]\d{0,8}$/.test(text))
}

function askedSeed(title: string): Promise<number | undefined> {
  const seed = Math.floor(Math.random() * 1e9)
  return asked(title, vscode.l10n.t('Seed: the same number repeats the choice'), String(seed), (text) =>
    /^\d{1,9}$/.test(text),
  )
}

async function asked(
  title: string,
  prompt: string,
  value: string,
  isNumber: (text: string) => boolean,
): Promise<number | undefined> {
  const answer = await vscode.window.showInputBox({
    title,
    prompt,
    value,
    validateInput: (text) => (isNumber(text) ? undefined : vscode.l10n.t('Expected a number')),
  })
  return answer === undefined ? undefined : Number(answer)
}

function askedParts(title: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Parts and their shares'),
    value: 'train 90, test 10',
    validateInput: (text) =>
      splitPartsIn(text) ? undefined : vscode.l10n.t('Expected names with shares, such as train 90, test 10'),
  })
}

/** The file of another part: `data.train.jsonl` leads to `data.test.jsonl`. */
function partUri(to: vscode.Uri, first: string, name: string): vscode.Uri {
  const own = nameOf(to)
  const at = own.lastIndexOf(first)
  const other = at < 0 ? `${name}.${own}` : own.slice(0, at) + name + own.slice(at + first.length)
  return vscode.Uri.joinPath(to, '..', other)
}

async function mayReplace(files: readonly vscode.Uri[]): Promise<boolean> {
  const there: string[] = []
  for (const file of files) {
    if (await exists(file)) there.push(nameOf(file))
  }
  if (there.length === 0) return true
  const replace = vscode.l10n.t('Replace')
  const text = vscode.l10n.t('Files already exist: {0}', there.join(', '))
  return (await showWarning(text, { modal: true }, replace)) === replace
}

/** True, with a message, if one of `files` is a file of the list. */
async function refusesOwn(files: readonly vscode.Uri[], list: TakenList): Promise<boolean> {
  for (const it of files) {
    if (!(await list.lists(it))) continue
    void showError(vscode.l10n.t('The export cannot overwrite its own dataset.'))
    return true
  }
  return false
}

/** Works with a progress bar, as far as places of the list are called. What goes wrong is shown. */
export async function withProgress(
  title: string,
  work: (onSample: (samples: MatchingSamples) => (place: number) => void) => Promise<void>,
): Promise<void> {
  try {
    await withNotification(title, (progress, token) =>
      work(({ dataset }) => {
        let shown = 0
        return (place) => {
          if (token.isCancellationRequested) throw new vscode.CancellationError()
          const percent = Math.floor((100 * place) / Math.max(1, dataset.index.size))
          if (percent > shown) progress.report({ increment: percent - shown })
          shown = Math.max(shown, percent)
        }
      }),
    )
  } catch (error) {
    if (error instanceof vscode.CancellationError) return
    void showError(vscode.l10n.t('Nothing was written: {0}', reasonOf(error)))
  }
}
