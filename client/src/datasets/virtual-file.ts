/** Files of file systems that have no ranges, and of browsers: read as a whole, up to a size. */
import * as vscode from 'vscode'
import { areSameBytes, largestOverlay } from '../../../core/src/internal.ts'
import { exists } from '../workspace-files.ts'
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
      await vscode.workspace.fs.writeFile(uri, after)
      known = { version: await version(), bytes: after }
      return known.version
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
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text))
    },
  }
}

/**
 * The bytes of the file at `uri`; undefined if there is none.
 *
 * @throws Error with the text that `tooLarge` gives if there are more than `most`; what its file system reports: a file that
 *   can't be read at the moment exists
 */
export async function bytesAt(
  uri: vscode.Uri,
  most: number,
  tooLarge: () => string,
): Promise<Uint8Array | undefined> {
  if (!(await exists(uri))) return undefined
  if ((await vscode.workspace.fs.stat(uri)).size > most) throw new Error(tooLarge())
  return vscode.workspace.fs.readFile(uri)
}

function tooLargeText(): string {
  const megabytes = largestVirtualFile / 2 ** 20
  return vscode.l10n.t(
    'it is larger than {0} MB, which is the limit where files cannot be read in parts',
    megabytes,
  )
}
