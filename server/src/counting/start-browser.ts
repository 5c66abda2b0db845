/** Starts the thread that counts tokens, in a browser. */
import type { StartCounting } from './count-protocol.ts'

/** Where the scripts are: a Web Worker that came from a blob does not know. */
export interface CountScripts {
  readonly thread: string
  readonly vocabulary: string
  /** Makes tokenizers of `tokenizer.json`; undefined for clients that never ask for one. */
  readonly tokenizers: string | undefined
}

/** A Web Worker. Its script may come from another origin than the page, so a script of our own loads it. */
export function startCountingFrom({ thread, ...scripts }: CountScripts): StartCounting {
  return ({ answered, failed }) => {
    const script = new Blob([`importScripts(${JSON.stringify(thread)})`], { type: 'text/javascript' })
    const url = URL.createObjectURL(script)
    const worker = new Worker(url)
    worker.onmessage = ({ data }) => {
      answered(data)
    }
    let hasEnded = false
    worker.onerror = (event) => {
      event.preventDefault() // else it is an error of the server as well, which ends the connection to the client
      if (!hasEnded) failed(new Error(event.message)) // one that is ended while it loads its vocabulary fails, too
    }
    worker.postMessage(scripts)
    return {
      post: (request) => worker.postMessage(request),
      end: () => {
        hasEnded = true
        worker.terminate()
        URL.revokeObjectURL(url)
      },
    }
  }
}
