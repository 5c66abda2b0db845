/** The shape of all handlers: the type of the request, how it is answered, and what it needs for that. */
import {
  type CancellationToken,
  ErrorCodes,
  LSPErrorCodes,
  type RequestType,
  ResponseError,
  type TextDocumentIdentifier,
} from 'vscode-languageserver'
import type { OpenDocument } from '../open-document.ts'
import type { PromptFiller } from '../prompt-filler.ts'
import type { ServerContext } from '../server-context.ts'
import type { SettingsInForce } from '../settings-in-force.ts'
import type { TranscriptIndex } from '../transcript-index.ts'

/** What requests are answered from. */
export interface Services {
  readonly context: ServerContext
  readonly settings: SettingsInForce
  readonly prompts: PromptFiller
  /** Files that are not open; undefined where they cannot be read. */
  readonly index: TranscriptIndex | undefined
}

/** A request. */
export interface Request<Params> extends Services {
  readonly params: Params
  readonly token: CancellationToken
}

/** A request about an open document: a job of the scheduler. */
export interface DocumentRequest<Params> extends Request<Params> {
  readonly document: OpenDocument
}

/** Answers the requests of one method. */
export interface Handler {
  readonly method: string
  /** @throws ResponseError for the client; anything else is a bug */
  answer(request: Request<unknown>): unknown
}

/** Answers requests of `type`, whose parameters must have what is `needed`. */
export function handler<Params, Result>(
  { method }: RequestType<Params, Result, unknown>,
  answer: (request: Request<Params>) => Result | Promise<Result>,
  ...needed: readonly (keyof Params & string)[]
): Handler {
  return {
    method,
    answer(request: Request<Params>) {
      const missing = needed.find((it) => (request.params[it] ?? undefined) === undefined)
      if (missing) throw new ResponseError(ErrorCodes.InvalidParams, `${method} needs \`${missing}\``)
      return answer(request)
    },
  }
}

/** As {@link handler}, for requests about an open document. @throws ResponseError InvalidParams if it is not open */
export function documentHandler<Params extends { readonly textDocument: TextDocumentIdentifier }, Result>(
  type: RequestType<Params, Result, unknown>,
  answer: (request: DocumentRequest<Params>) => Result | Promise<Result>,
  ...needed: readonly (keyof Params & string)[]
): Handler {
  const ofDocument = (request: Request<Params>) =>
    answer({ ...request, document: request.context.document(request.params.textDocument) })
  return handler(type, ofDocument, ...needed)
}

/** An answer that depends on settings: `answer`, once those of the document are known. @throws ResponseError ContentModified */
export function onceSettled<Params, Result>(
  answer: (request: DocumentRequest<Params>) => Result | Promise<Result>,
): (request: DocumentRequest<Params>) => Promise<Result> {
  return async (request) => {
    const { version } = request.document
    await request.settings.settled(request.document)
    if (request.document.version !== version)
      throw new ResponseError(LSPErrorCodes.ContentModified, 'The document changed')
    return answer(request)
  }
}
