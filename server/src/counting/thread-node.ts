/** The thread that counts tokens, in Node: the only place of the server that loads vocabularies. */
import { parentPort } from 'node:worker_threads'
import { o200k } from '#tokenizer'
import type { ThreadRequest } from './count-protocol.ts'
import { ThreadAnswers } from './render-thread.ts'

const answers = new ThreadAnswers(o200k, () => import('#tokenizer-json'))

parentPort?.on('message', async (request: ThreadRequest) =>
  parentPort?.postMessage(await answers.answerTo(request)),
)
