/** What answers: which handler a request goes to, and who is told of changes. The same in Node and in a Web Worker. */
import {
  CallHierarchyIncomingCallsRequest,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  type CancellationToken,
  CodeActionRequest,
  CodeActionResolveRequest,
  CodeLensRequest,
  CompletionRequest,
  type Connection,
  DefinitionRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DocumentDiagnosticRequest,
  DocumentFormattingRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  DocumentSymbolRequest,
  ErrorCodes,
  FoldingRangeRequest,
  HoverRequest,
  type InitializeParams,
  InlayHintRequest,
  LinkedEditingRangeRequest,
  LSPErrorCodes,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  ResponseError,
  SelectionRangeRequest,
  SemanticTokensDeltaRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  type TextDocumentIdentifier,
  type WorkspaceSymbolParams,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver'
import { configurationFileNames } from '../../core/src/internal.ts'
import { describe, guardNotification, guardRequest, type Log } from './guard.ts'
import {
  handleIncomingCalls,
  handleOutgoingCalls,
  handlePrepareCallHierarchy,
} from './handlers/call-hierarchy.ts'
import { handleCodeAction, handleCodeActionResolve } from './handlers/code-action.ts'
import { handleCodeLens } from './handlers/code-lens.ts'
import { handleCompletion } from './handlers/completion.ts'
import { countTextsRequest, handleCountTexts } from './handlers/count-texts.ts'
import { handleDefinition } from './handlers/definition.ts'
import { handleDocumentDiagnostic } from './handlers/document-diagnostic.ts'
import { handleDocumentHighlight } from './handlers/document-highlight.ts'
import { handleDocumentLink } from './handlers/document-link.ts'
import { handleDocumentSymbol } from './handlers/document-symbol.ts'
import { handleFoldingRange } from './handlers/folding-range.ts'
import { handleFormatting, handleRangeFormatting } from './handlers/formatting.ts'
import { handleHover } from './handlers/hover.ts'
import { handleInlayHint } from './handlers/inlay-hint.ts'
import { handleLinkedEditingRange } from './handlers/linked-editing-range.ts'
import { handleOnTypeFormatting } from './handlers/on-type-formatting.ts'
import { handleReferences } from './handlers/references.ts'
import { handlePrepareRename, handleRename } from './handlers/rename.ts'
import { handleSelectionRange } from './handlers/selection-range.ts'
import {
  handleSemanticTokens,
  handleSemanticTokensDelta,
  handleSemanticTokensRange,
} from './handlers/semantic-tokens.ts'
import { handleWorkspaceSymbol } from './handlers/workspace-symbol.ts'
import { ServerContext, type ServerHost } from './server-context.ts'
import { settingsSection } from './settings.ts'
import { TranscriptIndex } from './transcript-index.ts'
import { transcriptFiles } from './unopened-transcripts.ts'
import { warmUp } from './warm-up.ts'
import { Workspace } from './workspace.ts'

/** What the services are started with. */
export interface ServiceOptions {
  readonly params: InitializeParams
  readonly host: ServerHost
  readonly log: Log
}

/** Services that answer. */
export interface RunningServices {
  /** Asks the client to tell of what changes; from `initialized` on it may be asked. */
  initialized(): void
}

/** Answers what comes on `connection` from now on. */
export function startServices(
  connection: Connection,
  { params, host, log }: ServiceOptions,
): RunningServices {
  const context = new ServerContext(params, log, host)
  const workspace = new Workspace(connection, context)
  const files = transcriptFiles(connection, context)
  const index =
    files &&
    new TranscriptIndex({
      files,
      isTold: context.client.registersWatchers,
      largestFile: async () => (await workspace.settings()).largestIndexedFile,
      log,
    })
  listen(connection, { context, workspace, index }, log)
  answer(connection, { context, workspace, index })
  warmUp(() => context.documents.size === 0).catch((error) => log(describe('Warming up', error)))
  return {
    initialized() {
      watchFiles(connection, { context, index }, log)
      if (!context.client.registersConfiguration) return
      const registration = { section: settingsSection }
      connection.client
        .register(DidChangeConfigurationNotification.type, registration)
        .catch(() => log('The client does not tell of changed settings'))
    },
  }
}

function watchFiles(
  connection: Connection,
  { context, index }: { readonly context: ServerContext; readonly index: TranscriptIndex | undefined },
  log: Log,
): void {
  if (!context.client.registersWatchers) return
  const canRead = context.readFile !== undefined || context.options.readsFiles
  const names = [...(canRead ? configurationFileNames : []), ...(index ? ['*.ocm'] : [])]
  if (names.length === 0) return
  const watchers = names.map((name) => ({ globPattern: `**/${name}` }))
  connection.client
    .register(DidChangeWatchedFilesNotification.type, { watchers })
    .catch(() => log('The client does not tell of changed files'))
}

interface Listeners {
  readonly context: ServerContext
  readonly workspace: Workspace
  readonly index: TranscriptIndex | undefined
}

function listen(connection: Connection, { context, workspace, index }: Listeners, log: Log): void {
  connection.onDidOpenTextDocument(guardNotification('textDocument/didOpen', log, (it) => workspace.open(it)))
  connection.onDidChangeTextDocument(
    guardNotification('textDocument/didChange', log, (it) => workspace.change(it)),
  )
  connection.onDidCloseTextDocument(
    guardNotification('textDocument/didClose', log, (it) => workspace.close(it)),
  )
  connection.onDidChangeConfiguration(
    guardNotification('workspace/didChangeConfiguration', log, async (it) => {
      index?.invalidate()
      await workspace.configure(it)
    }),
  )
  connection.onDidChangeWatchedFiles(
    guardNotification('workspace/didChangeWatchedFiles', log, async ({ changes }) => {
      index?.invalidate()
      if (changes.some(({ uri }) => !uri.endsWith('.ocm'))) await workspace.refetch()
    }),
  )
  connection.onNotification(
    DidChangeWorkspaceFoldersNotification.type,
    guardNotification('workspace/didChangeWorkspaceFolders', log, async ({ event }) => {
      context.changeFolders(event)
      index?.invalidate()
      await workspace.refetch() // settings may be those of a folder
    }),
  )
}

function answer(connection: Connection, { context, workspace, index }: Listeners): void {
  let isShutDown = false
  connection.onShutdown(() => {
    isShutDown = true
  })
  /** Answers requests of `type`, which have what is `needed`, with `handler`, under the guard. */
  const on = <Params, Result>(
    { method }: { readonly method: string },
    handler: (context: ServerContext, params: Params, token: CancellationToken) => Result | Promise<Result>,
    ...needed: readonly (keyof Params & string)[]
  ) => {
    const guarded = guardRequest<Params, Result>(method, context.log, (params, token) => {
      if (isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, `${method} came after shutdown`)
      const missing = needed.find((it) => (params[it] ?? undefined) === undefined)
      if (missing) throw new ResponseError(ErrorCodes.InvalidParams, `${method} needs \`${missing}\``)
      return handler(context, params, token)
    })
    connection.onRequest<unknown, unknown>(method, guarded)
  }
  /** For answers that depend on settings: as `handler`, once those are known. */
  const settled =
    <Params extends { readonly textDocument: TextDocumentIdentifier }, Result>(
      handler: (context: ServerContext, params: Params, token: CancellationToken) => Result | Promise<Result>,
    ) =>
    async (_: ServerContext, params: Params, token: CancellationToken): Promise<Result> => {
      const document = context.document(params.textDocument)
      const { version } = document
      await workspace.settled(document)
      if (document.version !== version)
        throw new ResponseError(LSPErrorCodes.ContentModified, 'The document changed')
      return handler(context, params, token)
    }
  on(HoverRequest.type, handleHover)
  on(CompletionRequest.type, handleCompletion)
  on(FoldingRangeRequest.type, handleFoldingRange)
  on(DocumentSymbolRequest.type, handleDocumentSymbol)
  on(SelectionRangeRequest.type, handleSelectionRange, 'positions')
  on(DocumentHighlightRequest.type, handleDocumentHighlight)
  on(DefinitionRequest.type, handleDefinition)
  on(DocumentLinkRequest.type, handleDocumentLink)
  on(ReferencesRequest.type, handleReferences, 'context')
  on(PrepareRenameRequest.type, handlePrepareRename)
  on(RenameRequest.type, handleRename, 'newName')
  on(CodeActionRequest.type, handleCodeAction, 'context')
  on(CodeActionResolveRequest.type, handleCodeActionResolve, 'title')
  on(DocumentFormattingRequest.type, settled(handleFormatting))
  on(DocumentRangeFormattingRequest.type, settled(handleRangeFormatting))
  on(DocumentOnTypeFormattingRequest.type, handleOnTypeFormatting)
  on(LinkedEditingRangeRequest.type, handleLinkedEditingRange)
  on(
    WorkspaceSymbolRequest.type,
    (_, params: WorkspaceSymbolParams, token) => handleWorkspaceSymbol({ context, index }, params, token),
    'query',
  )
  on(CodeLensRequest.type, settled(handleCodeLens))
  on(InlayHintRequest.type, settled(handleInlayHint))
  on(CallHierarchyPrepareRequest.type, handlePrepareCallHierarchy)
  on(CallHierarchyIncomingCallsRequest.type, handleIncomingCalls)
  on(CallHierarchyOutgoingCallsRequest.type, handleOutgoingCalls)
  on(SemanticTokensRangeRequest.type, handleSemanticTokensRange)
  on(SemanticTokensRequest.type, handleSemanticTokens)
  on(SemanticTokensDeltaRequest.type, handleSemanticTokensDelta, 'previousResultId')
  on(countTextsRequest, handleCountTexts, 'texts')
  on(DocumentDiagnosticRequest.type, (_, params: Parameters<typeof handleDocumentDiagnostic>[2], token) =>
    handleDocumentDiagnostic(context, workspace, params, token),
  )
}
