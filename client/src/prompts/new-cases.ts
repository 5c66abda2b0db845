/** Commands that add cases to the file of cases of a prompt: empty ones, and those with the values of a sample. */

import * as vscode from 'vscode'
import {
  caseEdits,
  casesPath,
  firstValueRange,
  freeCaseName,
  type Input,
  inputsOf,
  isCaseName,
  type JsonObject,
  newCaseValues,
  valuesFromRow,
} from '../../../core/src/internal.ts'
import { rangeIn } from '../document-range.ts'
import { showInformation, showWarning } from '../notice.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { type OpenPrompt, openPrompt } from './prompt-files.ts'

/** What cases are made with. */
export interface CaseTools {
  readonly readFile: ReadWorkspaceFile
  /** The fields of a sample, by its number in the dataset; undefined if it does not exist or is not an object. */
  readonly fieldsOf: (dataset: vscode.Uri, number: number) => Promise<JsonObject | undefined>
}

/** Adds a case with the inputs that it has to give; `asked` is the name that a program gives it. */
export async function newCase(
  document: vscode.TextDocument,
  { readFile }: Pick<CaseTools, 'readFile'>,
  asked: unknown,
): Promise<vscode.Uri | undefined> {
  const prompt = await promptWithInputs(document, readFile)
  if (!prompt) return undefined
  const { t } = vscode.l10n
  const taken = namesOf(prompt)
  const validateInput = (name: string) => {
    if (!isCaseName(name)) return t('A name may contain only letters, digits, _, -, and spaces.')
    return taken.includes(name) ? t('There is already a case {0}.', name) : undefined
  }
  const name =
    typeof asked === 'string'
      ? asked
      : await vscode.window.showInputBox({ title: t('Name of the case'), validateInput })
  if (name === undefined || !isCaseName(name)) return undefined
  return addCase(document.uri, freeCaseName(name, taken), newCaseValues(prompt.inputs))
}

const extensions = ['jsonl', 'ndjson', 'json', 'parquet', 'gz', 'zst'] // of datasets

/** Adds a case with the values that a sample of a dataset has for the inputs. */
export async function caseFromSample(
  document: vscode.TextDocument,
  { readFile, fieldsOf }: CaseTools,
  asked: { readonly dataset: unknown; readonly number: unknown },
): Promise<vscode.Uri | undefined> {
  const prompt = await promptWithInputs(document, readFile)
  if (!prompt) return undefined
  const { t } = vscode.l10n
  const dataset =
    asked.dataset instanceof vscode.Uri
      ? asked.dataset
      : (
          await vscode.window.showOpenDialog({
            filters: { [t('Dataset')]: extensions },
            title: t('Dataset'),
          })
        )?.[0]
  if (!dataset) return undefined
  const validateInput = (text: string) =>
    /^\d{1,10}$/.test(text) ? undefined : t('The number of a sample, as its list shows it.')
  const written =
    asked.number ??
    (await vscode.window.showInputBox({ title: t('Number of the sample'), value: '1', validateInput }))
  const number = Number(written)
  if (written === undefined || !Number.isInteger(number)) return undefined
  const fields = await fieldsOf(dataset, number)
  const values = fields && valuesFromRow(prompt.inputs, fields)
  if (!values || Object.keys(values).length === 0) {
    void showInformation(
      fields
        ? t('Sample {0} has no values for the inputs of this prompt.', number)
        : t('There is no sample {0} that can be read.', number),
    )
    return undefined
  }
  return addCase(document.uri, freeCaseName(`sample ${number}`, namesOf(prompt)), values)
}

type PromptWithInputs = OpenPrompt & { readonly inputs: readonly Input[] }

/** The prompt in `document`; undefined, with a message to the user, if it is not saved or declares no inputs. */
async function promptWithInputs(
  document: vscode.TextDocument,
  readFile: ReadWorkspaceFile,
): Promise<PromptWithInputs | undefined> {
  const { t } = vscode.l10n
  if (document.isUntitled) {
    void showInformation(t('Save the prompt first: cases are in a file next to it.'))
    return undefined
  }
  const prompt = await openPrompt(document.uri, readFile)
  const inputs = inputsOf(prompt.analysis.header.filled) ?? []
  if (inputs.length > 0) return { ...prompt, inputs }
  void showInformation(t('This transcript declares no inputs.'))
  return undefined
}

function namesOf({ cases }: OpenPrompt): readonly string[] {
  return cases.map(({ name }) => name)
}

/** Adds a case to the file of cases of `prompt`, and shows it, with its first value selected. */
async function addCase(
  prompt: vscode.Uri,
  name: string,
  values: JsonObject,
): Promise<vscode.Uri | undefined> {
  const uri = prompt.with({ path: casesPath(prompt.path) })
  const creation = new vscode.WorkspaceEdit()
  creation.createFile(uri, { ignoreIfExists: true })
  if (!(await vscode.workspace.applyEdit(creation))) return refused(uri)
  const document = await vscode.workspace.openTextDocument(uri)
  const edits = caseEdits(document.getText(), name, values)
  if (!edits) return refused(uri)
  const edit = new vscode.WorkspaceEdit()
  for (const it of edits) edit.replace(uri, rangeIn(document, it), it.text)
  if (!(await vscode.workspace.applyEdit(edit))) return refused(uri)
  const editor = await vscode.window.showTextDocument(document)
  const range = rangeIn(document, firstValueRange(document.getText(), name) ?? { start: 0, end: 0 })
  editor.selection = new vscode.Selection(range.start, range.end)
  editor.revealRange(range)
  return uri
}

function refused(uri: vscode.Uri): undefined {
  const name = uri.path.split('/').at(-1) ?? ''
  void showWarning(vscode.l10n.t('The case could not be added to {0}.', name))
  return undefined
}
