/** Writes files that the user named. */
import * as vscode from 'vscode'
import { joinedBytes } from '../../core/src/internal.ts'
import type { Chunks } from '../disk/replace-on-disk.ts'
import { writeInPlaceOf } from './virtual-bytes.ts'
import { exists } from './workspace-files.ts'

/** Writes a file on a disk: complete, or what was there stays. */
export type WriteOnDisk = (path: string, chunks: Chunks) => Promise<void>

/**
 * Writes `chunks` to `to`: all of them, or what was there stays, as far as its file system allows that.
 *
 * @param onDisk absent in browsers
 */
export async function writeFile(
  to: vscode.Uri,
  chunks: Chunks,
  onDisk: WriteOnDisk | undefined,
): Promise<void> {
  if (to.scheme === 'file' && onDisk) return onDisk(to.fsPath, chunks)
  const parts: Uint8Array[] = []
  for await (const it of chunks) parts.push(it)
  const before = (await exists(to)) ? await vscode.workspace.fs.readFile(to) : undefined
  await writeInPlaceOf(before, to, joinedBytes(parts))
}
