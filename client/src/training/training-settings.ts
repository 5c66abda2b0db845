/** The settings of the training view: what transcripts and samples are rendered by unless its reader chooses something else. */
import * as vscode from 'vscode'
import { harmonyTemplateName, type MaskMode, maskModes } from '../../../core/src/internal.ts'

const section = 'openchatml.training'

/** What is set; what is absent is found. */
export interface TrainingSettings {
  /** `harmony`, or a file or a folder. */
  readonly template: typeof harmonyTemplateName | vscode.Uri | undefined
  /** A name of {@link tokenizerNames}, or a file or a folder. */
  readonly tokenizer: TokenizerName | vscode.Uri | undefined
  readonly mask: MaskMode | undefined
  readonly maxLength: number | undefined
}

/** The tokenizer that is built in, and what counts without one. */
const tokenizerNames = ['o200k_harmony', 'characters'] as const

/** One of {@link tokenizerNames}. */
export type TokenizerName = (typeof tokenizerNames)[number]

/** The names of the settings, which are those of what they set. */
const trainingSettingNames = ['template', 'tokenizer', 'mask', 'maxLength'] as const

/** One of {@link trainingSettingNames}. */
export type TrainingSettingName = (typeof trainingSettingNames)[number]

/** What is set in the workspace. Values of other types count as absent. */
export function trainingSettings(): TrainingSettings {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  const settings = vscode.workspace.getConfiguration(section, folder)
  const text = (name: TrainingSettingName) => {
    const value = settings.get<unknown>(name)
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
  const template = text('template')
  const tokenizer = text('tokenizer')
  const mask = text('mask')
  const length = settings.get<unknown>('maxLength')
  return {
    template: template === harmonyTemplateName ? template : placeOf(template, folder),
    tokenizer: tokenizerNames.find((it) => it === tokenizer) ?? placeOf(tokenizer, folder),
    mask: maskModes.find((it) => it === mask),
    maxLength: Number.isSafeInteger(length) && Number(length) > 0 ? Number(length) : undefined,
  }
}

/** The names of the settings that the event is about. */
export function changedTrainingSettings(
  event: vscode.ConfigurationChangeEvent,
): readonly TrainingSettingName[] {
  return trainingSettingNames.filter((it) => event.affectsConfiguration(`${section}.${it}`))
}

/** A path from the folder of the workspace, an absolute one, or an address; `#NAME` names one of several templates. */
function placeOf(text: string | undefined, folder: vscode.Uri | undefined): vscode.Uri | undefined {
  if (text === undefined) return undefined
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return vscode.Uri.parse(text)
  const [path = '', fragment = ''] = text.split('#', 2)
  const isAbsolute = /^(?:[a-z]:)?[\\/]/i.test(path)
  const file = isAbsolute ? vscode.Uri.file(path) : folder && vscode.Uri.joinPath(folder, path)
  return file?.with({ fragment })
}
