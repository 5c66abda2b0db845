/**
 * Reads files of the workspace that the user did not open, such as configuration files: regular files only, up to a size, and
 * for a limited time. The author of the workspace may have put anything in their place.
 */
import * as vscode from 'vscode'
import type { PartReading } from '../../core/src/internal.ts'
import { inTime } from '../disk/in-time.ts'
import { type FileReading, patience, type ReadLimits, type Refusal } from '../disk/read-limits.ts'
import { refusalText } from '../disk/refusal-text.ts'

/** Reads a file on a disk; absent in browsers. */
export type ReadOnDisk = (path: string, limits: ReadLimits) => Promise<FileReading>

/**
 * Reads a file of at most `bytes`. With `roots`, it must be in one of these folders, also after links: for a path that a document
 * names. Never fails: what may not be read is refused.
 */
export type ReadWorkspaceFile = (
  uri: vscode.Uri,
  bytes: number,
  confined?: { readonly roots: readonly vscode.Uri[] },
) => Promise<PartReading>

/** The one way to such files. */
export function workspaceFileReader(readOnDisk: ReadOnDisk | undefined): ReadWorkspaceFile {
  return async (uri, bytes, confined) => {
    const reading = await (readOnDisk && uri.scheme === 'file'
      ? readOnDisk(uri.fsPath, limitsFor(bytes, confined?.roots))
      : inTime(readVirtual(uri, bytes), patience, refused({ reason: 'late' })))
    if (reading.kind === 'refused') return { kind: 'refused', reason: refusalText(reading.refusal) }
    return reading.kind === 'read' ? { kind: 'read', text: new TextDecoder().decode(reading.bytes) } : reading
  }
}

/** The text that was read; undefined if there is none, for whatever reason. */
export function textIn(reading: PartReading): string | undefined {
  return reading.kind === 'read' ? reading.text : undefined
}

function limitsFor(bytes: number, roots: readonly vscode.Uri[] | undefined): ReadLimits {
  if (roots) return { bytes, within: roots.map((it) => it.fsPath), isConfined: true }
  const folders = vscode.workspace.workspaceFolders ?? []
  return { bytes, within: folders.flatMap((it) => (it.uri.scheme === 'file' ? [it.uri.fsPath] : [])) }
}

/** Where a link ends cannot be asked on every file system, so links are not followed. */
async function readVirtual(uri: vscode.Uri, most: number): Promise<FileReading> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri)
    if (type !== vscode.FileType.File) return refused({ reason: 'special' })
    if (size > most) return refused({ reason: 'too-large', bytes: most })
    const bytes = await vscode.workspace.fs.readFile(uri)
    return bytes.length > most ? refused({ reason: 'too-large', bytes: most }) : { kind: 'read', bytes }
  } catch {
    return { kind: 'missing' } // most often there is none
  }
}

/** True if there is a file or folder, and where its file system cannot say that there is none: nothing may take its place then. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  return isThere(uri).catch(() => true)
}

/** True if there is a file or folder. @throws what its file system reports if it cannot say that there is none */
export async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri)
    return true
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false
    throw error
  }
}

function refused(refusal: Refusal): FileReading {
  return { kind: 'refused', refusal }
}
