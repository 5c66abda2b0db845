#!/usr/bin/env node
/** The program `ocm`, and what its threads run. */
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import { runProgram, statusOf } from './run-program.ts'
import { colourChoiceIn } from './terminal/colour.ts'
import { consoleOf } from './terminal/console.ts'

if (isMainThread) {
  // By default, V8 lets each heap grow to four times what is in use before it collects garbage. Threads start with it, too.
  setFlagsFromString('--heap-growing-percent=60')
  const args = process.argv.slice(2)
  const console = consoleOf(process, colourChoiceIn(args))
  // What nothing waits for: Node would quote the message, which may quote a document. The language server goes on, and logs it.
  if (args[0] !== 'lsp')
    process.on('uncaughtException', (error) => process.exit(statusOf(error, args[0], console)))
  runProgram(args, console).then((status) => {
    process.exitCode = status // standard output may still be on its way, so no exit here
  })
} else void import('./parallel/worker.ts').then(({ work }) => work())
