/** Starts the thread that counts tokens, in Node. */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StartCounting } from './count-protocol.ts'

/** A worker thread, which does not keep the process alive. */
export const startCounting: StartCounting = ({ answered, failed }) => {
  const worker = new Worker(join(__dirname, 'count-node.js'))
  worker.on('message', answered)
  worker.on('error', failed)
  worker.unref()
  return { post: (request) => worker.postMessage(request), end: () => void worker.terminate() }
}
