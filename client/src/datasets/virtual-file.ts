/** Files of file systems that have no ranges, and of browsers: read as a whole, up to a size. */
import * as vscode from 'vscode'
import { areSameBytes, largestOverlay } from '../../../core/src/internal.ts'
import { bytesAt, writeInPlaceOf } from '../virtual-bytes.ts'
import {
  type ByteFile,
  ChangedFileError,
  changedBytes,
  type FileVersion,
  isSameVersion,
  type TextFile,
} from './byte-file.ts'

/** Bytes of the largest file that is read as a whole. */
export const largestVirtualFile = 256 * 2 ** 20

const chunkSize = 4 * 2 ** 20 // bytes, as on a disk

/** The file at `uri`. Its bytes are kept until it changes. */
export function virtualFile(uri: vscode.Uri): ByteFile {
  let known: { readonly version: FileVersion; readonly bytes: Uint8Array } | undefined
  const version = async () => {
    const { size, mtime } = await vscode.workspace.fs.stat(uri)
    return { size, modified: mtime }
  }
  const whole = async () => {
    const now = await version()
    if (known && isSameVersion(known.version, now)) return known.bytes
    if (now.size > largestVirtualFile) throw new Error(tooLargeText())
    const bytes = await vscode.workspace.fs.readFile(uri)
    known = { version: now, bytes }
    return bytes
  }
  return {
    version,
    read: async ({ start, end }) => (await whole()).subarray(start, end),
    async *chunks() {
      const bytes = await whole()
      for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
    },
    async replace(changes, expected) {
      const before = await whole()
      if (!isSameVersion(await version(), expected)) throw new ChangedFileError()
      const after = await changedBytes(before, changes)
      await writeInPlaceOf(before, uri, after)
      const now = await version().catch(() => undefined)
      // If the file can't be looked at, or another program has written it by now, it is read again.
      known = now?.size === after.length ? { version: now, bytes: after } : undefined
      return known?.version ?? { size: after.length, modified: Number.NaN }
    },
  }
}

/** The text at `uri`. */
export function virtualTextFile(uri: vscode.Uri): TextFile {
  const bytes = () => bytesAt(uri, largestOverlay, tooLargeText)
  return {
    async read() {
      const found = await bytes()
      return found && new TextDecoder('utf-8', { ignoreBOM: true }).decode(found)
    },
    async write(text, before) {
      const found = await bytes()
      const isSame =
        found === undefined || before === undefined
          ? found === before
          : areSameBytes(found, new TextEncoder().encode(before)) // which bytes that are not text can't be
      if (!isSame) throw new ChangedFileError()
      await writeInPlaceOf(found, uri, new TextEncoder().encode(text))
    },
  }
}

function tooLargeText(): string {
  const megabytes = largestVirtualFile / 2 ** 20
  return vscode.l10n.t(
    'it is larger than {0} MB, which is the limit where files cannot be read in parts',
    megabytes,
  )
}
