/** The layer between the protocol and our code: a failure is logged and answered, and the server goes on. */
import { type CancellationToken, ErrorCodes, ResponseError } from 'vscode-languageserver'
import { failureText } from '../../core/src/internal.ts'
import { throwIfCanceled } from './scheduler.ts'

/** Writes a line that users may send to us: it never holds text of a document. */
export type Log = (line: string) => void

/** Answers a request. */
export type RequestHandler<Params, Result> = (
  params: Params,
  token: CancellationToken,
) => Result | Promise<Result>

/** `handler`, with failures logged under `method` and answered as errors. */
export function guardRequest<Params, Result>(
  method: string,
  log: Log,
  handler: RequestHandler<Params, Result>,
): (params: Params, token: CancellationToken) => Promise<Result> {
  return async (params, token) => {
    try {
      // Of parameters in a list, each would be an argument, as the token is.
      if (typeof params !== 'object' || params === null || token === undefined) {
        throw new ResponseError(ErrorCodes.InvalidParams, `${method} needs parameters`)
      }
      throwIfCanceled(token)
      return await handler(params, token)
    } catch (error) {
      // Errors of the protocol are answers; everything else is a bug of ours.
      if (error instanceof ResponseError) throw error
      log(describe(method, error))
      throw new ResponseError(ErrorCodes.InternalError, `${method} failed; the log of the server tells where`)
    }
  }
}

/** `handler`, with failures logged under `method`. */
export function guardNotification<Params>(
  method: string,
  log: Log,
  handler: (params: Params) => void | Promise<void>,
): (params: Params) => Promise<void> {
  return async (params) => {
    try {
      await handler(params)
    } catch (error) {
      log(describe(method, error))
    }
  }
}

/** Where `error` happened, without what a document says. */
export function describe(where: string, error: unknown): string {
  return `${where} failed with ${failureText(error)}`
}
