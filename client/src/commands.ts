/** Commands about the language server. */
import * as vscode from 'vscode'
import type { BaseLanguageClient } from 'vscode-languageclient'

/** Registers `openchatml.restartServer` and `openchatml.showOutput`. */
export function registerCommands(context: vscode.ExtensionContext, client: BaseLanguageClient): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.restartServer', () => restart(client)),
    vscode.commands.registerCommand('openchatml.showOutput', () => client.outputChannel.show()),
  )
}

async function restart(client: BaseLanguageClient): Promise<void> {
  try {
    if (client.isRunning()) await client.stop()
    await client.start()
  } catch (error) {
    client.error('The language server does not start', error, 'force')
  }
}
