/** The server in a Web Worker. */
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser'
import { startCountingFrom } from './counting/start-browser.ts'
import { startServer } from './server.ts'
import { startServices } from './services.ts'

const scope = self as unknown as DedicatedWorkerGlobalScope
const connection = createConnection(new BrowserMessageReader(scope), new BrowserMessageWriter(scope))
startServer(connection, {
  version: process.env.PACKAGE_VERSION,
  loadServices: () => ({ startServices }),
  counting: (scripts) => scripts && startCountingFrom(scripts),
})
