/** Reads files from the disk: only in Node. */
import { fileURLToPath } from 'node:url'
import { readWorkspaceFile } from '../../client/disk/read-workspace-file.ts'
import { refusalText } from '../../client/disk/refusal-text.ts'
import type { ReadFile } from './project-settings.ts'

/** Reads the file at `uri`, if it is one that may be read. Never fails. */
export const readFile: ReadFile = async (uri, { bytes, folders, isConfined }) => {
  let path: string
  let within: readonly string[]
  try {
    path = fileURLToPath(uri)
    within = folders.filter((it) => it.startsWith('file:')).map((it) => fileURLToPath(it))
  } catch {
    return { kind: 'missing' } // no path of this system
  }
  const reading = await readWorkspaceFile(path, { bytes, within, isConfined })
  if (reading.kind === 'refused') return { kind: 'refused', reason: refusalText(reading.refusal) }
  return reading.kind === 'read' ? { kind: 'read', text: new TextDecoder().decode(reading.bytes) } : reading
}
