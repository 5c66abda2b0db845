/** A file in memory that counts what is read of it. */
import {
  type ByteFile,
  ChangedFileError,
  changedBytes,
  isSameVersion,
} from '../../client/src/datasets/byte-file.ts'

/** The file, with what a test wants to know. */
export interface MemoryFile extends ByteFile {
  bytes: Uint8Array
  /** Bytes that were read by ranges. */
  read: ByteFile['read']
  nRead: number
  /** Writes as another program would. */
  overwrite(text: string): void
}

/** A file with `content`, which is handed out in chunks of so many bytes. */
export function memoryFile(content: string | Uint8Array, chunkSize = 1 << 16): MemoryFile {
  let modified = 1
  const version = async () => ({ size: file.bytes.length, modified })
  const file: MemoryFile = {
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    nRead: 0,
    version,
    overwrite(text) {
      file.bytes = new TextEncoder().encode(text)
      modified++
    },
    async read({ start, end }) {
      file.nRead += end - start
      return file.bytes.slice(start, end)
    },
    async *chunks() {
      for (let at = 0; at < file.bytes.length; at += chunkSize) yield file.bytes.slice(at, at + chunkSize)
    },
    async replace(changes, expected) {
      if (!isSameVersion(await version(), expected)) throw new ChangedFileError()
      file.bytes = await changedBytes(file.bytes, changes)
      modified++
      return version()
    },
  }
  return file
}

/** The text of a file, with its byte order mark. */
export function textIn(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
