/** Opens the bytes of a dataset: of a file or of standard input, packed or not, with its edits. */
import { open, stat } from 'node:fs/promises'
import { readRange, readSome, readSomeSync } from '../../../client/disk/byte-ranges.ts'
import { nodeDecompression } from '../../../client/disk/decompression.ts'
import {
  type ByteSource,
  largestOverlay,
  noEdits,
  type Overlay,
  overlayOf,
  overlayPath,
  type UnpackedSource,
  unpack,
} from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'
import { readTextBeside } from '../files/read-beside.ts'
import { standardInput } from '../files/read-source.ts'
import { stretchLimits } from './stretch.ts'

/** A dataset that is open. */
export interface OpenSource extends UnpackedSource {
  /** Edits of a dataset that is not written itself. */
  readonly overlay: Overlay
}

/** How bytes are read. */
export interface ByteReading {
  /** Gets how many bytes of the file were read. */
  readonly onBytes: (count: number) => void
  /** Memory that a file is read into; by default new one. */
  readonly memory?: Uint8Array | undefined
}

/** Opens the dataset at `path`. @throws FileProblem, SourceError */
export async function openSource(
  path: string,
  input: AsyncIterable<Uint8Array>,
  reading: ByteReading,
): Promise<OpenSource> {
  const source =
    path === standardInput
      ? { chunks: () => counted(input, reading.onBytes) }
      : await fileSource(path, reading)
  const unpacked = await unpack(source, nodeDecompression, stretchLimits.sample)
  const hasOverlay = unpacked.packing !== undefined && path !== standardInput
  return { ...unpacked, overlay: hasOverlay ? await overlayOfFile(path) : noEdits }
}

async function fileSource(path: string, { onBytes, memory }: ByteReading): Promise<ByteSource> {
  const status = await stat(path)
  const chunks = () => counted(chunksOf(path, memory), onBytes)
  if (!status.isFile()) return { chunks } // a pipe can be read once only
  const { size } = status
  return {
    chunks,
    random: {
      size,
      async read({ start, end }) {
        const file = await open(path) // for each question, because the last one is not announced
        try {
          const bytes = await readRange(file, { start, end })
          onBytes(bytes.length)
          return bytes
        } finally {
          await file.close()
        }
      },
    },
  }
}

const readsInARow = 16 // of a few milliseconds together

/**
 * The bytes of the file at `path`, each chunk in the same memory: new memory would take longer than reading into it. Files are read
 * in this thread, because waking another one for each chunk takes half as long as reading; the system reads ahead.
 */
async function* chunksOf(
  path: string,
  { buffer, byteOffset, length }: Uint8Array = new Uint8Array(stretchLimits.stretch),
): AsyncIterableIterator<Uint8Array> {
  const chunk = Buffer.from(buffer, byteOffset, length) // in which, unlike in other arrays of bytes, a byte is found quickly
  const file = await open(path)
  try {
    const isRegular = (await file.stat()).isFile()
    for (let nth = 1; ; nth++) {
      const count = isRegular ? readSomeSync(file.fd, chunk) : await readSome(file, chunk)
      if (count === 0) return
      yield chunk.subarray(0, count)
      if (nth % readsInARow === 0) await new Promise(setImmediate) // for timers and signals
    }
  } finally {
    await file.close()
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncIterableIterator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}

/** The edits next to the dataset at `path`. @throws FileProblem for a file that cannot be read as edits */
async function overlayOfFile(path: string): Promise<Overlay> {
  const beside = overlayPath(path)
  const text = await readTextBeside(beside, { bytes: largestOverlay })
  if (text === undefined) return noEdits
  const overlay = overlayOf(text)
  const [mistake] = overlay.mistakes
  if (mistake) throw new FileProblem(beside, mistake.message, { line: mistake.line - 1, character: 0 })
  return overlay
}
