/** Reads the files that belong to a transcript or a folder without being named: configuration, expectations, snapshots. */
import type { ReadLimits } from '../../../client/disk/read-limits.ts'
import { readWorkspaceFile } from '../../../client/disk/read-workspace-file.ts'
import { refusalText } from '../../../client/disk/refusal-text.ts'
import { FileProblem, fileProblem } from './file-problem.ts'

/** What may be read. */
export interface BesideLimits {
  /** The largest file. */
  readonly bytes: number
  /** True for a file that the user named, which may be anywhere. */
  readonly isNamed?: boolean
  /** Folders in which the file itself must be, for a path that another file names. */
  readonly confinedTo?: readonly string[] | undefined
}

/**
 * The content of the file at `path`; undefined if there is none. Links are followed within the folder of the file and the current
 * directory, or anywhere for a file that the user named.
 *
 * @throws FileProblem if it may not or cannot be read
 */
export async function readBeside(
  path: string,
  { bytes, isNamed = false, confinedTo }: BesideLimits,
): Promise<Uint8Array | undefined> {
  const limits: ReadLimits = confinedTo
    ? { bytes, within: confinedTo, isConfined: true }
    : { bytes, within: isNamed ? undefined : [process.cwd()] }
  const reading = await readWorkspaceFile(path, limits)
  if (reading.kind === 'missing') return undefined
  if (reading.kind === 'read') return reading.bytes
  const { refusal } = reading
  if (refusal.reason === 'error') throw fileProblem(path, refusal.error)
  if (refusal.reason === 'directory') throw new FileProblem(path, 'is a directory')
  if (refusal.reason === 'outside') throw new FileProblem(path, 'is a link to a place outside the folder')
  throw new FileProblem(path, refusalText(refusal))
}

/** The same as text. */
export async function readTextBeside(...args: Parameters<typeof readBeside>): Promise<string | undefined> {
  const bytes = await readBeside(...args)
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
