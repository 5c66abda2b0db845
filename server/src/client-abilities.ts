/** What the client can do, read once from what it says of itself. */
import type { ClientCapabilities } from 'vscode-languageserver'

/** What the client can do, as far as an answer depends on it. */
export interface ClientAbilities {
  readonly pullsDiagnostics: boolean
  readonly refreshesDiagnostics: boolean
  readonly refreshesInlayHints: boolean
  readonly refreshesCodeLenses: boolean
  readonly answersConfiguration: boolean
  readonly registersConfiguration: boolean
  readonly registersWatchers: boolean
  /** True if folders may come and go, and the client reports it. */
  readonly tellsFolders: boolean
  readonly hasSnippets: boolean
  readonly hasLinks: boolean
  readonly hasSymbolTrees: boolean
  readonly hasVersionedEdits: boolean
  readonly hasTokenRanges: boolean
  /** True if the client asks for the edit of an action when a user has chosen it. */
  readonly resolvesEdits: boolean
  /** True if the client shows actions that cannot be chosen, with the reason. */
  readonly hasDisabledActions: boolean
  /** The greatest number of folds that the client takes. */
  readonly foldLimit: number
}

const defaultFoldLimit = 5000 // what VS Code takes

/** The abilities in `capabilities`. Some clients write null for what they lack. */
export function abilitiesOf({ textDocument, workspace }: ClientCapabilities): ClientAbilities {
  const { completion, codeAction, documentSymbol, foldingRange, semanticTokens } = textDocument ?? {}
  return {
    pullsDiagnostics: Boolean(textDocument?.diagnostic),
    refreshesDiagnostics: workspace?.diagnostics?.refreshSupport === true,
    refreshesInlayHints: workspace?.inlayHint?.refreshSupport === true,
    refreshesCodeLenses: workspace?.codeLens?.refreshSupport === true,
    answersConfiguration: workspace?.configuration === true,
    registersWatchers: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    tellsFolders: workspace?.workspaceFolders === true,
    registersConfiguration: workspace?.didChangeConfiguration?.dynamicRegistration === true,
    hasSnippets: completion?.completionItem?.snippetSupport === true,
    hasLinks: textDocument?.definition?.linkSupport === true,
    hasSymbolTrees: documentSymbol?.hierarchicalDocumentSymbolSupport === true,
    hasVersionedEdits: workspace?.workspaceEdit?.documentChanges === true && Boolean(codeAction),
    hasTokenRanges: Boolean(semanticTokens?.requests?.range),
    resolvesEdits:
      codeAction?.dataSupport === true && codeAction.resolveSupport?.properties.includes('edit') === true,
    hasDisabledActions: codeAction?.disabledSupport === true,
    foldLimit: foldingRange?.rangeLimit ?? defaultFoldLimit,
  }
}
