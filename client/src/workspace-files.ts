/**
 * Reads files of the workspace that the user did not open, such as configuration files: regular files only, up to a size, and
 * for a limited time. Whoever wrote the workspace may have put anything in their place.
 */
import * as vscode from 'vscode'
import { inTime } from '../disk/in-time.ts'
import { type FileReading, patience, type ReadLimits } from '../disk/read-limits.ts'

/** Reads a file on a disk; absent in browsers. */
export type ReadOnDisk = (path: string, limits: ReadLimits) => Promise<FileReading>

/**
 * Reads a file of at most `bytes`; undefined if there is none, or it may not be read. With `roots`, it must be in one of these
 * folders, also after links: for a path that a document names. Never fails.
 */
export type ReadWorkspaceText = (
  uri: vscode.Uri,
  bytes: number,
  confined?: { readonly roots: readonly vscode.Uri[] },
) => Promise<string | undefined>

/** The one way to such files. */
export function workspaceTextReader(readOnDisk: ReadOnDisk | undefined): ReadWorkspaceText {
  return async (uri, bytes, confined) => {
    const content = await (readOnDisk && uri.scheme === 'file'
      ? readFromDisk(readOnDisk, uri, limitsFor(bytes, confined?.roots))
      : inTime(readVirtual(uri, bytes), patience, undefined))
    return content && new TextDecoder().decode(content)
  }
}

function limitsFor(bytes: number, roots: readonly vscode.Uri[] | undefined): ReadLimits {
  if (roots) return { bytes, within: roots.map((it) => it.fsPath), isConfined: true }
  const folders = vscode.workspace.workspaceFolders ?? []
  return { bytes, within: folders.flatMap((it) => (it.uri.scheme === 'file' ? [it.uri.fsPath] : [])) }
}

async function readFromDisk(
  readOnDisk: ReadOnDisk,
  uri: vscode.Uri,
  limits: ReadLimits,
): Promise<Uint8Array | undefined> {
  const reading = await readOnDisk(uri.fsPath, limits)
  return reading.kind === 'read' ? reading.bytes : undefined
}

/** Where a link ends cannot be asked on every file system, so links are not followed. */
async function readVirtual(uri: vscode.Uri, bytes: number): Promise<Uint8Array | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri)
    if (type !== vscode.FileType.File || size > bytes) return undefined
    const content = await vscode.workspace.fs.readFile(uri)
    return content.length > bytes ? undefined : content
  } catch {
    return undefined // most often there is none
  }
}
