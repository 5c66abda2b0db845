/**
 * Standard output, which carries results and nothing else. This is the only place that writes to it: what a library prints is
 * dropped, because it could say anything, such as a script before a page. A writer waits until the reader has caught up, so
 * the memory does not fill.
 */
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

/** The reader of standard output has gone: there is no point in going on, and nothing to complain about. */
export class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError'
}

/**
 * Does `write`, or as much of it as the reader of standard output wants: one that leaves excuses nothing that was found before, so
 * the exit status is still that of the command.
 */
export async function untilReaderLeaves(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof OutputClosedError)) throw error
  }
}

const chunkLength = 1 << 16 // what a pipe holds on Linux

/** Collects small pieces and writes them in large ones. Takes the stream for itself until {@link Output.release}. */
export class Output {
  readonly #stream: Writable
  readonly #write: Writable['write']
  /** The descriptor, if it is a file. */
  readonly #file: number | undefined
  readonly #beforeWrite: () => void
  #pieces: string[] = []
  #length = 0

  /** @param beforeWrite called before something appears */
  constructor(stream: Writable, beforeWrite: () => void = () => undefined) {
    this.#stream = stream
    this.#write = stream.write
    this.#file = fileOf(stream)
    stream.write = drop
    this.#beforeWrite = beforeWrite
    stream.on('error', () => undefined) // the callback of the write hears of it
  }

  /** Writes `text`, as UTF-8. @throws OutputClosedError if the reader has closed it */
  async write(text: string): Promise<void> {
    this.#pieces.push(text)
    this.#length += text.length
    if (this.#length >= chunkLength) await this.flush()
  }

  /** Writes `texts` one after the other; each is made when the one before it is on its way. */
  async writeAll(texts: Iterable<string>): Promise<void> {
    for (const text of texts) {
      this.#pieces.push(text)
      this.#length += text.length
      if (this.#length >= chunkLength) await this.flush()
    }
  }

  /** Writes `bytes` after what is collected; they must not change any more. @throws OutputClosedError if the reader has closed it */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return
    await this.flush()
    this.#beforeWrite()
    await this.#send(bytes)
  }

  /** Writes what is collected, and waits until the stream has taken it. */
  async flush(): Promise<void> {
    if (this.#length === 0) return
    const text = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    this.#beforeWrite()
    await this.#send(text)
  }

  /** Gives the stream back, for a program that writes to it by itself. */
  release(): void {
    this.#stream.write = this.#write
  }

  #send(data: string | Uint8Array): Promise<void> {
    if (this.#file !== undefined) return writeAllTo(this.#file, data)
    return new Promise<void>((done, fail) => {
      const taken = (error?: Error | null) => {
        if (!error) done()
        else fail(isClosed(error) ? new OutputClosedError() : error)
      }
      Reflect.apply(this.#write, this.#stream, [data, taken])
    })
  }
}

/** The descriptor of the file that `stream` writes to; undefined if it is none. */
function fileOf(stream: Writable): number | undefined {
  const { fd } = stream as { readonly fd?: unknown }
  return typeof fd === 'number' && fstatSync(fd).isFile() ? fd : undefined
}

/** Writes all of `data`: the stream of Node drops what a full disk does not take any more, and reports success. */
async function writeAllTo(file: number, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** Takes what it is given, as a stream does, and writes none of it. */
function drop(...parameters: unknown[]): boolean {
  const done = parameters.at(-1)
  if (typeof done === 'function') process.nextTick(done)
  return true
}

function isClosed(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED'
}
