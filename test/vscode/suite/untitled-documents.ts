/** Documents that are never saved, and commands that open some: what tests of conversions share. */
import * as vscode from 'vscode'
import { untitledDocument } from '../../../client/src/untitled-document.ts'
import { eventually } from './harness.ts'

/** Runs a command of the extension. */
export function run<Result>(command: string, ...args: unknown[]): Thenable<Result | undefined> {
  return vscode.commands.executeCommand<Result | undefined>(`openchatml.${command}`, ...args)
}

/** Opens a new document with this text, and shows it. */
export async function shown(content: string, language = 'openchatml'): Promise<vscode.TextDocument> {
  const document = await untitledDocument(content, language)
  await vscode.window.showTextDocument(document)
  return document
}

/** The document that becomes active in place of `former`. */
export function opened(former: vscode.TextDocument): Promise<vscode.TextDocument> {
  return eventually('another document', () => {
    const active = vscode.window.activeTextEditor?.document
    return active !== former && active
  })
}

/** Closes every editor, and drops what was typed into it. */
export async function closed(): Promise<void> {
  const hasTabs = () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0)
  await eventually('closed editors', async () => {
    if (hasTabs()) await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor')
    return !hasTabs()
  })
}
