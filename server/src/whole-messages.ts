/**
 * Sends each message in one piece, and nothing else: in two, as the library writes it, it would wake the client twice, and
 * what some code prints is no message.
 */
import { Writable } from 'node:stream'

/**
 * A stream into `output` for a protocol that writes the head of a message as a string, and then its body as bytes. Takes
 * `output` for itself: what others write to it is dropped.
 */
export function wholeMessages(output: Writable): Writable {
  const write = output.write.bind(output)
  output.write = (...parameters: unknown[]) => {
    const done = parameters.at(-1)
    if (typeof done === 'function') process.nextTick(done)
    return true
  }
  let head = ''
  const messages = new Writable({
    decodeStrings: false,
    write(piece: string | Uint8Array, _encoding, done) {
      if (typeof piece === 'string') {
        head = piece
        done()
        return
      }
      write(Buffer.concat([Buffer.from(head, 'latin1'), piece]), done)
    },
  })
  output.on('error', (error) => messages.destroy(error))
  output.on('close', () => messages.destroy())
  return messages
}
