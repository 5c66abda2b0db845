#!/usr/bin/env node
/** The program `ocm`, and what its threads run. */
import { isMainThread } from 'node:worker_threads'
import { runProgram } from './run-program.ts'
import { colourChoiceIn } from './terminal/colour.ts'
import { consoleOf } from './terminal/console.ts'

if (isMainThread) {
  const args = process.argv.slice(2)
  runProgram(args, consoleOf(process, colourChoiceIn(args))).then((status) => {
    process.exitCode = status // standard output may still be on its way, so no exit here
  })
} else void import('./parallel/worker.ts').then(({ work }) => work())
