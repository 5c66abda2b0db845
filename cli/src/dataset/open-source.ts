/** Opens the bytes of a dataset: of a file or of standard input, packed or not, with its edits. */
import { open } from 'node:fs/promises'
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

/** Opens the dataset at `path`. `onBytes` gets how many bytes of the file were read. @throws FileProblem, SourceError */
export async function openSource(
  path: string,
  input: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): Promise<OpenSource> {
  const source =
    path === standardInput ? { chunks: () => counted(input, onBytes) } : await fileSource(path, onBytes)
  const unpacked = await unpack(source, nodeDecompression, stretchLimits.sample)
  const hasOverlay = unpacked.packing !== undefined && path !== standardInput
  return { ...unpacked, overlay: hasOverlay ? await overlayOfFile(path) : noEdits }
}

async function fileSource(path: string, onBytes: (count: number) => void): Promise<ByteSource> {
  const file = await open(path)
  const { size } = await file.stat().finally(() => file.close())
  return {
    chunks: () => counted(chunksOf(path), onBytes),
    random: {
      size,
      async read({ start, end }) {
        const file = await open(path) // for each question, because the last one is not announced
        try {
          const { bytesRead, buffer } = await file.read(
            Buffer.allocUnsafeSlow(end - start),
            0,
            end - start,
            start,
          )
          onBytes(bytesRead)
          return buffer.subarray(0, bytesRead)
        } finally {
          await file.close()
        }
      },
    },
  }
}

/**
 * The bytes of the file at `path`, in chunks that no one else uses: a stream would do more for each of them. The next chunk is read
 * while one is used.
 */
async function* chunksOf(path: string): AsyncIterableIterator<Uint8Array> {
  const file = await open(path)
  const read = () => {
    const memory = Buffer.allocUnsafeSlow(stretchLimits.stretch)
    return file.read(memory, 0, memory.length)
  }
  let next = read()
  try {
    for (;;) {
      const { bytesRead, buffer } = await next
      if (bytesRead === 0) return
      next = read()
      next.catch(() => undefined) // reported when it is the chunk's turn
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await next.catch(() => undefined)
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
