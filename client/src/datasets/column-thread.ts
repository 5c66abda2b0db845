/** A thread that reads columns. */
import { parentPort } from 'node:worker_threads'
import { failureText } from '../../../core/src/internal.ts'
import type { ThreadAnswer } from './column-threads.ts'
import { type ColumnOrder, columnsOf } from './column-work.ts'

parentPort?.on('message', (order: ColumnOrder) => parentPort?.postMessage(answerTo(order)))

function answerTo(order: ColumnOrder): ThreadAnswer {
  try {
    return { answer: columnsOf(order) }
  } catch (error) {
    return { failure: failureText(error) }
  }
}
