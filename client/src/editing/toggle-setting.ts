/** Switches a setting of the extension where the user has set it, else for all of VS Code. */
import * as vscode from 'vscode'

const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget

/** The first that is set is the one that counts: what is said of the language goes before what is said of all. */
const layers = [
  ['workspaceFolderLanguageValue', WorkspaceFolder, true],
  ['workspaceLanguageValue', Workspace, true],
  ['globalLanguageValue', Global, true],
  ['workspaceFolderValue', WorkspaceFolder, false],
  ['workspaceValue', Workspace, false],
] as const

/** Turns the flag `openchatml.NAME` over, as it is for the active transcript. */
export async function toggleSetting(name: string): Promise<void> {
  const document = vscode.window.activeTextEditor?.document
  const configuration = vscode.workspace.getConfiguration('openchatml', document ?? null)
  const set = configuration.inspect(name)
  const [, target, isOfLanguage] = layers.find(([layer]) => set?.[layer] !== undefined) ?? [
    name,
    Global,
    false,
  ]
  await configuration.update(name, !configuration.get(name, false), target, isOfLanguage)
}
