/** Switches a setting of the extension where the user has set it, else for all of VS Code. */
import * as vscode from 'vscode'

/** Turns the flag `openchatml.NAME` over. */
export async function toggleSetting(name: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('openchatml')
  const { workspaceValue } = configuration.inspect(name) ?? {}
  const target =
    workspaceValue === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace
  await configuration.update(name, !configuration.get(name, false), target)
}
