/** The thread that counts tokens, in a browser: a Web Worker beside that of the server. Its first message names the vocabulary. */
import type { TextEncoding } from '../../../core/src/internal.ts'
import { answerTo, type CountRequest } from './count-protocol.ts'

const scope = self as unknown as DedicatedWorkerGlobalScope
let encoding: TextEncoding | undefined

scope.onmessage = ({ data }: MessageEvent<CountRequest | { readonly vocabulary: string }>) => {
  if ('vocabulary' in data) encoding = encodingAt(data.vocabulary)
  else if (encoding) scope.postMessage(answerTo(data, encoding))
}

/** The vocabulary is a module of Node, so that there is one for all: what such a module fills is put in its place. */
function encodingAt(url: string): TextEncoding {
  const module: { readonly exports: { readonly o200k?: TextEncoding } } = { exports: {} }
  Object.assign(scope, { module, exports: module.exports })
  importScripts(url)
  const { o200k } = module.exports
  if (!o200k) throw new TypeError('The vocabulary is not what it should be')
  return o200k
}
