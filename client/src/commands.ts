/** Commands about the language server. */
import * as vscode from 'vscode'
import type { BaseLanguageClient, Location, Position } from 'vscode-languageclient'

/** The command behind the lenses of the server. It is for them alone, and so not in the palette. */
export const showReferencesCommand = 'openchatml.showReferences'
/** Shows a prompt filled with a case: takes a URI, the name of the case, and a target, and asks for what is not given. */
export const showFilledPromptCommand = 'openchatml.showFilledPrompt'

/** The command that shows the page of a rule, by its name. It is for the codes of problems alone, and so not in the palette. */
export const showRuleCommand = 'openchatml.showRule'

/** The command that shows a page of the specification. It is for hovers alone, and so not in the palette. */
export const showPageCommand = 'openchatml.showPage'

/** Registers `openchatml.restartServer`, `openchatml.showOutput` and the commands of lenses and codes. */
export function registerCommands(context: vscode.ExtensionContext, client: BaseLanguageClient): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.restartServer', () => restart(client)),
    vscode.commands.registerCommand('openchatml.showOutput', () => client.outputChannel.show()),
    vscode.commands.registerCommand(showRuleCommand, (rule: unknown) => showRule(context, rule)),
    vscode.commands.registerCommand(showPageCommand, (page: unknown) => showPage(context, page)),
    vscode.commands.registerCommand(
      showReferencesCommand,
      (uri: string, position: Position, locations: Location[]) =>
        showReferences(client, { uri, position, locations }),
    ),
  )
}

async function showRule({ extensionUri }: vscode.ExtensionContext, rule: unknown): Promise<void> {
  if (typeof rule !== 'string' || !/^[a-z0-9-]{1,100}$/.test(rule)) return
  const page = vscode.Uri.joinPath(extensionUri, 'docs', 'rules', `${rule}.md`)
  await vscode.commands.executeCommand('markdown.showPreview', page)
}

async function showPage({ extensionUri }: vscode.ExtensionContext, page: unknown): Promise<void> {
  const [, name, fragment = ''] =
    /^(spec\/[a-z0-9.-]{1,100}\.md)(?:#([a-z0-9-]{1,100}))?$/.exec(String(page)) ?? []
  if (name === undefined) return
  const uri = vscode.Uri.joinPath(extensionUri, 'docs', name).with({ fragment })
  await vscode.commands.executeCommand('markdown.showPreview', uri)
}

interface References {
  readonly uri: string
  readonly position: Position
  readonly locations: Location[]
}

/** The editor's own command takes its own types, and the server knows only those of the protocol. */
async function showReferences(
  { protocol2CodeConverter: converter }: BaseLanguageClient,
  { uri, position, locations }: References,
): Promise<void> {
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    converter.asUri(uri),
    converter.asPosition(position),
    locations.map((it) => converter.asLocation(it)),
  )
}

async function restart(client: BaseLanguageClient): Promise<void> {
  try {
    if (client.isRunning()) await client.stop()
    await client.start()
  } catch (error) {
    client.error(vscode.l10n.t('The language server does not start'), error, 'force')
  }
}
