/** The thread that counts tokens, in Node: the only place of the server that loads the vocabulary. */
import { parentPort } from 'node:worker_threads'
import { o200k } from '#tokenizer'
import { answerTo, type CountRequest } from './count-protocol.ts'

parentPort?.on('message', (request: CountRequest) => parentPort?.postMessage(answerTo(request, o200k)))
