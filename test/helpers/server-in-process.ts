/** A server and a client in one process, which speak over streams: for clients that answer what editors answer. */
import { PassThrough } from 'node:stream'
import type { TestContext } from 'node:test'
import { createConnection } from 'vscode-languageserver/node'
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { startServer } from '../../server/src/server.ts'
import { startServices } from '../../server/src/services.ts'

/** The parts of a server: these, or the same from another build. */
export interface ServerParts {
  readonly startServer: typeof startServer
  readonly startServices: typeof startServices
}

/** A connection to a server of its own, which ends with the test. It does not listen yet. */
export function connectInProcess(
  t: Pick<TestContext, 'after'>,
  parts: ServerParts = { startServer, startServices },
): MessageConnection {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient))
  parts.startServer(server, { version: undefined, loadServices: () => parts })
  const client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
  t.after(() => {
    client.dispose()
    server.dispose()
  })
  return client
}
