/** A prompt with its cases and parts, read from the workspace: open documents as they are, other files from the disk. */
import * as vscode from 'vscode'
import {
  type Analysis,
  analyze,
  casesInHeader,
  casesPath,
  largestPart,
  localize,
  type PartReading,
  type Parts,
  type PromptCase,
  readCases,
  readParts,
  Transcript,
} from '../../../core/src/internal.ts'
import { refusalText } from '../../disk/refusal-text.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { dialectOf } from '../preview/document-sessions.ts'
import { exampleScheme } from '../welcome/example-files.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { pathIn } from './inclusion-index.ts'

/** Where the files of a prompt come from: the workspace, or a commit. */
export type FileVersion = (uri: vscode.Uri) => vscode.Uri | undefined

/** A prompt that can be filled. */
export interface OpenPrompt {
  /** False if the file does not exist; its text is then empty. */
  readonly isThere: boolean
  readonly analysis: Analysis
  readonly cases: readonly PromptCase[]
  readonly parts: Parts
  /** Relative to the folder that parts are read from. */
  readonly path: string
  /** Where a part is. */
  uriOf(path: string): vscode.Uri
  /** All files that were read, or looked for. */
  readonly files: readonly vscode.Uri[]
}

/**
 * The prompt at `uri`. Parts are read from its folder of the workspace, or for a prompt outside of all folders from its own;
 * in Restricted Mode none are, because who wrote the workspace decides what they name.
 */
export async function openPrompt(
  uri: vscode.Uri,
  readFile: ReadWorkspaceFile,
  version: FileVersion = (it) => it,
): Promise<OpenPrompt> {
  const source = version(uri)
  const document = source && (await documentAt(source))
  const analysis = analyze(
    Transcript.parse(document?.getText() ?? '', { dialect: document ? dialectOf(document) : 'auto' }),
  )
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..')
  const path = pathIn(root, uri) ?? ''
  const uriOf = (part: string) => vscode.Uri.joinPath(root, part)
  const files: vscode.Uri[] = [uri]
  const read = async (file: vscode.Uri): Promise<PartReading> => {
    files.push(file)
    const wanted = version(file)
    if (wanted?.scheme === file.scheme) return readPromptFile(wanted, root, readFile)
    const committed = wanted && (await documentAt(wanted))
    return committed ? asPart(committed) : { kind: 'missing' }
  }
  const parts = await readParts(analysis, path, async (part) => {
    if (!mayReadParts(uri))
      return { kind: 'refused', reason: localize`Parts are not read in Restricted Mode` }
    return read(uriOf(part))
  })
  const beside = await read(uri.with({ path: casesPath(uri.path) }))
  const inFile = beside.kind === 'read' ? readCases(beside.text, analysis).cases : []
  const isThere = document !== undefined
  return { isThere, analysis, cases: [...casesInHeader(analysis), ...inFile], parts, path, uriOf, files }
}

/** False for a prompt of a folder that the user does not trust. The examples are those of the extension itself. */
export function mayReadParts({ scheme }: vscode.Uri): boolean {
  return vscode.workspace.isTrusted || scheme === exampleScheme
}

/**
 * The part or the cases at `uri`: as they are in an open editor, or else from the disk, with links followed within `root` only.
 * That something is open makes no file outside of `root` a part.
 */
export async function readPromptFile(
  uri: vscode.Uri,
  root: vscode.Uri,
  readFile: ReadWorkspaceFile,
): Promise<PartReading> {
  const reading = await readFile(uri, largestPart, { roots: [root] })
  const open = openDocumentAt(uri)
  return open && reading.kind !== 'refused' ? asPart(open) : reading
}

function asPart(document: vscode.TextDocument): PartReading {
  const text = document.getText()
  return text.length > largestPart
    ? { kind: 'refused', reason: refusalText({ reason: 'too-large', bytes: largestPart }) }
    : { kind: 'read', text }
}

/** Undefined for what is not there, as a file that a commit does not have. */
async function documentAt(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri)
  } catch {
    return undefined
  }
}
