/**
 * What the server can do, as the client learns it. Only constants are imported here: the answer to `initialize` does not
 * wait for the modules that use them.
 */
import {
  CodeActionKind,
  PositionEncodingKind,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver'
import type { ClientAbilities } from './client-abilities.ts'
import { diagnosticSource, fixAllKind, semanticTokensLegend } from './to-lsp.ts'

/** Characters after which something can be proposed. */
export const completionTriggers = ['<', '|', '>', '=', ' ', '.', ':', '"']

/** The character that ends a control token. */
export const onTypeTrigger = '>'

/** The kind of the actions that convert the whole transcript; a dot and the name of the conversion follow. */
export const conversionKind = 'source.convert.openchatml'

/** What is offered to a client with such abilities. */
export function capabilitiesFor(client: ClientAbilities): ServerCapabilities {
  return {
    positionEncoding: PositionEncodingKind.UTF16,
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    diagnosticProvider: {
      identifier: diagnosticSource,
      interFileDependencies: false,
      workspaceDiagnostics: false,
    },
    hoverProvider: true,
    completionProvider: { triggerCharacters: completionTriggers },
    foldingRangeProvider: true,
    documentSymbolProvider: true,
    selectionRangeProvider: true,
    documentHighlightProvider: true,
    definitionProvider: true,
    documentLinkProvider: { resolveProvider: false },
    referencesProvider: true,
    renameProvider: { prepareProvider: true },
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: onTypeTrigger },
    linkedEditingRangeProvider: true,
    workspaceSymbolProvider: true,
    codeActionProvider: {
      codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, fixAllKind, conversionKind],
      resolveProvider: client.resolvesEdits,
    },
    codeLensProvider: { resolveProvider: false },
    inlayHintProvider: true,
    callHierarchyProvider: true,
    ...(client.tellsFolders && {
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    }),
    // By range, a keystroke costs what is on the screen; the whole document is only for clients that know nothing else.
    semanticTokensProvider: {
      legend: semanticTokensLegend,
      range: client.hasTokenRanges,
      full: client.hasTokenRanges ? false : { delta: true },
    },
  }
}
