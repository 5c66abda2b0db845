/**
 * Writes messages in one piece each, and nothing else: in two, as the library does it, they would wake the client twice. What is
 * JSON already is not read and written again.
 */
import type { Writable } from 'node:stream'
import { AbstractMessageWriter, type Message, type MessageWriter } from 'vscode-languageserver/node'
import { preparedMessage } from './prepared-json.ts'

/** Writes to `output`, and takes it for itself: what others write to it is dropped. */
export class WholeMessageWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #write: (message: Uint8Array, done: (error?: Error | null) => void) => void
  #nErrors = 0

  constructor(output: Writable) {
    super()
    const write = output.write.bind(output)
    this.#write = (message, done) => write(message, done)
    output.write = (...parameters: unknown[]) => {
      const done = parameters.at(-1)
      if (typeof done === 'function') process.nextTick(done)
      return true
    }
    output.on('error', (error) => this.fireError(error))
    output.on('close', () => this.fireClose())
  }

  /** Fulfilled when the message is on its way. */
  write(message: Message): Promise<void> {
    return new Promise((done, fail) => {
      this.#write(framed(message), (error) => {
        if (!error) {
          done()
          return
        }
        this.fireError(error, message, ++this.#nErrors)
        fail(error)
      })
    })
  }

  end(): void {}
}

function framed(message: Message): Uint8Array {
  const prepared = preparedMessage(message)
  if (!prepared) {
    const text = JSON.stringify(message)
    return Buffer.from(headOf(Buffer.byteLength(text)) + text)
  }
  const { before, bytes, after } = prepared
  const length = Buffer.byteLength(before) + bytes.length + Buffer.byteLength(after)
  return Buffer.concat([Buffer.from(headOf(length) + before), bytes, Buffer.from(after)])
}

function headOf(length: number): string {
  return `Content-Length: ${length}\r\n\r\n`
}
