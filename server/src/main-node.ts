/** The server as a process of its own: on standard input and output, or on the channel of the process that forked it. */
import { setFlagsFromString } from 'node:v8'
import { createConnection } from 'vscode-languageserver/node'
import { documentationFolder } from '../../client/disk/documentation-folder.ts'
import { startCounting } from './counting/start-node.ts'
import { findTranscripts } from './find-transcripts.ts'
import { describe } from './guard.ts'
import { WholeMessageWriter } from './message-writer.ts'
import { readFile } from './read-file.ts'
import { startServer } from './server.ts'
import type * as Services from './services.ts'

// A file of its own, which is read while the client takes in the answer to `initialize`.
declare const require: (path: './services.js') => typeof Services

// By default, V8 lets the heap grow to four times what is in use before it collects garbage, which is hundreds of megabytes of a
// long document. The rows "forged headers" and "call ID" of `npm run bench -- --only=limits` show what this saves.
setFlagsFromString('--heap-growing-percent=60')

const transports = ['--stdio', '--node-ipc', '--socket', '--pipe']
if (!process.argv.some((argument) => transports.some((it) => argument.startsWith(it))))
  process.argv.push('--stdio')

// The library takes a stream with a writer of messages, too, and ends with the stream; its types only know them in pairs.
const connection = process.argv.includes('--stdio')
  ? createConnection(
      process.stdin,
      new WholeMessageWriter(process.stdout) as unknown as NodeJS.WritableStream,
    )
  : createConnection()
const log = startServer(connection, {
  version: process.env.PACKAGE_VERSION,
  loadServices: () => require('./services.js'),
  documentationBase: documentationFolder(),
  readFile,
  findTranscripts,
  counting: () => startCounting,
  isParanoid: process.env.OCM_PARANOID === '1',
})

// A bug of ours in code that nothing waits for: said, and lived through.
process.on('uncaughtException', (error) => log(describe('The server', error)))
process.on('unhandledRejection', (reason) => log(describe('The server', reason)))
