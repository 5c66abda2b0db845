/** The forms of a conversation, as users are told of them, and how VS Code shows each. */
import * as vscode from 'vscode'
import {
  detectForm,
  type SourceForm,
  type TargetForm,
  Transcript,
  targetForms,
} from '../../../core/src/index.ts'

/** What a form is called, and what it is. */
export function describedForm(form: TargetForm): { readonly label: string; readonly detail: string } {
  const { t } = vscode.l10n
  switch (form) {
    case 'ocm':
      return { label: 'OpenChatML', detail: t('A transcript of version 2.2, in its canonical form') }
    case 'json':
      return { label: 'OpenChatML JSON', detail: t('One object for each message') }
    case 'harmony':
      return { label: 'Harmony', detail: t('The raw text of gpt-oss models') }
    case 'harmony-json':
      return { label: 'Harmony JSON', detail: t('What the openai-harmony library reads and writes') }
    case 'messages':
      return { label: 'Chat Completions', detail: t('A request with messages, tools and calls') }
    case 'responses':
      return { label: 'Responses', detail: t('A request of the Responses API with its items') }
    case 'markdown':
      return { label: 'Markdown', detail: t('Only what an end user sees') }
    default:
      return form satisfies never
  }
}

/** The form that a program names, or that the user picks from a list; `undefined` if the user thinks better of it. */
export async function chosenForm(title: string, asked: unknown): Promise<TargetForm | undefined> {
  const named = targetForms.find((it) => it === asked)
  if (named) return named
  const items = targetForms.map((form) => ({ ...describedForm(form), description: form, form }))
  const options = { title, matchOnDetail: true, matchOnDescription: true }
  return (await vscode.window.showQuickPick(items, options))?.form
}

/** The language that a document of this form has in VS Code. */
export function languageOf(form: TargetForm): string {
  switch (form) {
    case 'ocm':
    case 'harmony':
      return 'openchatml'
    case 'markdown':
      return 'markdown'
    default:
      return 'json'
  }
}

/** The form of `text` if it holds a conversation at all: text without any message is none. */
export function conversationForm(text: string): SourceForm | undefined {
  const form = detectForm(text)
  if (form !== 'ocm') return form
  for (const { segment } of Transcript.parse(text).segments()) if (segment.kind === 'message') return form
  return undefined
}
