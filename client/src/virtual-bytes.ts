/** Bytes of file systems other than a disk: files are read and written as a whole. */
import * as vscode from 'vscode'
import { areSameBytes, reasonOf } from '../../core/src/internal.ts'
import { inTime } from '../disk/in-time.ts'
import { exists } from './workspace-files.ts'

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

const longestRestoring = 60_000 // milliseconds: VS Code never answers where a file system threw instead of giving a promise

/**
 * Writes `content` in the place of `before`, undefined for a new file. If the file system fails midway, what was there is restored,
 * unless another program has written the file since.
 *
 * @throws what the file system reports; an Error that says so if the file may be incomplete
 */
export async function writeInPlaceOf(
  before: Uint8Array | undefined,
  uri: vscode.Uri,
  content: Uint8Array,
): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(uri, content)
  } catch (error) {
    const written = isWritten(uri, before, content).catch(() => undefined)
    const isThere = await inTime(written, longestRestoring, undefined)
    if (isThere) return
    if (isThere === false) throw error
    const reason = reasonOf(error)
    throw new Error(
      vscode.l10n.t('the file may be incomplete, its earlier content could not be restored ({0})', reason),
    )
  }
}

/** True if `content` is there after all; else what is there of it is taken back. @throws what the file system reports */
async function isWritten(
  uri: vscode.Uri,
  before: Uint8Array | undefined,
  content: Uint8Array,
): Promise<boolean> {
  const now = (await exists(uri)) ? await vscode.workspace.fs.readFile(uri) : undefined
  if (now && areSameBytes(now, content)) return true
  if (now === undefined ? before === undefined : before && areSameBytes(now, before)) return false
  if (now && !isPart(now, before, content)) return false // of another program
  if (before) await vscode.workspace.fs.writeFile(uri, before)
  else await vscode.workspace.fs.delete(uri, { useTrash: false })
  return false
}

/** True for the beginning of `content`, and, where that was written over it, the rest of `before`. */
function isPart(now: Uint8Array, before: Uint8Array | undefined, content: Uint8Array): boolean {
  let length = 0
  while (length < now.length && now[length] === content[length]) length++
  const rest = now.subarray(length)
  return rest.length === 0 || (before !== undefined && areSameBytes(rest, before.subarray(length)))
}
