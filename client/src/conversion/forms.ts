/** The forms of a conversation, as users see them, and how VS Code shows each. */
import * as vscode from 'vscode'
import { formOf, localized, type TargetForm, targetForms } from '../../../core/src/internal.ts'

/** The form that a program names, or that the user picks from a list; `undefined` if the user thinks better of it. */
export async function chosenForm(title: string, asked: unknown): Promise<TargetForm | undefined> {
  const named = targetForms.find((it) => it === asked)
  if (named) return named
  const items = targetForms.map((form) => {
    const { title, summary } = formOf(form)
    return { label: title, detail: localized(summary), description: form, form }
  })
  const options = { title, matchOnDetail: true, matchOnDescription: true }
  return (await vscode.window.showQuickPick(items, options))?.form
}

/** The language that a document of this form has in VS Code. */
export function languageOf(form: TargetForm): string {
  return formOf(form).language
}
