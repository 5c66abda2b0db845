/** Which parts a file includes, and how its tags change when files are renamed. */

import { Transcript } from '../document/transcript.ts'
import { type JinjaInclude, scanJinja } from '../embedded/jinja.ts'
import { analyze } from '../semantics/analysis.ts'
import { templateOf } from '../semantics/template-body.ts'
import type { Range, TextEdit } from '../text/range.ts'
import { relativePath } from '../text/relative-path.ts'
import { partPath } from './part-path.ts'

/** A tag that includes a part. */
export interface Inclusion {
  /** The path in the tag, without quotes, in the text of the file. */
  readonly range: Range
  /** The path of the part, relative to the folder of the workspace. */
  readonly path: string
}

/** The parts that the file at `path` includes: a transcript, or a part. Paths that are refused are left out. Linear. */
export function inclusionsIn(text: string, path: string): readonly Inclusion[] {
  if (!text.includes('include')) return []
  if (!/\.ocm$/i.test(path))
    return scanJinja(text).includes.flatMap((it) => inclusion(it, it.pathRange, path))
  const found: Inclusion[] = []
  for (const { segment, start } of analyze(Transcript.parse(text)).transcript.segments()) {
    const template = templateOf(segment)
    for (const it of template?.includes ?? []) {
      const span = template?.source.spanOf(it.pathRange)
      if (span) found.push(...inclusion(it, { start: start + span.from, end: start + span.to }, path))
    }
  }
  return found
}

function inclusion({ path: written }: JinjaInclude, range: Range, from: string): readonly Inclusion[] {
  const found = written === undefined ? undefined : partPath(from, written)
  return found?.kind === 'path' ? [{ range, path: found.path }] : []
}

/**
 * The edits that keep the `inclusions` of the file at `path` right when files move: `moved` gives the new path of each path, or
 * the same one. Both are relative to the folder of the workspace.
 */
export function inclusionEdits(
  path: string,
  inclusions: readonly Inclusion[],
  moved: (path: string) => string,
): readonly TextEdit[] {
  const from = moved(path)
  return inclusions.flatMap(({ range, path: part }) => {
    const to = moved(part)
    if (from === path && to === part) return []
    const written = relativePath(from, to)
    // What a string in a tag would have to escape stays as it is, and is reported as missing.
    const isUnchanged = relativePath(path, part) === written
    return isUnchanged || /["'\\]/.test(written) ? [] : [{ ...range, text: written }]
  })
}
