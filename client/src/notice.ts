/**
 * What is shown at the edge of the window: notices in the status bar, and VS Code's notifications. VS Code makes links of
 * `[…](command:…)` in notifications, and a click on one runs that command. Their text quotes files, so all of them go through here.
 */
import * as vscode from 'vscode'
import { reasonOf } from '../../core/src/internal.ts'
import { withoutIcons, withoutLinks } from './text-without-links.ts'

const noticeMilliseconds = 3000 // long enough to read five words
let shown: vscode.Disposable | undefined

/** Shows `text` in the place of the last notice, and has it read out: VS Code's own messages in the status bar are silent. */
export function showNotice(text: string): void {
  shown?.dispose()
  const { Left } = vscode.StatusBarAlignment
  const item = vscode.window.createStatusBarItem('openchatml.notice', Left, Number.NEGATIVE_INFINITY)
  item.name = 'OpenChatML'
  item.text = withoutIcons(text)
  item.accessibilityInformation = { label: text, role: 'alert' }
  item.show()
  const timer = setTimeout(() => item.dispose(), noticeMilliseconds)
  shown = {
    dispose: () => {
      clearTimeout(timer)
      item.dispose()
    },
  }
}

/** `vscode.window.showInformationMessage`, with links in the message as text. */
export const showInformation = withTextOnly(vscode.window.showInformationMessage)

/** `vscode.window.showWarningMessage`, with links in the message as text. */
export const showWarning = withTextOnly(vscode.window.showWarningMessage)

/** `vscode.window.showErrorMessage`, with links in the message as text. */
export const showError = withTextOnly(vscode.window.showErrorMessage)

/** Says with `show`, such as {@link showInformation}, that a file was written, with a button that opens it. */
export async function offerToOpen(
  text: string,
  open: () => unknown,
  show: (text: string, button: string) => Thenable<string | undefined> = showInformation,
): Promise<void> {
  const button = vscode.l10n.t('Open')
  if ((await show(text, button)) === button) await open()
}

/** Does not wait for what shows a document as text, on behalf of a page: if it fails, as with a deleted file, that is shown. */
export function showsText(showing: Promise<unknown>): void {
  showing.catch((error) => {
    void showError(vscode.l10n.t('The file cannot be opened as text: {0}', reasonOf(error)))
  })
}

function withTextOnly<Show extends (message: string, ...rest: never[]) => unknown>(show: Show): Show {
  return ((message, ...rest) => show(withoutLinks(message), ...rest)) as Show
}

/** `vscode.window.withProgress` in a notification that can be canceled, with links in its title as text. */
export function withNotification<Result>(
  title: string,
  work: (
    progress: vscode.Progress<{ readonly increment: number }>,
    token: vscode.CancellationToken,
  ) => Thenable<Result>,
): Thenable<Result> {
  const location = vscode.ProgressLocation.Notification
  return vscode.window.withProgress({ location, title: withoutLinks(title), cancellable: true }, work)
}
