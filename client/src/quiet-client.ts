/** A client of the language server whose log holds no text of documents and files, whatever fails. */
import type { BaseLanguageClient, ErrorHandler } from 'vscode-languageclient'
import { failureText } from '../../core/src/internal.ts'
import type { MakeClient } from './language-client.ts'

const levels = ['debug', 'info', 'warn', 'error'] as const

/** As `makeClient`, but errors are logged by their name and their places in the program: engines put values into messages. */
export function quietly(makeClient: MakeClient, restartsAtMost: number): MakeClient {
  return (context, options) => {
    let standard: ErrorHandler // set before anything can fail
    const errorHandler: ErrorHandler = {
      async error(error, message, count) {
        // Without a message, the library logs that of the error, which quotes what could not be read.
        const words = `The connection to the language server failed with ${failureText(error)}`
        return { ...(await standard.error(error, message, count)), message: words }
      },
      closed: () => standard.closed(),
    }
    const client = makeClient(context, { ...options, errorHandler })
    standard = client.createDefaultErrorHandler(restartsAtMost)
    for (const level of levels) keepValuesOut(client, level)
    return client
  }
}

function keepValuesOut(client: BaseLanguageClient, level: (typeof levels)[number]): void {
  const log = client[level].bind(client)
  client[level] = (message: string, data?: unknown, isShown?: boolean | 'force') =>
    log(message, wordsFor(data), isShown as boolean)
}

/** What is logged of the `data` of a message. Answers of the server are errors as well, and hold no values already. */
function wordsFor(data: unknown): unknown {
  if (data === undefined || data === null) return data
  const isAnswer = data instanceof Error && 'toJson' in data
  return isAnswer ? data : failureText(data)
}
