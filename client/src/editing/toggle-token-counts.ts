/** Shows and hides how many tokens messages have; the counting is the server's. */
import * as vscode from 'vscode'
import { toggleSetting } from './toggle-setting.ts'

/** Registers `openchatml.toggleTokenCounts`. */
export function registerTokenCounts(context: vscode.ExtensionContext): void {
  const toggle = () => toggleSetting('inlayHints.tokens')
  context.subscriptions.push(vscode.commands.registerCommand('openchatml.toggleTokenCounts', toggle))
}
