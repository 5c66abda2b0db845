/** The language server as it begins: it says what it can do, and lets its services start. The same in Node and in a Web Worker. */
import { type Connection, ErrorCodes, ResponseError } from 'vscode-languageserver'
import { capabilitiesFor } from './capabilities.ts'
import { abilitiesOf } from './client-abilities.ts'
import type { Log } from './guard.ts'
import type { ServerHost } from './server-context.ts'
import type { RunningServices, startServices } from './services.ts'

/** What the server says of itself, and what its environment provides. */
export interface ServerIdentity extends ServerHost {
  readonly version: string | undefined
  /** Loads what answers requests; called when the client knows what it may ask for. */
  readonly loadServices: () => { readonly startServices: typeof startServices }
}

/** Serves on `connection` until the client ends it. @returns how it writes to the log of the client */
export function startServer(connection: Connection, identity: ServerIdentity): Log {
  const { version, loadServices } = identity
  const log = logOf(connection)
  let isInitialized = false
  connection.onInitialize((params) => {
    if (isInitialized) {
      throw new ResponseError(ErrorCodes.InvalidRequest, 'The server is initialized already')
    }
    isInitialized = true
    let services: RunningServices | undefined
    const start = () => {
      services ??= loadServices().startServices(connection, { params, host: identity, log })
      return services
    }
    connection.onInitialized(() => start().initialized())
    setTimeout(start, 0) // while the client reads the answer
    return {
      capabilities: capabilitiesFor(abilitiesOf(params.capabilities)),
      serverInfo: { name: 'openchatml', ...(version !== undefined && { version }) },
    }
  })
  // What has no other handler comes here: before the services are there, that is everything.
  connection.onRequest((method) => {
    if (isInitialized) throw new ResponseError(ErrorCodes.MethodNotFound, `Unhandled method ${method}`)
    throw new ResponseError(ErrorCodes.ServerNotInitialized, `${method} came before initialize`)
  })
  connection.listen()
  return log
}

/** The log of the client. The library of the protocol writes there, too, and quotes messages and errors after a colon. */
function logOf({ console: logger }: Connection): Log {
  const log = logger.error.bind(logger)
  logger.error = (line) => log(line.split(':', 1).join(''))
  return log
}
