/** Sends each message in one piece. In two, as the library writes it, it would wake the client twice. */
import { Writable } from 'node:stream'

/** A stream into `output` for a protocol that writes the head of a message as a string, and then its body as bytes. */
export function wholeMessages(output: Writable): Writable {
  let head = ''
  const messages = new Writable({
    decodeStrings: false,
    write(piece: string | Uint8Array, _encoding, done) {
      if (typeof piece === 'string') {
        head = piece
        done()
        return
      }
      output.write(Buffer.concat([Buffer.from(head, 'latin1'), piece]), done)
    },
  })
  output.on('error', (error) => messages.destroy(error))
  output.on('close', () => messages.destroy())
  return messages
}
