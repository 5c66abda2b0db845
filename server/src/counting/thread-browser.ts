/** The thread that counts tokens, in a browser: a Web Worker next to that of the server. Its first message names the vocabularies. */

import type { ThreadRequest } from './count-protocol.ts'
import { ThreadAnswers } from './render-thread.ts'
import type { CountScripts } from './start-browser.ts'

const scope = self as unknown as DedicatedWorkerGlobalScope
let answers: ThreadAnswers | undefined

scope.onmessage = async ({ data }: MessageEvent<ThreadRequest | Omit<CountScripts, 'thread'>>) => {
  if ('vocabulary' in data) answers = answersFrom(data)
  else if (answers) scope.postMessage(await answers.answerTo(data))
}

function answersFrom({ vocabulary, tokenizers }: Omit<CountScripts, 'thread'>): ThreadAnswers {
  const { o200k } = moduleAt(vocabulary) as Partial<typeof import('#tokenizer')>
  if (!o200k) throw new TypeError('The vocabulary is not what it should be')
  return new ThreadAnswers(o200k, async () => {
    if (tokenizers === undefined) throw new TypeError('The client did not name the script')
    return moduleAt(tokenizers) as typeof import('#tokenizer-json')
  })
}

/** These are modules of Node, so that there is one of each for all: what such a module fills is put in its place. */
function moduleAt(url: string): unknown {
  const module: { readonly exports: unknown } = { exports: {} }
  Object.assign(scope, { module, exports: module.exports })
  importScripts(url)
  return module.exports
}
