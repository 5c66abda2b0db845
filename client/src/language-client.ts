/** The client of the language server, as far as it is the same on a desktop and in a browser. */
import * as vscode from 'vscode'
import {
  type BaseLanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from 'vscode-languageclient'
import {
  showFilledPromptCommand,
  showPageCommand,
  showReferencesCommand,
  showRuleCommand,
} from './commands.ts'
import { TypingPause } from './typing-pause.ts'

/** Identifies the client; its settings begin with it. */
export const clientId = 'openchatml'

/** What users call it. */
export const clientName = 'OpenChatML'

/** How often the server is started again by itself. */
export const restartsAtMost = 3 // in three minutes; a server that crashes more often does so for a reason

/** Makes a client whose server has not been started yet. */
export type MakeClient = (
  context: vscode.ExtensionContext,
  options: LanguageClientOptions,
) => BaseLanguageClient

/** Options that both worlds share. Any document of the language is served, wherever it comes from. */
export function clientOptions(context: vscode.ExtensionContext): LanguageClientOptions {
  const typing = new TypingPause()
  context.subscriptions.push(typing)
  return {
    documentSelector: [{ language: 'openchatml' }],
    outputChannelName: clientName,
    // A question that closing or reverting a document overtakes is refused: that goes to the output, not onto the screen.
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    middleware: {
      provideDiagnostics: async (document, previousResultId, token, next) => {
        if (!(document instanceof vscode.Uri)) await typing.over(document, token)
        const report = await next(document, previousResultId, token)
        if (report && 'items' in report) for (const it of report.items) showPageOfRule(it)
        return report
      },
      provideHover: async (document, position, token, next) => {
        const hover = await next(document, position, token)
        for (const it of hover?.contents ?? [])
          if (it instanceof vscode.MarkdownString) showPagesOf(context, it)
        return hover
      },
    },
    initializationOptions: {
      documentationBase: vscode.Uri.joinPath(context.extensionUri, 'docs', 'rules').toString(),
      suggestCommand: 'editor.action.triggerSuggest',
      referencesCommand: showReferencesCommand,
      filledPromptCommand: showFilledPromptCommand,
      status: true,
      readsFiles: true,
      readsSamples: true,
      findsTranscripts: true,
      l10n: vscode.l10n.bundle,
      countScripts: {
        thread: script(context, 'server', 'count-browser.js'),
        vocabulary: script(context, 'tokenizer', 'o200k.js'),
        tokenizers: script(context, 'tokenizer', 'tokenizer-json.js'),
      },
    },
  }
}

/** The code of a problem leads to the page of its rule as it reads, and not to the page's source. */
function showPageOfRule(diagnostic: vscode.Diagnostic): void {
  const { code } = diagnostic
  if (typeof code !== 'object') return
  const page = code.target.path.split('/').at(-1) ?? ''
  if (!page.endsWith('.md')) return
  const query = encodeURIComponent(JSON.stringify([page.slice(0, -'.md'.length)]))
  const target = vscode.Uri.parse(`command:${showRuleCommand}?${query}`)
  diagnostic.code = { value: code.value, target }
}

/** What a hover cites leads to the page as it reads, too. */
function showPagesOf({ extensionUri }: vscode.ExtensionContext, text: vscode.MarkdownString): void {
  const base = `](${vscode.Uri.joinPath(extensionUri, 'docs').toString()}/`
  const pieces = text.value.split(base)
  if (pieces.length === 1) return
  text.value = pieces
    .map((piece, nth) => {
      const end = nth === 0 ? -1 : piece.indexOf(')')
      if (end === -1) return piece
      const query = encodeURIComponent(JSON.stringify([piece.slice(0, end)]))
      return `](command:${showPageCommand}?${query}${piece.slice(end)}`
    })
    .join('')
  text.isTrusted = { enabledCommands: [showPageCommand] }
}

/** Where a script of the extension is: a server in a browser cannot find it itself. */
function script({ extensionUri }: vscode.ExtensionContext, ...path: string[]): string {
  return vscode.Uri.joinPath(extensionUri, 'dist', ...path).toString(true)
}
