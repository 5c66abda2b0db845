/** *Copy as Command*: the `ocm filter` that prints the samples that a list shows. */
import * as vscode from 'vscode'
import { type DatasetMapping, formOfMapping } from '../../../core/src/internal.ts'
import { showNotice, showWarning } from '../notice.ts'
import { type FormChooser, writeChosen, writeLabel } from './choose-form.ts'
import { nameOf } from './export-target.ts'
import type { FixedList } from './fix-matching.ts'
import type { TakenList } from './take-along.ts'

/** A list that a command is copied of. */
export type CommandList = Pick<TakenList, 'uri' | 'matching'> & Pick<FixedList, 'files'>

/**
 * Copies the command. A form that was chosen is named in it; where an option can't say how samples are read, that is reported, with
 * an offer to write it into the configuration, which `ocm` reads.
 */
export async function copyCommand(list: CommandList, chooser: FormChooser): Promise<void> {
  const { query } = await list.matching()
  const chosen = list.files.map(({ address }) => ({ address, choice: chooser.library.chosen(address) }))
  const form = commonForm(chosen.map(({ choice }) => choice))
  const options = [...(form === undefined ? [] : ['--from', form]), ...(query.startsWith('-') ? ['--'] : [])]
  const words = ['ocm', 'filter', ...options, query, pathOf(list.uri)]
  await vscode.env.clipboard.writeText(words.map(shellWord).join(' '))
  const unsaid = form === undefined ? chosen.find(({ choice }) => choice !== undefined) : undefined
  if (unsaid) await offerToWrite(unsaid.address, chooser)
  else showNotice(vscode.l10n.t('Copied the command'))
}

/** The form that `--from` can name for all files; undefined if there is none. */
function commonForm(choices: readonly (DatasetMapping | 'auto' | undefined)[]): string | undefined {
  const [form, ...others] = new Set(
    choices.map((it) => (typeof it === 'object' ? formOfMapping(it) : undefined)),
  )
  return others.length === 0 ? form : undefined
}

async function offerToWrite(uri: vscode.Uri, chooser: FormChooser): Promise<void> {
  const message = vscode.l10n.t(
    'The copied command reads {0} as the configuration specifies, not in the form that you chose.',
    nameOf(uri),
  )
  const buttons = chooser.library.chosen(uri) === 'auto' ? [] : [writeLabel()]
  if ((await showWarning(message, ...buttons)) !== undefined) await writeChosen(chooser, uri)
}

/** One word of a shell: quoted if it has other characters than those that mean themselves. */
function shellWord(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The path of the dataset, or the pattern of its paths, as a command in the folder of the workspace names it. */
export function pathOf(uri: vscode.Uri): string {
  const whole = uri.query === '' ? uri : vscode.Uri.joinPath(uri.with({ query: '' }), uri.query)
  return vscode.workspace.asRelativePath(whole, false)
}
