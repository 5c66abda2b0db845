/** Files that are written as a whole, on a disk. Only the entry of the extension for Node imports this. */
import type { FileHandle } from 'node:fs/promises'
import { largestOverlay } from '../../../core/src/internal.ts'
import { readRange, writeAll } from '../../disk/byte-ranges.ts'
import { readWorkspaceFile } from '../../disk/read-workspace-file.ts'
import { refusalText } from '../../disk/refusal-text.ts'
import { createOnDisk, replaceOnDisk } from '../../disk/replace-on-disk.ts'
import { inWords } from '../../disk/write-refusal.ts'
import { ChangedFileError, type TextFile } from './byte-file.ts'

/** The text at `path`. */
export function textFileOnDisk(path: string): TextFile {
  return {
    async read() {
      const reading = await readWorkspaceFile(path, { bytes: largestOverlay, within: undefined })
      if (reading.kind === 'missing') return undefined
      if (reading.kind === 'read') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(reading.bytes)
      throw reading.refusal.reason === 'error'
        ? reading.refusal.error
        : new Error(refusalText(reading.refusal))
    },
    write: (text, before) => inWords(writeText(path, text, before)),
  }
}

async function writeText(path: string, text: string, before: string | undefined): Promise<void> {
  const write = (file: FileHandle) => writeAll(file, new TextEncoder().encode(text))
  if (before === undefined) {
    await createOnDisk(path, { write }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new ChangedFileError() : error
    })
    return
  }
  const expected = Buffer.from(before)
  await replaceOnDisk(path, {
    write,
    async assertUnchanged(file) {
      const { size } = await file.stat()
      const isSame =
        size === expected.length && expected.equals(await readRange(file, { start: 0, end: size }))
      if (!isSame) throw new ChangedFileError()
    },
  })
}
