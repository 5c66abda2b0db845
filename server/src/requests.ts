/** The handlers of all requests, and how they are called. */
import { type CancellationToken, type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver'
import { guardRequest } from './guard.ts'
import {
  incomingCallsHandler,
  outgoingCallsHandler,
  prepareCallHierarchyHandler,
} from './handlers/call-hierarchy-request.ts'
import { codeActionHandler, codeActionResolveHandler } from './handlers/code-action-request.ts'
import { codeLensHandler } from './handlers/code-lens-request.ts'
import { completionHandler } from './handlers/completion-request.ts'
import { countTextsHandler } from './handlers/count-texts-request.ts'
import { definitionHandler } from './handlers/definition-request.ts'
import { documentDiagnosticHandler } from './handlers/document-diagnostic-request.ts'
import { documentHighlightHandler } from './handlers/document-highlight-request.ts'
import { documentLinkHandler } from './handlers/document-link-request.ts'
import { documentSymbolHandler } from './handlers/document-symbol-request.ts'
import { fixPlanHandler } from './handlers/fix-plan-request.ts'
import { foldingRangeHandler } from './handlers/folding-range-request.ts'
import { formattingHandler, rangeFormattingHandler } from './handlers/formatting-request.ts'
import type { Handler, Services } from './handlers/handler.ts'
import { hoverHandler } from './handlers/hover-request.ts'
import { inlayHintHandler } from './handlers/inlay-hint-request.ts'
import { linkedEditingRangeHandler } from './handlers/linked-editing-range-request.ts'
import { onTypeFormattingHandler } from './handlers/on-type-formatting-request.ts'
import { referencesHandler } from './handlers/references-request.ts'
import { prepareRenameHandler, renameHandler } from './handlers/rename-request.ts'
import { renderTrainingHandler } from './handlers/render-training-request.ts'
import { selectionRangeHandler } from './handlers/selection-range-request.ts'
import {
  semanticTokensDeltaHandler,
  semanticTokensHandler,
  semanticTokensRangeHandler,
} from './handlers/semantic-tokens-request.ts'
import { workspaceSymbolHandler } from './handlers/workspace-symbol-request.ts'

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
  fixPlanHandler,
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
  renderTrainingHandler,
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
