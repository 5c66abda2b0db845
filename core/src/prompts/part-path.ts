/** The path of a part: relative to the file that includes it, and inside the folder of the workspace. */
import { localize } from '../text/localize.ts'
import { isRelativePath, namedPath } from '../text/relative-path.ts'

/** A path that may be read, or why it may not. */
export type PartPath =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: string }

const longestPath = 400 // code units

/**
 * The path of the part that the file at `from` includes as `written`. Both paths are relative to the folder of the workspace,
 * with `/` between names; so is the result, without `.` and `..`.
 */
export function partPath(from: string, written: string): PartPath {
  if (written === '' || written.length > longestPath || hasControls(written))
    return refused(localize`The path of a part is missing or invalid`)
  if (!isRelativePath(written))
    return refused(localize`The path of a part must be relative to the file that includes it`)
  if (written.includes('\\')) return refused(localize`The path of a part must be written with \`/\``)
  const path = namedPath(from, written)
  if (path === undefined) return refused(localize`A part must be in the workspace folder`)
  return path === '' ? refused(localize`The path of a part is missing or invalid`) : { kind: 'path', path }
}

function refused(reason: string): PartPath {
  return { kind: 'refused', reason }
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x20) return true
  return false
}
