/** The other end of a crew: a thread that does pieces of work, one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { failureText } from '../../../core/src/internal.ts'
import type { Answer, Order, WorkerSetup } from './thread-messages.ts'
import { startWork } from './work.ts'

/** Works until it is ended. */
export async function work(): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('a worker has a port')
  const { name, setup } = workerData as WorkerSetup // what the crew gave it
  const doing = (await startWork(name, setup as never)) as (input: unknown) => unknown // of that name
  let last = Promise.resolve()
  const answer = async ({ id, input }: Order) => {
    let answer: Answer<unknown>
    try {
      answer = { id, result: await doing(input) }
    } catch (error) {
      answer = { id, problem: failureText(error) }
    }
    port.postMessage(answer, 'result' in answer ? buffersOf(answer.result) : [])
  }
  port.on('message', (order: Order) => {
    last = last.then(() => answer(order))
  })
}

/**
 * The buffers of a result's bytes that can be handed over instead of copied. Small `Buffer`s share one, which later versions of Node
 * refuse to hand over.
 */
function buffersOf(result: unknown): ArrayBuffer[] {
  const { bytes } = result as { readonly bytes: Uint8Array | readonly Uint8Array[] } // every result has them
  const list = bytes instanceof Uint8Array ? [bytes] : bytes
  return list.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  )
}
