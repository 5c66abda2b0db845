/** The handlers of all requests, and how they are called. */
import { type CancellationToken, type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver'
import { guardRequest } from './guard.ts'
import {
  incomingCallsHandler,
  outgoingCallsHandler,
  prepareCallHierarchyHandler,
} from './handlers/call-hierarchy.ts'
import { codeActionHandler, codeActionResolveHandler } from './handlers/code-action.ts'
import { codeLensHandler } from './handlers/code-lens.ts'
import { completionHandler } from './handlers/completion.ts'
import { countTextsHandler } from './handlers/count-texts.ts'
import { definitionHandler } from './handlers/definition.ts'
import { documentDiagnosticHandler } from './handlers/document-diagnostic.ts'
import { documentHighlightHandler } from './handlers/document-highlight.ts'
import { documentLinkHandler } from './handlers/document-link.ts'
import { documentSymbolHandler } from './handlers/document-symbol.ts'
import { foldingRangeHandler } from './handlers/folding-range.ts'
import { formattingHandler, rangeFormattingHandler } from './handlers/formatting.ts'
import type { Handler, Services } from './handlers/handler.ts'
import { hoverHandler } from './handlers/hover.ts'
import { inlayHintHandler } from './handlers/inlay-hint.ts'
import { linkedEditingRangeHandler } from './handlers/linked-editing-range.ts'
import { onTypeFormattingHandler } from './handlers/on-type-formatting.ts'
import { referencesHandler } from './handlers/references.ts'
import { prepareRenameHandler, renameHandler } from './handlers/rename.ts'
import { selectionRangeHandler } from './handlers/selection-range.ts'
import {
  semanticTokensDeltaHandler,
  semanticTokensHandler,
  semanticTokensRangeHandler,
} from './handlers/semantic-tokens.ts'
import { workspaceSymbolHandler } from './handlers/workspace-symbol.ts'

const handlers: readonly Handler[] = [
  prepareCallHierarchyHandler,
  incomingCallsHandler,
  outgoingCallsHandler,
  codeActionHandler,
  codeActionResolveHandler,
  codeLensHandler,
  completionHandler,
  countTextsHandler,
  definitionHandler,
  documentDiagnosticHandler,
  documentHighlightHandler,
  documentLinkHandler,
  documentSymbolHandler,
  foldingRangeHandler,
  formattingHandler,
  rangeFormattingHandler,
  hoverHandler,
  inlayHintHandler,
  linkedEditingRangeHandler,
  onTypeFormattingHandler,
  referencesHandler,
  prepareRenameHandler,
  renameHandler,
  selectionRangeHandler,
  semanticTokensRangeHandler,
  semanticTokensHandler,
  semanticTokensDeltaHandler,
  workspaceSymbolHandler,
]

/** Answers every request that has a handler, under the guard, until the server is shut down. */
export function answerRequests(connection: Connection, services: Services): void {
  let isShutDown = false
  connection.onShutdown(() => {
    isShutDown = true
  })
  for (const { method, answer } of handlers) {
    const guarded = guardRequest(
      method,
      services.context.log,
      (params: unknown, token: CancellationToken) => {
        if (isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, `${method} came after shutdown`)
        return answer({ ...services, params, token })
      },
    )
    connection.onRequest(method, guarded)
  }
}
